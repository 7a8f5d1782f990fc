// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/patterns/wide_core.hpp"
#include "tablemap/detail/write/commit.hpp"

#include <cstddef>
#include <memory>
#include <vector>

namespace tablemap::inline v0_1::detail {

/// The error of a row, which says how to make it smaller if it is too large.
error of_row(error const& e, std::size_t number, std::size_t rows);

/// The erase of a further row, whatever its etag is: the condition of the head holds for all.
encoded_write erase_of(entity_key const& key, std::size_t number);

/// Sends a group. Errors name the entity and no operation of the group: the program's is one.
task<result<etag>> send_wide(std::shared_ptr<table_state const> table, std::vector<encoded_write> writes, clock& c);

}  // namespace tablemap::detail

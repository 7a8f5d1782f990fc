// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "patterns/large_names.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace tablemap::inline v0_1::detail {

/// Reads the values that members of an entity lack.
///
/// \return false if a blob is gone
task<result<bool>> load_values(large_state const& table, entity_key const& key, std::vector<large_part> const& parts);

/// The mark of large members that were read from, or written to, a version of an entity.
std::string origin_of(entity_key const& key, etag const& version);

}  // namespace tablemap::detail

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/store/task.hpp"
#include "tablemap/base/result.hpp"
#include "tablemap/store/own_doing.hpp"

#include <string>
#include <vector>

/// Tasks of `service_calls`, for calls that need several of them.
namespace tablemap::inline v0_1::detail {

task<result<own_doing>> deletion_if_exists(std::string table);

/// The names of all tables that begin with a text, in the store's order.
task<result<std::vector<std::string>>> names_of_tables(std::string prefix);

}  // namespace tablemap::detail

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "command/console.hpp"
#include "command/open_store.hpp"

#include <string>

namespace tablemap::inline v0_1::command {

struct get_options {
    store_options store{};
    std::string table{};
    std::string partition_key{};
    std::string row_key{};
};

/// Prints one row as JSON, with etag and timestamp.
///
/// \return `no` if there is no such row
int get(get_options const& o, console& c);

}  // namespace tablemap::inline v0_1::command

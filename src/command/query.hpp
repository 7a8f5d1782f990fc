// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "command/console.hpp"
#include "command/open_store.hpp"
#include "command/row_writer.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace tablemap::inline v0_1::command {

/// Rows of a table.
struct row_choice {
    std::string table{};
    std::optional<std::string> partition{};  ///< nothing: all partitions
    std::string filter{};                    ///< as the service takes it in `$filter`; empty: all rows
    std::vector<std::string> select{};       ///< properties beside the keys; empty: all
    std::optional<std::size_t> top{};        ///< at most so many rows
};

struct query_options {
    store_options store{};
    row_choice rows{};
    output_format output = output_format::automatic;
    bool explain = false;  ///< print the plan, and read nothing
};

/// Prints rows, or how the store would find them.
int query(query_options const& o, console& c);

}  // namespace tablemap::inline v0_1::command

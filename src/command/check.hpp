// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "command/console.hpp"
#include "command/finding_lines.hpp"
#include "command/open_store.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace tablemap::inline v0_1::command {

struct check_options {
    store_options store{};
    std::string table{};
    std::string schema{};                 ///< a file of tablemap-gen
    std::vector<std::string> entities{};  ///< that the table holds beside those that name it
    std::size_t rows = 0;                 ///< at most so many; 0: all
    line_format lines = line_format::text;
};

/// Compares the rows of a table with a schema, and prints what differs, one kind of difference a line.
///
/// \return `no` if a row cannot be read by the struct that is generated from the schema, is of no entity, or
/// contradicts itself
int check_rows(check_options const& o, console& c);

}  // namespace tablemap::inline v0_1::command

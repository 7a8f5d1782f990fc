// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "command/console.hpp"
#include "page/gathering.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace tablemap::inline v0_1::command {

inline constexpr std::size_t most_read_rows = 10'000'000;  ///< without `exact`

/// The tables and rows that a report and a lint read.
struct table_reading {
    std::vector<std::string> tables{};  ///< empty: all
    std::size_t rows = 20'000;          ///< of each table that are read, at most
    bool exact = false;                 ///< read all rows
    std::string type_property{};        ///< that tells kinds of entities apart; empty: it is recognised
    std::string schema{};               ///< a file of tablemap-gen, with which the rows are compared; empty: none
};

/// Shows its progress on the console.
///
/// \throws usage_error for a schema that cannot be used, or names none of the tables that are given
///
/// \par Lifetime
/// The console outlives the result.
page::gathering gathering_of(table_reading const& o, console& c);

/// Says which tables were not read, and which of those that are given the schema does not name.
void note_unread_tables(table_reading const& o, page::report const& made, console& c);

}  // namespace tablemap::inline v0_1::command

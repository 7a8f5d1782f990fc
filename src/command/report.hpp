// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "command/console.hpp"
#include "command/open_store.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace tablemap::inline v0_1::command {

inline constexpr std::size_t most_report_rows = 10'000'000;  ///< without `exact`

struct report_options {
    store_options store{};
    std::vector<std::string> tables{};  ///< empty: all
    std::string file = "-";             ///< "-": the standard output
    bool overwrite = false;             ///< replace a file that is there
    std::size_t rows = 20'000;          ///< of each table that are read, at most
    bool exact = false;                 ///< read all rows
    std::string type_property{};        ///< that tells kinds of entities apart; empty: it is recognised
    std::string title = "Tables";
};

/// Writes a report on tables as one page of HTML.
int report(report_options const& o, console& c);

}  // namespace tablemap::inline v0_1::command

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "command/console.hpp"
#include "command/open_store.hpp"
#include "command/table_reading.hpp"

#include <string>

namespace tablemap::inline v0_1::command {

struct report_options {
    store_options store{};
    table_reading reading{};
    std::string file = "-";  ///< "-": the standard output
    bool overwrite = false;  ///< replace a file that is there
    std::string title = "Tables";
};

/// Writes a report on tables as one page of HTML.
int report(report_options const& o, console& c);

}  // namespace tablemap::inline v0_1::command

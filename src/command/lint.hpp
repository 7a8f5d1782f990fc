// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "command/console.hpp"
#include "command/finding_lines.hpp"
#include "command/open_store.hpp"
#include "command/table_reading.hpp"

namespace tablemap::inline v0_1::command {

struct lint_options {
    store_options store{};
    table_reading reading{};
    line_format lines = line_format::text;
    bool hints_fail = false;  ///< hints make the answer `no`, too
};

/// Prints what a person should change about tables, one finding a line: those of a report.
///
/// \return `no` if there is a warning
int lint(lint_options const& o, console& c);

}  // namespace tablemap::inline v0_1::command

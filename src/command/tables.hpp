// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "command/console.hpp"
#include "command/open_store.hpp"

#include <string>

namespace tablemap::inline v0_1::command {

struct tables_options {
    store_options store{};
    std::string prefix{};    ///< lists only names that begin so
    std::string create{};    ///< a table to create, in place of listing
    std::string drop{};      ///< a table to delete, in place of listing
    bool confirmed = false;  ///< `drop` may delete the rows of the table, too
};

/// Lists, creates or deletes tables.
int tables(tables_options const& o, console& c);

}  // namespace tablemap::inline v0_1::command

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "command/console.hpp"
#include "command/open_store.hpp"
#include "command/query.hpp"
#include "command/row_source.hpp"

#include <optional>
#include <string>

namespace tablemap::inline v0_1::command {

struct export_options {
    store_options store{};
    row_choice rows{};
    std::string file = "-";              ///< "-": the standard output
    std::optional<row_format> format{};  ///< nothing: that of the file's name
    bool resume = false;                 ///< go on behind the rows of an export that was interrupted
    bool overwrite = false;              ///< replace a file that is there
};

/// Writes rows of a table into a file. The file has its name only once it is whole; until then it is `<file>.part`.
int export_rows(export_options const& o, console& c);

}  // namespace tablemap::inline v0_1::command

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "command/console.hpp"
#include "command/open_store.hpp"
#include "command/row_importer.hpp"
#include "command/row_source.hpp"

#include <optional>
#include <string>

namespace tablemap::inline v0_1::command {

struct import_options {
    store_options store{};
    std::string table{};
    std::string file{};                  ///< "-": the standard input
    std::optional<row_format> format{};  ///< nothing: that of the file's name
    key_names keys{};
    write_mode mode = write_mode::insert;
    std::string ledger{};  ///< the file that lets an import go on; empty: none
    bool create_table = false;
};

/// Writes the rows of a file into a table. Done again, it stores no row twice.
///
/// \return `failed` if a row cannot be read or stored
int import(import_options const& o, console& c);

}  // namespace tablemap::inline v0_1::command

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "command/console.hpp"
#include "command/open_store.hpp"
#include "command/row_importer.hpp"

#include <string>
#include <vector>

namespace tablemap::inline v0_1::command {

struct copy_options {
    store_options from{};
    store_options to{};
    std::vector<std::string> tables{};
    write_mode mode = write_mode::insert;
    bool verify = true;
};

/// Copies tables from one store to another, and compares them afterwards. Done again, it goes on: rows that are there
/// and equal are done.
///
/// \return `no` if a copy differs afterwards, `failed` if a row cannot be stored
int copy(copy_options const& o, console& c);

}  // namespace tablemap::inline v0_1::command

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "command/console.hpp"
#include "command/open_store.hpp"

#include <cstddef>
#include <string>

namespace tablemap::inline v0_1::command {

inline constexpr std::size_t most_infer_rows = 10'000'000;  ///< without `exact`

struct infer_options {
    store_options store{};
    std::string table{};
    std::string file = "-";       ///< "-": the standard output
    bool overwrite = false;       ///< replace a file that is there
    std::size_t rows = 20'000;    ///< that are read, at most
    bool exact = false;           ///< read all rows
    std::string type_property{};  ///< that tells kinds of entities apart; empty: it is recognised
    std::string space{};          ///< the C++ namespace
    std::string name{};           ///< of the struct
    bool enums = false;           ///< make enums of texts that are few
};

/// Writes a schema for tablemap-gen from what a table holds.
int infer(infer_options const& o, console& c);

}  // namespace tablemap::inline v0_1::command

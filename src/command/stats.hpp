// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "command/console.hpp"
#include "command/open_store.hpp"

#include <cstddef>
#include <string>

namespace tablemap::inline v0_1::command {

struct stats_options {
    store_options store{};
    std::string table{};
    std::size_t sample = 10'000;  ///< rows of the sample
    bool exact = false;           ///< read the whole table in place of a sample
};

/// Prints the number of partitions, rows and bytes of a table, and the partitions with the most rows.
int stats(stats_options const& o, console& c);

}  // namespace tablemap::inline v0_1::command

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/store/store.hpp"

#include <optional>
#include <string>

namespace tablemap::inline v0_1::page {

/// The part of a table that a page shows.
struct row_place {
    std::string table{};
    std::optional<std::string> partition{};  ///< nothing: all rows
    std::optional<std::string> after{};      ///< partitions behind this key; nothing: from the first one on
    std::string cursor{};                    ///< where rows go on; empty: at the beginning
};

/// Up to 25 partitions of a table, with a link to those behind them.
///
/// \par Round trips
/// One for each partition.
std::string partitions_page(store_ptr const& store, row_place const& at);

/// Up to 50 rows, with a link to those behind them. At most 40 properties have columns.
std::string rows_page(store_ptr const& store, row_place const& at);

}  // namespace tablemap::page

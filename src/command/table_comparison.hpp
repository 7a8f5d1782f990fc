// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "command/console.hpp"

#include "tablemap/mapping/dynamic.hpp"
#include "tablemap/table/table.hpp"

#include <cstddef>
#include <optional>

namespace tablemap::inline v0_1::command {

/// The differences between two tables.
struct table_differences {
    std::size_t rows = 0;               ///< of the first
    std::size_t missing = 0;            ///< of those, not in the second
    std::size_t different = 0;          ///< of those, with other properties in the second
    std::size_t extra = 0;              ///< only in the second
    std::optional<entity_key> first{};  ///< the first row that differs

    bool equal() const noexcept { return missing + different + extra == 0; }
};

/// Checks that both stores answer in key order.
///
/// \throws error `library_errc::unsupported`
void require_comparable(table<dynamic_entity> const& a, table<dynamic_entity> const& b);

/// Reads both tables in the order of their keys and compares their rows, two pages at a time in memory.
///
/// \pre `require_comparable` holds
/// \throws error those of the stores
table_differences compare_tables(table<dynamic_entity> const& a, table<dynamic_entity> const& b, console& c);

}  // namespace tablemap::inline v0_1::command

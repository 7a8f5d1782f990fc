// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "support/bulk_rows.hpp"
#include "support/random.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <unordered_map>
#include <vector>

namespace tablemap::test {

/// Items of so many partitions, mixed up.
inline std::vector<bulk_item> mixed_items(std::size_t rows, std::size_t partitions, random_source& random) {
    std::vector<bulk_item> items;
    items.reserve(rows);
    for (std::size_t i = 0; i < rows; ++i)
        items.push_back({"p" + std::to_string(i % partitions), std::to_string(i), static_cast<std::int32_t>(i)});
    for (std::size_t i = rows; i > 1; --i) std::swap(items[i - 1], items[random.below(i)]);
    return items;
}

/// The ledger tells what the table holds: all that is stored, with its value, nothing that is not, and of what is in
/// doubt either.
inline void expect_ledger_tells(bulk_report const& report, std::vector<bulk_item> const& rows,
                                table<bulk_item> const& items) {
    ASSERT_EQ(report.ledger.rows(), rows.size());
    std::unordered_map<std::string, bulk_item> held;
    for (auto const& e : items.scan()) held.emplace(e.value.partition + "/" + e.value.row, e.value);
    std::size_t wrong = 0, in_doubt_and_held = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        auto const at = held.find(rows[i].partition + "/" + rows[i].row);
        bool const there = at != held.end() && at->second == rows[i];
        auto const s = report.ledger.state(i);
        if (s == row_state::in_doubt)
            in_doubt_and_held += there ? 1 : 0;
        else if (there != (s == row_state::stored))
            ++wrong;
    }
    EXPECT_EQ(wrong, 0u);
    EXPECT_EQ(held.size(), report.totals.stored + in_doubt_and_held) << "nothing else is in the table";
}

}  // namespace tablemap::test

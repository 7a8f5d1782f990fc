// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/mapping/dynamic.hpp"
#include "tablemap/table/table.hpp"

#include <cstddef>
#include <utility>
#include <vector>

namespace tablemap::inline v0_1::command {

/// Checks some of the rows that a ledger calls stored, so that a table that was deleted since is noticed.
class stored_check {
public:
    explicit stored_check(table<dynamic_entity> t) : table_(std::move(t)) {}

    /// \throws usage_error if a row is not there
    void add(dynamic_entity const& row);

    /// Looks for the rows that still wait, the last one among them.
    ///
    /// \throws usage_error as `add`
    void finish();

private:
    void look();

    table<dynamic_entity> table_;
    std::size_t count_ = 0;
    dynamic_entity last_{};
    std::vector<key_of<dynamic_entity>> waiting_{};
};

}  // namespace tablemap::inline v0_1::command

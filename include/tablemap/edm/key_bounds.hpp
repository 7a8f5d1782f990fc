// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/base/utf.hpp"

#include <optional>
#include <string_view>

namespace tablemap::inline v0_1 {

/// Bounds of a key, in UTF-16 code unit order. Unset ends are open.
struct key_bounds {
    std::optional<std::string_view> from{};
    std::optional<std::string_view> to{};
    bool from_inclusive = true;
    bool to_inclusive = false;

    static key_bounds exactly(std::string_view key) noexcept;
    bool is_exact() const noexcept;

    bool holds(std::string_view key) const noexcept;

    friend bool operator==(key_bounds const& a, key_bounds const& b);
};

/// Bounds of the rows of a page, by both keys.
struct page_bounds {
    key_bounds partition{};
    key_bounds row{};

    bool hold(std::string_view partition_key, std::string_view row_key) const noexcept {
        return partition.holds(partition_key) && row.holds(row_key);
    }
};

}  // namespace tablemap

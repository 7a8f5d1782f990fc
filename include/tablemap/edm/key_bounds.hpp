// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>

namespace tablemap {

/// Bounds of a key, in UTF-16 code unit order. Unset ends are open.
struct key_bounds {
    std::optional<std::string_view> from{};
    std::optional<std::string_view> to{};
    bool from_inclusive = true;
    bool to_inclusive = false;

    static key_bounds exactly(std::string_view key) noexcept { return {key, key, true, true}; }
    bool is_exact() const noexcept { return from && to && *from == *to && from_inclusive && to_inclusive; }

    friend bool operator==(key_bounds const&, key_bounds const&) = default;
};

}  // namespace tablemap

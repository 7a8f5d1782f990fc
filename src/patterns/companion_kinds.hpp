// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string_view>
#include <utility>

namespace tablemap::inline v0_1 {

inline constexpr std::string_view outbox_kind = "rows of the outbox";

/// The rows that the library keeps beside entities, by the beginning of their row keys.
inline constexpr std::array<std::pair<std::string_view, std::string_view>, 6> companion_kinds{{
    {"~outbox_", outbox_kind},
    {"~index_", "changes on their way to indexes in other tables"},
    {"~list", "rows of index entities"},
    {"~large_", "permits of large members"},
    {"~moved_", "traces of moved entities"},
    {"~guard_", "guards of unique values"},
}};

/// The kind of a row that the library keeps beside entities; empty for others.
constexpr std::string_view companion_kind(std::string_view row_key) noexcept {
    for (auto const& [beginning, kind] : companion_kinds)
        if (row_key.starts_with(beginning)) return kind;
    return {};
}

}  // namespace tablemap

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace tablemap::inline v0_1::detail {

/// The bytes of the character that begins a text, if it turns the direction of what follows; 0 for another.
constexpr std::size_t turning_bytes(std::string_view text) noexcept {
    constexpr std::array<std::string_view, 12> all{"\u061C", "\u200E", "\u200F", "\u202A", "\u202B", "\u202C",
                                                   "\u202D", "\u202E", "\u2066", "\u2067", "\u2068", "\u2069"};
    for (auto const character : all)
        if (text.starts_with(character)) return character.size();
    return 0;
}

}  // namespace tablemap::detail

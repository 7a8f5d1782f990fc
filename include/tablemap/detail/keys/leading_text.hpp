// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/keys/key_members.hpp"

#include <array>
#include <cstddef>
#include <string_view>

/// The text that every key of a template begins with.
namespace tablemap::inline v0_1::detail {

/// The number of literals that a key begins with.
template <std::size_t N> constexpr std::size_t count_leading(std::array<part_layout, N> const& parts) {
    std::size_t count = 0;
    while (count < N && parts[count].kind == part_kind::literal) ++count;
    return count;
}

template <auto const& Key, std::size_t Literals> constexpr auto join_leading() {
    constexpr auto size = [] {
        std::size_t sum = 0;
        for (std::size_t i = 0; i < Literals; ++i) sum += Key.layouts[i].width;
        return sum;
    }();
    std::array<char, size> text{};
    auto* at = text.data();
    for (std::size_t i = 0; i < Literals; ++i)
        for (char const c : Key.layouts[i].literal) *at++ = c;
    return text;
}
template <auto const& Key, std::size_t Literals> inline constexpr auto joined_leading = join_leading<Key, Literals>();

template <auto const& Key> constexpr std::string_view find_leading_text() {
    constexpr auto literals = count_leading(Key.layouts);
    if constexpr (literals == 0)
        return {};
    else if constexpr (literals == 1)
        return Key.layouts[0].literal;
    else
        return {joined_leading<Key, literals>.data(), joined_leading<Key, literals>.size()};
}

template <auto const& Key> inline constexpr std::string_view leading_text = find_leading_text<Key>();

}  // namespace tablemap::detail

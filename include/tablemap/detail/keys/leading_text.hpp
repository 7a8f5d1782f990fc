// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/keys/key_members.hpp"

#include <array>
#include <cstddef>
#include <string_view>
#include <tuple>

/// The text that every key of a template begins with.
namespace tablemap::detail {

/// Calls `visit` with each literal that a key begins with.
template <class... Parts, class Visit> constexpr void visit_leading(key_template<Parts...> const& key, Visit visit) {
    bool leading = true;
    auto const part = [&]<class Part>(Part const& p) {
        if constexpr (is_literal_part<Part>) {
            if (leading) visit(p.view());
        } else {
            leading = false;
        }
    };
    std::apply([&](auto const&... p) { (part(p), ...); }, key.parts);
}

template <auto const& Key> constexpr std::size_t leading_size() {
    std::size_t size = 0;
    visit_leading(Key, [&](std::string_view s) { size += s.size(); });
    return size;
}

template <auto const& Key> constexpr auto make_leading_text() {
    std::array<char, leading_size<Key>()> text{};
    std::size_t at = 0;
    visit_leading(Key, [&](std::string_view s) {
        for (char const c : s) text[at++] = c;
    });
    return text;
}
template <auto const& Key> inline constexpr auto leading_text_storage = make_leading_text<Key>();
template <auto const& Key>
inline constexpr std::string_view leading_text{leading_text_storage<Key>.data(), leading_text_storage<Key>.size()};

}  // namespace tablemap::detail

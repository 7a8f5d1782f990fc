// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/keys/key_codec.hpp"

#include <string>
#include <string_view>

/// Keys of one member, to see what a part becomes.
namespace tablemap::test {

template <class V> struct one { V value{}; };

template <class V> inline constexpr auto part_of = part<&one<V>::value>;

/// The key of a value.
template <class Key, class V> result<std::string> make(Key const& k, V const& value) {
    std::string text;
    if (auto r = detail::make_key(text, k, [&](auto const&) -> V const& { return value; }); !r)
        return failure{r.error()};
    return text;
}

/// The value that a key holds.
template <class V, class Key> result<V> read(Key const& k, std::string_view text) {
    V value{};
    if (auto r = detail::read_key(text, k, [&](auto const&) -> V& { return value; }); !r) return failure{r.error()};
    return value;
}

/// The key of a value, or what is wrong with it, if it is read back as the same value.
template <class Key, class V> std::string form_of(Key const& k, V const& value) {
    auto const made = make(k, value);
    if (!made) return made.error().what();
    auto const again = read<V>(k, *made);
    if (!again) return *made + ": " + again.error().what();
    return *again == value ? *made : *made + ": read as another value";
}

}  // namespace tablemap::test

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/base/guid.hpp"
#include "tablemap/base/ticks.hpp"

#include <concepts>
#include <cstddef>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

namespace tablemap::inline v0_1 {
template <class T> class key_of;
template <class T> struct entity;
template <class T> struct mapping;
}  // namespace tablemap

/// Calls that take a key also take its values one after the other: `find("Sales", 212)` is `find({"Sales", 212})`.
namespace tablemap::inline v0_1::detail {

template <class Key, class... Arguments> inline constexpr bool begins_with = false;
template <class Key, class First, class... Rest>
inline constexpr bool begins_with<Key, First, Rest...> = std::same_as<std::remove_cvref_t<First>, Key>;

/// True if the arguments begin with the values of a key and not with the key itself.
template <class Key, class... Arguments>
concept key_in_values = !begins_with<Key, Arguments...>;

/// True for types that tell a whole key, and not one value of it: a key, a mapped struct, an entity.
template <class A> inline constexpr bool is_key_whole = requires { mapping<A>::row_key; };
template <class U> inline constexpr bool is_key_whole<key_of<U>> = true;
template <class U> inline constexpr bool is_key_whole<entity<U>> = true;

/// A key made of values. That of a variant is made of the key of one of its types.
template <class Key>
concept made_of_values = requires {
    typename Key::values_type;
};

/// Refuses these in the place of the values.
template <class First, bool MadeOfValues> constexpr bool check_key_value() {
    constexpr bool values = !is_key_whole<First> || !MadeOfValues;
    static_assert(values, "tablemap[K7]: this is the key of another type, a value or an entity, and no value of this "
                          "table's key; pass the key's values, find(\"Sales\", 212), or key_of<T>::of(value)");
    return true;
}

/// The number of values that make a key.
template <class Key> constexpr std::size_t count_key_values() {
    if constexpr (made_of_values<Key>)
        return std::tuple_size_v<typename Key::values_type>;
    else
        return 1;
}

/// True for a type that can only be a value of a key, and no other argument of a call.
template <class A>
inline constexpr bool is_key_value =
    std::is_arithmetic_v<A> || std::is_enum_v<A> || std::convertible_to<A, std::string_view> || std::same_as<A, guid> ||
    std::same_as<A, ticks>;

/// True if the values are fewer than `Count`, or if one more follows them.
template <std::size_t Count, class... Arguments> constexpr bool is_wrong_number() {
    constexpr bool values[]{is_key_value<std::remove_cvref_t<Arguments>>..., false};
    return sizeof...(Arguments) < Count || values[Count];
}

/// True if nothing follows the values of a key, or if their number is wrong: the key's constructor says so then.
template <class Key, class... Arguments> constexpr bool is_key_alone() {
    constexpr auto count = count_key_values<Key>();
    static_assert((check_key_value<std::remove_cvref_t<Arguments>, made_of_values<Key>>() && ...));
    return is_wrong_number<count, Arguments...>() || sizeof...(Arguments) == count;
}

/// Calls `call` with a key of the first arguments, and with the others.
template <class Key, class Call, class... Arguments>
decltype(auto) with_key(Call const& call, Arguments&&... arguments) {
    if constexpr (is_key_alone<Key, Arguments...>()) {
        return call(Key(std::forward<Arguments>(arguments)...));
    } else {
        constexpr auto count = count_key_values<Key>();
        auto all = std::forward_as_tuple(std::forward<Arguments>(arguments)...);
        return [&]<std::size_t... V, std::size_t... R>(std::index_sequence<V...>, std::index_sequence<R...>)
            ->decltype(auto) {
            return call(Key(std::get<V>(std::move(all))...), std::get<count + R>(std::move(all))...);
        }
        (std::make_index_sequence<count>{}, std::make_index_sequence<sizeof...(Arguments) - count>{});
    }
}

}  // namespace tablemap::detail

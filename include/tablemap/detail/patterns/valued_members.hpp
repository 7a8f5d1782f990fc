// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/mapping/index_check.hpp"
#include "tablemap/detail/patterns/valued_write.hpp"
#include "tablemap/detail/reflect/name.hpp"
#include "tablemap/mapping/decode.hpp"

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

/// The values of members whose values have rows of their own: `unique_value`, `index_entity`. Such an item has a name
/// and a member; a value of it has a key, in which the name stands before the value.
namespace tablemap::inline v0_1::detail {

// ---- keys -----------------------------------------------------------------------------------------------------------

/// The text before the name in the literal.
template <class Item> constexpr std::string_view value_prefix() {
    if constexpr (requires { Item::prefix; })
        return Item::prefix;
    else
        return {};
}

/// The literal that the keys of an item's rows begin with.
template <class Item> struct value_beginning {
    static constexpr auto text = [] {
        std::array<char, value_prefix<Item>().size() + Item::name.size() + 1> t{};
        std::size_t at = 0;
        for (char const c : value_prefix<Item>()) t[at++] = c;
        for (char const c : Item::name) t[at++] = c;
        t[at] = '=';
        return t;
    }();
    constexpr std::string_view as_key_part() const { return {text.data(), text.size()}; }
};

/// The form of a member that takes every value.
template <auto Member> constexpr auto make_value_part() {
    using form = typename member_part<Member>::form_type;
    if constexpr (std::is_same_v<form, std::string>)
        return part<Member>.escaped();
    else if constexpr (std::is_same_v<form, double>)
        return part<Member>.ordered();
    else
        return part<Member>;
}

template <class Item>
inline constexpr auto value_key_of = key(value_beginning<Item>{}, make_value_part<Item::member>());

// ---- names ----------------------------------------------------------------------------------------------------------

constexpr bool is_value_name(std::string_view name) {
    for (char const c : name) {
        bool const letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
        if (!letter && !(c >= '0' && c <= '9') && c != '_' && c != '-') return false;
    }
    return !name.empty();
}

template <class... Items> constexpr bool have_own_value_names() {
    constexpr std::array<std::string_view, sizeof...(Items)> names{Items::name...};
    for (std::size_t i = 0; i < names.size(); ++i)
        for (std::size_t k = 0; k < i; ++k)
            if (names[i] == names[k]) return false;
    return true;
}

/// The number of the item of this name; the number of all if there is none.
template <fixed_string Name, class... Items> constexpr std::size_t find_valued() {
    std::size_t at = 0;
    static_cast<void>(((Items::name == Name.view() ? true : (++at, false)) || ...));
    return at;
}

// ---- the values of an entity ----------------------------------------------------------------------------------------

/// The value that a member has, in the form of keys, behind the name. Errors: as `make_key`.
template <class Item, class Value> result<void> make_value_key(std::string& out, Value const& value) {
    auto const get = [&](auto const&) -> auto const& { return value; };
    return make_key(out, value_key_of<Item>, get);
}

/// `Stored`: a value that no key can hold was written by somebody else, and counts as none.
template <class Item, bool Stored, class T> result<void> add_value_key(T const& value, std::string& to) {
    if (!has_part<part_at<value_key_of<Item>, 1>>(value)) return {};
    auto made = make_value_key<Item>(to, value.*Item::member);
    if (made || !Stored) return made;
    to.clear();
    return {};
}

template <bool Stored, class T, class... Items> result<value_keys> value_keys_of(T const& value) {
    value_keys keys(sizeof...(Items));
    std::size_t at = 0;
    result<void> r;
    static_cast<void>(((r = add_value_key<Items, Stored>(value, keys[at++])).has_value() && ...));
    if (!r) return failure{std::move(r).error()};
    return keys;
}

template <class T, class... Items>
result<value_keys> value_keys_of_row(std::string& row, property_cipher const* cipher) {
    entity<T> e;
    reading const how{.partial = true, .cipher = needed_for(row, cipher)};
    if (auto r = read_row(row, target_of(e), row_types<T>::list, how); !r) return failure{std::move(r).error()};
    return value_keys_of<true, T, Items...>(e.value);
}

/// The values that an entity has once it is stored: a converter may change them.
template <class T, class... Items>
result<value_keys> value_keys_once_stored(T const& value, property_cipher const* cipher) {
    auto keys = value_keys_of<false, T, Items...>(value);
    if constexpr (!(value_ops_of<member_type<Items::member>>.exact && ...)) {
        if (!keys) return keys;
        encoded_entity stored;
        if (auto r = encode(value, stored, empty_members::left_out, cipher); !r) return failure{std::move(r).error()};
        return value_keys_of_row<T, Items...>(stored.body, cipher);
    }
    return keys;
}

/// The entities of a page with their values, and the rows that cannot be read.
template <class T, class... Items>
result<valued_page> read_valued_page(std::string& page, property_cipher const* cipher) {
    valued_page found;
    std::vector<entity<T>> read;
    std::vector<bad_row_at> bad;
    auto const rows = decode_page(page, read, bad, false, cipher);
    if (!rows) return failure{rows.error()};
    found.rows = *rows;
    for (auto& b : bad) found.unreadable.push_back(std::move(b.row));
    for (auto& e : read) {
        auto& one = found.entities.emplace_back();
        if (auto r = encode_keys(e.value, one.key.partition_key, one.key.row_key); !r) return failure{r.error()};
        one.values = value_or_throw(value_keys_of<true, T, Items...>(e.value));
    }
    return found;
}

template <class... Items> inline constexpr std::array<std::string_view, sizeof...(Items)> value_names{Items::name...};

template <class T, class... Items>
inline constexpr valued_type valued_type_of{value_names<Items...>, &value_keys_of_row<T, Items...>,
                                            &read_valued_page<T, Items...>};

}  // namespace tablemap::detail

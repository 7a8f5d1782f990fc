// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/mapping/index_check.hpp"
#include "tablemap/detail/patterns/unique_rows.hpp"
#include "tablemap/detail/patterns/unique_write.hpp"
#include "tablemap/mapping/variant.hpp"
#include "tablemap/patterns/unique_value.hpp"

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

/// The rules of unique values, checked at compile time, and the keys of their reservations.
namespace tablemap::inline v0_1::detail {

// ---- keys -----------------------------------------------------------------------------------------------------------

/// The literal that the keys of a unique value's reservations begin with.
template <class Unique> struct unique_beginning {
    static constexpr auto text = [] {
        std::array<char, Unique::name.size() + 1> t{};
        std::size_t at = 0;
        for (char const c : Unique::name) t[at++] = c;
        t[at] = '=';
        return t;
    }();
    constexpr std::string_view as_key_part() const { return {text.data(), text.size()}; }
};

/// The form of a member that takes every value.
template <auto Member> constexpr auto make_unique_part() {
    using form = typename member_part<Member>::form_type;
    if constexpr (std::is_same_v<form, std::string>)
        return part<Member>.escaped();
    else if constexpr (std::is_same_v<form, double>)
        return part<Member>.ordered();
    else
        return part<Member>;
}

template <class Unique>
inline constexpr auto unique_key_of = key(unique_beginning<Unique>{}, make_unique_part<Unique::member>());

// ---- checks ---------------------------------------------------------------------------------------------------------

constexpr bool is_unique_name(std::string_view name) {
    for (char const c : name) {
        bool const letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
        if (!letter && !(c >= '0' && c <= '9') && c != '_' && c != '-') return false;
    }
    return !name.empty();
}

template <class U> inline constexpr bool is_unique_value = false;
template <fixed_string Name, auto Member> inline constexpr bool is_unique_value<unique_value<Name, Member>> = true;

/// Puts the member's name into the compiler's "required from" line.
template <auto Member, bool Ignored> constexpr bool check_unique_is_stored() {
    static_assert(!Ignored, "tablemap[P3]: this member is ignored(), so the store does not tell which value an entity "
                            "has; store it, or name another member");
    return !Ignored;
}

template <class T, class Unique> constexpr bool check_unique_value() {
    constexpr bool made = is_unique_value<Unique>;
    static_assert(made, "tablemap[P3]: after its type a table_with_unique_values takes unique_value<\"email\", "
                        "&account::email>; nothing else can stand there");
    if constexpr (made) {
        static_assert(is_unique_name(Unique::name),
                      "tablemap[P3]: the name of a unique value stands in keys, and consists of letters, digits, _ "
                      "and -");
        if constexpr (check_key_template<unique_key_of<Unique>, T, key_role::of_index>())
            return check_unique_is_stored<Unique::member, is_ignored_member<T, Unique::member>()>();
    }
    return false;
}

template <class... Uniques> constexpr bool have_own_unique_names() {
    constexpr std::array<std::string_view, sizeof...(Uniques)> names{Uniques::name...};
    for (std::size_t i = 0; i < names.size(); ++i)
        for (std::size_t k = 0; k < i; ++k)
            if (names[i] == names[k]) return false;
    return true;
}

template <class T> constexpr bool check_type_with_unique_values() {
    constexpr bool single = !is_variant<T> && !std::is_same_v<T, dynamic_entity>;
    static_assert(single, "tablemap[P3]: unique values belong to one struct with a mapping; name that, and use "
                          "table<std::variant<...>> or table<dynamic_entity> on the same table to read it");
    if constexpr (single) {
        if constexpr (check_mapping<T>()) {
            static_assert(!indexed<T>,
                          "tablemap[P3]: this type has indexes, and table_with_unique_values does not keep the rows "
                          "of indexes; leave out the one or the other");
            static_assert(!begin_alike(guard_beginning, leading_text<mapping<T>::row_key>),
                          "tablemap[P3]: the row key begins with a literal of its own, which tells entities and guards "
                          "of reservations apart: key(\"account_\", ...); not with ~guard_");
            return !indexed<T> && !begin_alike(guard_beginning, leading_text<mapping<T>::row_key>);
        }
    }
    return false;
}

template <class T, class... Uniques> constexpr bool check_unique_values() {
    static_assert(sizeof...(Uniques) > 0, "tablemap[P3]: this table has no unique values; name some, "
                                          "unique_value<\"email\", &account::email>, or use table<T>");
    if constexpr (check_type_with_unique_values<T>() && sizeof...(Uniques) > 0)
        if constexpr ((check_unique_value<T, Uniques>() && ...)) {
            static_assert(have_own_unique_names<Uniques...>(),
                          "tablemap[P3]: two unique values have one name; give each its own");
            return have_own_unique_names<Uniques...>();
        }
    return false;
}

/// The number of the unique value of this name; the number of all if there is none.
template <fixed_string Name, class... Uniques> constexpr std::size_t find_unique() {
    std::size_t at = 0;
    static_cast<void>(((Uniques::name == Name.view() ? true : (++at, false)) || ...));
    return at;
}

template <fixed_string Name, class... Uniques> constexpr bool check_unique_is_named() {
    constexpr bool found = find_unique<Name, Uniques...>() < sizeof...(Uniques);
    static_assert(found, "tablemap[P3]: this table has no unique value of this name; name one of its "
                         "unique_value<\"...\", ...>");
    return found;
}

// ---- the values of an entity ----------------------------------------------------------------------------------------

/// The value that a member has, in the form of keys, behind the name. Errors: as `make_key`.
template <class Unique, class Value> result<void> make_unique_key(std::string& out, Value const& value) {
    auto const get = [&](auto const&) -> auto const& { return value; };
    return make_key(out, unique_key_of<Unique>, get);
}

/// `Stored`: a value that no key can hold was written by somebody else, and counts as none.
template <class Unique, bool Stored, class T> result<void> add_unique_key(T const& value, std::string& to) {
    if (!has_part<part_at<unique_key_of<Unique>, 1>>(value)) return {};
    auto made = make_unique_key<Unique>(to, value.*Unique::member);
    if (made || !Stored) return made;
    to.clear();
    return {};
}

template <bool Stored, class T, class... Uniques> result<unique_keys> unique_keys_of_value(T const& value) {
    unique_keys keys(sizeof...(Uniques));
    std::size_t at = 0;
    result<void> r;
    static_cast<void>(((r = add_unique_key<Uniques, Stored>(value, keys[at++])).has_value() && ...));
    if (!r) return failure{std::move(r).error()};
    return keys;
}

template <class T, class... Uniques>
result<unique_keys> unique_keys_of_row(std::string& row, property_cipher const* cipher) {
    entity<T> e;
    reading const how{.partial = true, .cipher = needed_for(row, cipher)};
    if (auto r = read_row(row, target_of(e), row_types<T>::list, how); !r) return failure{std::move(r).error()};
    return unique_keys_of_value<true, T, Uniques...>(e.value);
}

/// The values that an entity has once it is stored: a converter may change them.
template <class T, class... Uniques>
result<unique_keys> unique_keys_once_stored(T const& value, property_cipher const* cipher) {
    auto keys = unique_keys_of_value<false, T, Uniques...>(value);
    if constexpr (!(value_ops_of<member_type<Uniques::member>>.exact && ...)) {
        if (!keys) return keys;
        encoded_entity stored;
        if (auto r = encode(value, stored, empty_members::left_out, cipher); !r) return failure{std::move(r).error()};
        return unique_keys_of_row<T, Uniques...>(stored.body, cipher);
    }
    return keys;
}

/// The entities of a page with their values, and the rows that cannot be read.
template <class T, class... Uniques>
result<unique_page> read_unique_page(std::string& page, property_cipher const* cipher) {
    unique_page found;
    std::vector<entity<T>> read;
    std::vector<bad_row_at> bad;
    auto const rows = decode_page(page, read, bad, false, cipher);
    if (!rows) return failure{rows.error()};
    found.rows = *rows;
    for (auto& b : bad) found.unreadable.push_back(std::move(b.row));
    for (auto& e : read) {
        auto& one = found.entities.emplace_back();
        if (auto r = encode_keys(e.value, one.key.partition_key, one.key.row_key); !r) return failure{r.error()};
        one.values = value_or_throw(unique_keys_of_value<true, T, Uniques...>(e.value));
    }
    return found;
}

template <class... Uniques>
inline constexpr std::array<std::string_view, sizeof...(Uniques)> unique_names{Uniques::name...};

template <class T, class... Uniques>
inline constexpr unique_type unique_type_of{unique_names<Uniques...>, &unique_keys_of_row<T, Uniques...>,
                                            &read_unique_page<T, Uniques...>};

}  // namespace tablemap::detail

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/mapping/index_rows.hpp"
#include "tablemap/mapping/schema.hpp"

#include <array>
#include <cstddef>
#include <string_view>
#include <type_traits>
#include <utility>

/// The rules of indexes, checked at compile time.
namespace tablemap::detail {

/// So many that an entity and, of each, a row to erase and one to write fit into a group transaction of 100 operations.
inline constexpr std::size_t most_indexes = 49;

// ---- one index ------------------------------------------------------------------------------------------------------

/// Gives the compiler's "required from" line the member's name.
template <auto Member, bool IsOpenText, bool Spread> constexpr bool check_member_of_index() {
    static_assert(!IsOpenText,
                  "tablemap[P1]: text in an index that is not unique is followed by the row key; declare the part "
                  "escaped(), so that every value fits and the index sorts by it");
    static_assert(!Spread, "tablemap[P1]: an index lies in the partition of its entities and has no buckets; leave out "
                           "spread<N>");
    return true;
}

template <auto const& Key, bool Unique, std::size_t At> constexpr bool check_index_part() {
    using part_type = std::tuple_element_t<At, std::remove_cvref_t<decltype(Key.parts)>>;
    if constexpr (!is_literal_part<part_type>) {
        constexpr bool open = Key.layouts[At].kind == part_kind::text && Key.layouts[At].form == part_form::plain;
        return check_member_of_index < source_part<part_type>::member, open && !Unique,
               is_spread_part < part_type >> ();
    }
    return true;
}

template <auto Member, class T> constexpr bool check_included() {
    constexpr bool own = is_member_of<Member, T>;
    static_assert(own, "tablemap[P1]: include<...> names members of the entity's own struct");
    if constexpr (own) {
        constexpr bool ignored = options_of<T>[member_index<Member, T>].how == storage::ignored;
        static_assert(!ignored, "tablemap[P1]: this member is ignored(), so there is nothing of it to copy");
        return !ignored;
    }
    return false;
}
template <class T> constexpr bool check_included(all_members) { return true; }
template <class T, auto... Members> constexpr bool check_included(only_t<Members...>) {
    return (check_included<Members, T>() && ...);
}

template <class T, std::size_t I> constexpr bool check_index() {
    using rule = index_rule_of<T, I>;
    constexpr bool condition = std::is_invocable_r_v<bool, decltype(rule::condition) const&, T const&>;
    static_assert(
        condition,
        "tablemap[P1]: where(...) of an index takes a pointer to a bool member, or a function without captures "
        "of T const& that returns bool");
    static_assert(!rule::name.empty(), "tablemap[P1]: an index has a name: index<\"by_email\">(key(...))");
    constexpr bool parts = []<std::size_t... P>(std::index_sequence<P...>) {
        return (check_index_part<given_index_key_of<T, I>, rule::unique, P>() && ...);
    }
    (std::make_index_sequence<given_index_key_of<T, I>.layouts.size()>{});
    if constexpr (condition && parts && check_included<T>(typename rule::copied{}))
        return check_key_template<index_key_of<T, I>, T>();
    else
        return false;
}

// ---- all of them ----------------------------------------------------------------------------------------------------

constexpr bool begin_alike(std::string_view a, std::string_view b) noexcept {
    return a.starts_with(b) || b.starts_with(a);
}

/// True if what the keys of the type's rows and those of each of its indexes begin with tells them apart.
template <class T> constexpr bool have_own_beginnings() {
    constexpr auto indexes = list_index_types<T>();
    for (std::size_t i = 0; i < indexes.size(); ++i) {
        if (begin_alike(indexes[i].row_prefix, leading_text<mapping<T>::row_key>)) return false;
        for (std::size_t k = 0; k < i; ++k)
            if (begin_alike(indexes[i].row_prefix, indexes[k].row_prefix)) return false;
    }
    return true;
}

template <class T> constexpr bool have_own_names() {
    constexpr auto indexes = list_index_types<T>();
    for (std::size_t i = 0; i < indexes.size(); ++i)
        for (std::size_t k = 0; k < i; ++k)
            if (indexes[i].name == indexes[k].name) return false;
    return true;
}

/// Gives the compiler's "required from" line the member's name.
template <class F, auto Where> constexpr bool check_copied_key_member() {
    static_assert(
        is_property_value<F>(),
        "tablemap[P1]: the rows of an index hold the members of the row key as properties, which this one cannot "
        "be; use a member of a type that properties have, such as std::int64_t or std::string");
    return is_property_value<F>();
}

template <class T> constexpr bool check_copied_key_members() {
    return []<class... F, std::size_t... I>(type_list<F...>, std::index_sequence<I...>) {
        return ([] {
            if constexpr (key_uses_of<T, false>[I] == key_use::alone && index_uses_of<T>[I] != key_use::alone)
                return check_copied_key_member<F, address_of_field<T, I>()>();
            else
                return true;
        }() && ...);
    }(field_types<T>{}, std::make_index_sequence<field_count<T>>{});
}

template <class T> constexpr bool check_index_columns() {
    constexpr bool few = index_column_counts_of<T>.columns <= limits::properties;
    static_assert(
        few, "tablemap[P1]: the rows of an index hold the members of the row key as properties, too, and that makes "
             "more than 252; split the struct, or store members with as_json()");
    if constexpr (few) {
        constexpr auto found = find_name_fault(index_column_table_of<T>);
        static_assert(
            found.fault == name_fault::none,
            "tablemap[P1]: the rows of an index hold the members of the row key as properties, too, and one of "
            "them has the name of another property; rename that one");
        return found.fault == name_fault::none;
    }
    return false;
}

template <class T> constexpr bool check_indexes() {
    constexpr bool made = is_index_rules<std::remove_cvref_t<decltype(mapping<T>::indexes)>>;
    static_assert(made, "tablemap[P1]: indexes is static constexpr and made by tablemap::indexes(...)");
    if constexpr (made) {
        static_assert(
            count_indexes<T>() <= most_indexes,
            "tablemap[P1]: a type has at most 49 indexes, so that an entity and its rows in all of them fit into "
            "one group transaction; declare fewer");
        constexpr bool each = []<std::size_t... I>(std::index_sequence<I...>) { return (check_index<T, I>() && ...); }
        (std::make_index_sequence<count_indexes<T>()>{});
        if constexpr (each && check_copied_key_members<T>()) {
            static_assert(have_own_names<T>(), "tablemap[P1]: two indexes have one name; give each its own");
            static_assert(
                have_own_beginnings<T>(),
                "tablemap[P1]: the row key and the key of each index begin with a literal of their own, none the "
                "beginning of another's, which tells their rows apart: key(\"empid_\", ...), key(\"email_\", ...)");
            return check_index_columns<T>();
        }
    }
    return false;
}

}  // namespace tablemap::detail

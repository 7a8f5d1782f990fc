// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/mapping/index_rows.hpp"
#include "tablemap/detail/mapping/schema.hpp"

#include <array>
#include <cstddef>
#include <string_view>
#include <type_traits>
#include <utility>

/// The rules of indexes, checked at compile time.
namespace tablemap::inline v0_1::detail {

/// An entity and, of each index, a row to erase and one to write must fit into a group transaction of 100 operations.
inline constexpr std::size_t most_indexes = 49;

// ---- one index ------------------------------------------------------------------------------------------------------

/// Puts the member's name into the compiler's "required from" line.
template <auto Member, bool IsOpenText, bool IsOpenNumber, bool Spread, bool Generated>
constexpr bool check_member_of_index() {
    static_assert(!IsOpenText,
                  "tablemap[P1]: text in an index that is not unique is followed by the row key; declare the part "
                  "escaped(), so that every value fits and the index sorts by it");
    static_assert(!IsOpenNumber,
                  "tablemap[P1]: an index that is not unique gives entities in the order of its values, in which this "
                  "number does not sort (10 before 9); declare the part width(n) or ordered()");
    static_assert(!Spread, "tablemap[P1]: an index lies in the partition of its entities and has no buckets; leave out "
                           "spread<N>");
    static_assert(!Generated,
                  "tablemap[P1]: a generated() part belongs to a partition key or row key, which gets its value "
                  "from it; leave it out of the part of the index");
    return true;
}

template <class T, auto Member> constexpr bool is_ignored_member() {
    if constexpr (is_member_of<Member, T>)
        return options_of<T>[member_index<Member, T>].how == storage::ignored;
    else
        return false;  // another message covers this
}

/// Puts the member's name into the compiler's "required from" line.
template <auto Member, bool Ignored> constexpr bool check_member_is_stored() {
    static_assert(!Ignored,
                  "tablemap[P1]: this member is ignored(), so the store does not tell which row an entity has in the "
                  "index; leave it out of the index's key, or store it");
    return !Ignored;
}

template <class T, auto const& Key, bool Unique, std::size_t At> constexpr bool check_index_part() {
    using part_type = part_at<Key, At>;
    if constexpr (!is_literal_part<part_type>) {
        constexpr auto member = source_part<part_type>::member;
        constexpr auto layout = Key.layouts[At];
        constexpr bool open = !Unique && layout.form == part_form::plain;
        constexpr bool text = open && layout.kind == part_kind::text;
        constexpr bool number = open && layout.kind == part_kind::number;
        constexpr bool spread = is_spread_part<part_type>;
        constexpr bool generated = layout.generated;
        return check_member_of_index<member, text, number, spread, generated>() &&
               check_member_is_stored<member, is_ignored_member<T, member>()>();
    }
    return true;
}

template <auto Member, class T> constexpr bool check_included() {
    constexpr bool own = is_member_of<Member, T>;
    static_assert(own, "tablemap[P1]: include<...> names members of the entity's own struct");
    if constexpr (own) {
        constexpr bool ignored = is_ignored_member<T, Member>();
        static_assert(!ignored, "tablemap[P1]: this member is ignored(), so there is nothing of it to copy");
        return !ignored;
    }
    return false;
}
template <class T> constexpr bool check_included(all_members) { return true; }
template <class T, auto... Members> constexpr bool check_included(only_t<Members...>) {
    return (check_included<Members, T>() && ...);
}

/// A function may read every member; ignored ones are not checked.
template <auto Member, bool Ignored> constexpr bool check_condition_is_stored() {
    static_assert(!Ignored,
                  "tablemap[P1]: this member is ignored(), so the store does not tell which entities have a row in "
                  "the index; store it, or choose by another member");
    return !Ignored;
}
template <class T, std::size_t I> constexpr bool check_condition() {
    constexpr auto condition = std::get<I>(mapping<T>::indexes.rules).condition;
    if constexpr (std::is_member_object_pointer_v<std::remove_cv_t<decltype(condition)>>)
        return check_condition_is_stored<condition, is_ignored_member<T, condition>()>();
    return true;
}

/// A number is no condition, though it converts to bool.
template <class Condition, class T> constexpr bool is_index_condition() {
    if constexpr (std::is_invocable_v<Condition const&, T const&>)
        return std::is_same_v<std::remove_cvref_t<std::invoke_result_t<Condition const&, T const&>>, bool>;
    else
        return false;
}

template <class T, std::size_t I> constexpr bool check_index() {
    using rule = index_rule_of<T, I>;
    constexpr bool condition = is_index_condition<decltype(rule::condition), T>();
    static_assert(
        condition,
        "tablemap[P1]: where(...) of an index takes a pointer to a bool member, or a function without captures "
        "of T const& that returns bool");
    static_assert(!rule::name.empty(), "tablemap[P1]: an index has a name: index<\"by_email\">(key(...))");
    constexpr bool chooses = given_members_of<given_index_key_of<T, I>>::size > 0 ||
                             !std::is_same_v<decltype(rule::condition), every_entity>;
    static_assert(chooses,
                  "tablemap[P1]: the key of an index holds a member, key(\"email_\", part<&employee::email>), unless "
                  "where(...) chooses which entities have a row in it");
    constexpr bool parts = []<std::size_t... P>(std::index_sequence<P...>) {
        return (check_index_part<T, given_index_key_of<T, I>, rule::unique, P>() && ...);
    }
    (std::make_index_sequence<given_index_key_of<T, I>.layouts.size()>{});
    if constexpr (condition && chooses && parts && check_included<T>(typename rule::copied{}) &&
                  check_condition<T, I>())
        return check_key_template<index_key_of<T, I>, T, key_role::of_index>();
    else
        return false;
}

// ---- all of them ----------------------------------------------------------------------------------------------------

/// True if the beginnings of keys distinguish the type's rows from those of each of its indexes.
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

/// True if every value of the part can be stored in the property of a number.
constexpr bool fits_property(part_layout const& p) {
    bool const alone = is_readable(p) && !p.also_stored;
    return !alone || p.kind != part_kind::number || p.is_signed || p.high < sign_bit;
}

/// Puts the member's name into the compiler's "required from" line.
template <auto Member, bool Fits> constexpr bool check_fits_property() {
    static_assert(
        Fits, "tablemap[P1]: the rows of an index hold the members of the row key as properties, too, and this one has "
              "values above 2^63 - 1, which no property holds; declare a range(low, high) below, or a width() of "
              "18 at most");
    return Fits;
}

/// The members of the row key are properties in the rows of indexes.
template <class T> constexpr bool check_row_key_fits() {
    constexpr auto const& key = mapping<T>::row_key;
    return []<std::size_t... P>(std::index_sequence<P...>) {
        return ([] {
            using part_type = part_at<mapping<T>::row_key, P>;
            if constexpr (is_literal_part<part_type>)
                return true;
            else
                return check_fits_property<source_part<part_type>::member, fits_property(key.layouts[P])>();
        }() && ...);
    }
    (std::make_index_sequence<key.layouts.size()>{});
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
    constexpr bool made =
        is_index_rules<std::remove_cvref_t<decltype(mapping<T>::indexes)>> && has_constant_indexes<mapping<T>>;
    static_assert(made, "tablemap[P1]: indexes is static constexpr and made by tablemap::indexes(...)");
    if constexpr (made) {
        static_assert(
            count_indexes<T>() <= most_indexes,
            "tablemap[P1]: a type has at most 49 indexes, so that an entity and its rows in all of them fit into "
            "one group transaction; declare fewer");
        constexpr bool each = []<std::size_t... I>(std::index_sequence<I...>) { return (check_index<T, I>() && ...); }
        (std::make_index_sequence<count_indexes<T>()>{});
        if constexpr (each) {
            static_assert(have_own_names<T>(), "tablemap[P1]: two indexes have one name; give each its own");
            static_assert(
                have_own_beginnings<T>(),
                "tablemap[P1]: the row key and the key of each index begin with a literal of their own, none the "
                "beginning of another's, which tells their rows apart: key(\"empid_\", ...), key(\"email_\", ...)");
            return check_row_key_fits<T>() && check_index_columns<T>();
        }
    }
    return false;
}

}  // namespace tablemap::detail

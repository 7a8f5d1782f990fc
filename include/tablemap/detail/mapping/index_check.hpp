// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/mapping/elsewhere_check.hpp"
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

template <class T, std::size_t I> constexpr bool check_condition() {
    constexpr auto condition = std::get<I>(mapping<T>::indexes.rules).condition;
    if constexpr (std::is_member_object_pointer_v<std::remove_cv_t<decltype(condition)>>)
        return check_condition_is_stored<condition, is_ignored_member<T, condition>()>();
    return true;
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
            if constexpr (count_elsewhere<T>() > 0)
                return check_all_elsewhere<T>() && check_key_fits<mapping<T>::row_key>() && check_index_columns<T>();
            else
                return check_key_fits<mapping<T>::row_key>() && check_index_columns<T>();
        }
    }
    return false;
}

}  // namespace tablemap::detail

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/mapping/index_rows.hpp"
#include "tablemap/detail/mapping/schema.hpp"

#include <cstddef>
#include <type_traits>
#include <utility>

/// The rules that indexes in the partition and elsewhere share, checked at compile time.
namespace tablemap::inline v0_1::detail {

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
/// A number is no condition, though it converts to bool.
template <class Condition, class T> constexpr bool is_index_condition() {
    if constexpr (std::is_invocable_v<Condition const&, T const&>)
        return std::is_same_v<std::remove_cvref_t<std::invoke_result_t<Condition const&, T const&>>, bool>;
    else
        return false;
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

/// The members of this key are properties in the rows of indexes.
template <auto const& Key> constexpr bool check_key_fits() {
    return []<std::size_t... P>(std::index_sequence<P...>) {
        return ([] {
            using part_type = part_at<Key, P>;
            if constexpr (is_literal_part<part_type>)
                return true;
            else
                return check_fits_property<source_part<part_type>::member, fits_property(Key.layouts[P])>();
        }() && ...);
    }
    (std::make_index_sequence<Key.layouts.size()>{});
}

}  // namespace tablemap::detail

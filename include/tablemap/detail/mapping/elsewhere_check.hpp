// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/mapping/index_parts_check.hpp"

#include <array>
#include <cstddef>
#include <string_view>
#include <type_traits>
#include <utility>

/// The rules of indexes in other partitions and tables, checked at compile time.
namespace tablemap::inline v0_1::detail {

/// An intent names at most two rows of each index elsewhere, with three properties for each.
inline constexpr std::size_t most_elsewhere = 40;

/// True for 3 to 63 letters and digits that begin with a letter, which the service takes for the name of a table.
constexpr bool is_table_name(std::string_view name) {
    auto const is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
    if (name.size() < 3 || name.size() > 63 || !is_letter(name[0])) return false;
    for (char const c : name)
        if (!is_letter(c) && (c < '0' || c > '9')) return false;
    return true;
}

/// Puts the member's name into the compiler's "required from" line.
template <auto Member, bool Spread, bool Generated> constexpr bool check_member_elsewhere() {
    static_assert(!Spread, "tablemap[P3]: the partition of a row elsewhere follows from the values of its key alone, "
                           "and buckets are not looked up; leave out spread<N>");
    static_assert(!Generated, "tablemap[P3]: a generated() part belongs to a partition key or row key, which gets its "
                              "value from it; leave it out of the part of the index");
    return !Spread && !Generated;
}

template <class T, auto const& Key, std::size_t At, bool Buckets> constexpr bool check_partition_part_elsewhere() {
    using part_type = part_at<Key, At>;
    if constexpr (!is_literal_part<part_type>) {
        constexpr auto member = source_part<part_type>::member;
        constexpr bool spread = is_spread_part<part_type> && !Buckets;
        return check_member_elsewhere<member, spread, Key.layouts[At].generated>() &&
               check_member_is_stored<member, is_ignored_member<T, member>()>();
    }
    return true;
}

template <class T, std::size_t J> constexpr bool check_keys_elsewhere() {
    constexpr bool partition = []<std::size_t... P>(std::index_sequence<P...>) {
        return (check_partition_part_elsewhere<T, elsewhere_partition_key_of<T, J>, P, is_expiry_index<T, J>>() && ...);
    }
    (std::make_index_sequence<elsewhere_partition_key_of<T, J>.layouts.size()>{});
    constexpr bool row = []<std::size_t... P>(std::index_sequence<P...>) {
        return (check_index_part<T, given_elsewhere_key_of<T, J>, false, P>() && ...);
    }
    (std::make_index_sequence<given_elsewhere_key_of<T, J>.layouts.size()>{});
    if constexpr (partition && row)
        return check_key_template<elsewhere_partition_key_of<T, J>, T, key_role::of_index>() &&
               check_key_template<elsewhere_row_key_of<T, J>, T, key_role::of_index>();
    else
        return false;
}

template <class T, std::size_t J> constexpr bool check_condition_elsewhere() {
    constexpr auto condition = std::get<J>(mapping<T>::indexes.elsewhere).condition;
    if constexpr (std::is_member_object_pointer_v<std::remove_cv_t<decltype(condition)>>)
        return check_condition_is_stored<condition, is_ignored_member<T, condition>()>();
    return true;
}

template <class T, std::size_t J> constexpr bool check_elsewhere() {
    using rule = elsewhere_rule_of<T, J>;
    constexpr bool condition = is_index_condition<decltype(rule::condition), T>();
    static_assert(condition, "tablemap[P3]: where(...) of an index takes a pointer to a bool member, or a function "
                             "without captures of T const& that returns bool");
    static_assert(!rule::name.empty(), "tablemap[P3]: an index has a name, the first argument of index_in");
    constexpr bool named = rule::table.empty() || is_table_name(rule::table);
    static_assert(named, "tablemap[P3]: the second argument of index_in is the name of a table, 3 to 63 letters and "
                         "digits that begin with a letter; leave it out for the table of the entities");
    constexpr bool begins = !leading_text<given_elsewhere_key_of<T, J>>.empty();
    static_assert(begins, "tablemap[P3]: the row key of an index elsewhere begins with a literal, which tells its rows "
                          "from others in the same table: the second key of index_in");
    constexpr bool open = rule::table.empty() || !copies_sealed_elsewhere<T, J>;
    static_assert(open, "tablemap[P3]: an encrypted value is bound to its table, so it is not copied to another one; "
                        "leave the member out of include<...>, or leave out the name of the table");
    if constexpr (condition && named && begins && open && check_included<T>(typename rule::copied{}) &&
                  check_condition_elsewhere<T, J>())
        return check_keys_elsewhere<T, J>();
    else
        return false;
}

// ---- all of them ----------------------------------------------------------------------------------------------------

/// True if the beginnings of row keys tell the rows of all indexes, those for relays and the entities apart.
template <class T> constexpr bool have_own_beginnings_elsewhere() {
    constexpr auto prefixes = index_prefixes_of<T>;
    for (std::size_t i = 0; i < prefixes.size(); ++i) {
        if (begin_alike(prefixes[i], leading_text<mapping<T>::row_key>)) return false;
        for (std::size_t k = 0; k < i; ++k)
            if (begin_alike(prefixes[i], prefixes[k])) return false;
    }
    return true;
}

template <class T> constexpr bool have_own_names_elsewhere() {
    constexpr auto all = list_elsewhere_types<T>();
    constexpr auto local = list_index_types<T>();
    for (std::size_t i = 0; i < all.size(); ++i) {
        for (auto const& l : local)
            if (all[i].name == l.name) return false;
        for (std::size_t k = 0; k < i; ++k)
            if (all[i].name == all[k].name) return false;
    }
    return true;
}

template <class T> constexpr bool check_elsewhere_columns() {
    constexpr bool few = elsewhere_column_counts_of<T>.columns <= limits::properties;
    static_assert(few, "tablemap[P3]: the rows of an index elsewhere hold the members of both keys as properties, too, "
                       "and that makes more than 252; split the struct, or store members with as_json()");
    if constexpr (few) {
        constexpr auto found = find_name_fault(elsewhere_column_table_of<T>);
        static_assert(found.fault == name_fault::none,
                      "tablemap[P3]: the rows of an index elsewhere hold the members of both keys as properties, too, "
                      "and one of them has the name of another property; rename that one");
        return found.fault == name_fault::none;
    }
    return false;
}

template <class T> constexpr bool check_all_elsewhere() {
    constexpr bool few = count_elsewhere<T>() <= most_elsewhere;
    static_assert(few, "tablemap[P3]: a type has at most 40 indexes elsewhere; declare fewer");
    constexpr bool each = []<std::size_t... J>(std::index_sequence<J...>) { return (check_elsewhere<T, J>() && ...); }
    (std::make_index_sequence<count_elsewhere<T>()>{});
    if constexpr (few && each) {
        static_assert(have_own_names_elsewhere<T>(), "tablemap[P3]: two indexes have one name; give each its own");
        static_assert(have_own_beginnings_elsewhere<T>(),
                      "tablemap[P3]: the row key and the row key of each index begin with a literal of their own, none "
                      "the beginning of another's and none that of ~index_, which tells their rows apart");
        return check_key_fits<mapping<T>::partition_key>() && check_key_fits<mapping<T>::row_key>() &&
               check_elsewhere_columns<T>();
    }
    return false;
}

}  // namespace tablemap::detail

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/patterns/list_core.hpp"
#include "tablemap/detail/patterns/valued_members.hpp"
#include "tablemap/mapping/variant.hpp"

#include <array>
#include <string_view>
#include <type_traits>

/// The rules of index entities, checked at compile time.
namespace tablemap::inline v0_1::detail {

template <class I> inline constexpr bool is_index_entity = false;
template <fixed_string Name, auto Member> inline constexpr bool is_index_entity<index_entity<Name, Member>> = true;
template <fixed_string Name, fixed_string Table, auto Member>
inline constexpr bool is_index_entity<index_entity_in<Name, Table, Member>> = true;

constexpr bool is_name_of_list_table(std::string_view name) {
    return name.size() >= 3 && name.size() <= 63 && is_table_name_prefix(name);
}

/// Puts the member's name into the compiler's "required from" line.
template <auto Member, bool Ignored> constexpr bool check_listed_is_stored() {
    static_assert(!Ignored, "tablemap[P5]: this member is ignored(), so the store does not tell which value an entity "
                            "has; store it, or name another member");
    return !Ignored;
}

template <class Index> constexpr bool check_place_of_lists() {
    if constexpr (Index::table.empty()) {
        return true;
    } else {
        static_assert(is_name_of_list_table(Index::table),
                      "tablemap[P5]: the lists of an index_entity_in are in a table, whose name has 3 to 63 letters "
                      "and digits and begins with a letter");
        return is_name_of_list_table(Index::table);
    }
}

template <class T, class Index> constexpr bool check_index_entity() {
    constexpr bool made = is_index_entity<Index>;
    static_assert(made, "tablemap[P5]: after its type a table_with_index_entities takes index_entity<...> and "
                        "index_entity_in<...>; nothing else can stand there");
    if constexpr (made) {
        static_assert(is_value_name(Index::name),
                      "tablemap[P5]: the name of an index entity stands in keys, and consists of letters, digits, _ "
                      "and -");
        if constexpr (is_value_name(Index::name) && check_place_of_lists<Index>())
            if constexpr (check_key_template<value_key_of<Index>, T, key_role::of_index>())
                return check_listed_is_stored<Index::member, is_ignored_member<T, Index::member>()>();
    }
    return false;
}

template <class T> constexpr bool check_type_with_index_entities() {
    constexpr bool single = !is_variant<T> && !std::is_same_v<T, dynamic_entity>;
    static_assert(single, "tablemap[P5]: index entities belong to one struct with a mapping; name that, and use "
                          "table<std::variant<...>> or table<dynamic_entity> on the same table to read it");
    if constexpr (single) {
        if constexpr (check_mapping<T>()) {
            static_assert(!indexed<T>,
                          "tablemap[P5]: this type has indexes, and table_with_index_entities does not keep the rows "
                          "of indexes; leave out the one or the other");
            constexpr bool apart = !begin_alike(list_beginning, leading_text<mapping<T>::row_key>);
            static_assert(apart, "tablemap[P5]: the row key begins with a literal of its own, which tells entities "
                                 "and lists apart: key(\"empid_\", ...); not with ~list");
            return !indexed<T> && apart;
        }
    }
    return false;
}

template <class T, class... Indexes> constexpr bool check_index_entities() {
    static_assert(sizeof...(Indexes) > 0, "tablemap[P5]: this table has no index entities; name some, "
                                          "index_entity<\"last_name\", &employee::last_name>, or use table<T>");
    if constexpr (check_type_with_index_entities<T>() && sizeof...(Indexes) > 0)
        if constexpr ((check_index_entity<T, Indexes>() && ...)) {
            static_assert(have_own_value_names<Indexes...>(),
                          "tablemap[P5]: two index entities have one name; give each its own");
            return have_own_value_names<Indexes...>();
        }
    return false;
}

/// The place in which `find_all_by` looks.
enum class lists_in : bool { of_entities, another_table };

template <lists_in Wanted, fixed_string Name, class... Indexes> constexpr bool check_list_is_named() {
    constexpr auto at = find_valued<Name, Indexes...>();
    static_assert(at < sizeof...(Indexes), "tablemap[P5]: this table has no index entity of this name; name one of "
                                           "its index_entity<...>");
    if constexpr (at < sizeof...(Indexes)) {
        constexpr std::array<bool, sizeof...(Indexes)> local{Indexes::table.empty()...};
        constexpr bool fits = local[at] == (Wanted == lists_in::of_entities);
        if constexpr (Wanted == lists_in::of_entities)
            static_assert(fits, "tablemap[P5]: the lists of an index_entity_in are over all partitions: give the "
                                "value alone");
        else
            static_assert(fits, "tablemap[P5]: the lists of an index_entity are in the partition of the entities: "
                                "name that first, find_all_by<...>(tablemap::partition(...), value)");
        return fits;
    }
    return false;
}

template <class... Indexes>
inline constexpr std::array<std::string_view, sizeof...(Indexes)> tables_of_lists{Indexes::table...};

}  // namespace tablemap::detail

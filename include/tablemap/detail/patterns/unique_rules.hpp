// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/mapping/index_check.hpp"
#include "tablemap/detail/patterns/unique_rows.hpp"
#include "tablemap/detail/patterns/unique_write.hpp"
#include "tablemap/detail/patterns/valued_members.hpp"
#include "tablemap/mapping/variant.hpp"
#include "tablemap/patterns/unique_value.hpp"

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

/// The rules of unique values, checked at compile time.
namespace tablemap::inline v0_1::detail {

// ---- checks ---------------------------------------------------------------------------------------------------------

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
        static_assert(is_value_name(Unique::name),
                      "tablemap[P3]: the name of a unique value stands in keys, and consists of letters, digits, _ "
                      "and -");
        if constexpr (check_key_template<value_key_of<Unique>, T, key_role::of_index>())
            return check_unique_is_stored<Unique::member, is_ignored_member<T, Unique::member>()>();
    }
    return false;
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
            static_assert(have_own_value_names<Uniques...>(),
                          "tablemap[P3]: two unique values have one name; give each its own");
            return have_own_value_names<Uniques...>();
        }
    return false;
}

template <fixed_string Name, class... Uniques> constexpr bool check_unique_is_named() {
    constexpr bool found = find_valued<Name, Uniques...>() < sizeof...(Uniques);
    static_assert(found, "tablemap[P3]: this table has no unique value of this name; name one of its "
                         "unique_value<\"...\", ...>");
    return found;
}

}  // namespace tablemap::detail

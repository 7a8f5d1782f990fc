// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/mapping/encode.hpp"
#include "tablemap/filter/expression.hpp"
#include "tablemap/mapping/decode.hpp"
#include "tablemap/mapping/indexes.hpp"

#include <optional>
#include <type_traits>
#include <variant>

/// The types that a table can hold: a mapped struct, a std::variant of several, or `dynamic_entity`.
namespace tablemap::inline v0_1::detail {

template <class T> inline constexpr bool is_variant = false;
template <class... Ts> inline constexpr bool is_variant<std::variant<Ts...>> = true;

template <class V> constexpr bool check_variant();
template <class T> constexpr bool check_indexes();

template <class T> constexpr bool check_mapped_entity() {
    static_assert(
        !divided_mapping<mapping<T>>,
        "tablemap[P11]: the mapping of this struct divides it into several rows, so a table<T> would read and "
        "write parts of it; use wide_table<T>, or remove next_row_at<...> from the mapping");
    if constexpr (divided_mapping<mapping<T>>) {
        return false;
    } else if constexpr (indexed<T>) {
        if constexpr (check_mapping<T>()) return check_indexes<T>();
        return false;
    } else {
        return check_mapping<T>();
    }
}

/// Checks every rule of a type that a table is to hold. A static_assert names the broken rule.
template <class T> constexpr bool check_entity_type() {
    if constexpr (std::is_same_v<T, dynamic_entity>)
        return true;
    else if constexpr (is_variant<T>)
        return check_variant<T>();
    else
        return check_mapped_entity<T>();
}

/// True if rows of T may have an older version than the program's.
template <class T> inline constexpr bool has_older_versions = false;
template <mapped T> inline constexpr bool has_older_versions<T> = version_of<T>() > 1;
template <class... Ts> inline constexpr bool has_older_versions<std::variant<Ts...>> = ((version_of<Ts>() > 1) || ...);

/// The condition of a query, beside its keys, that leaves out rows of other types; nothing if the keys do.
std::optional<filter::expression> type_filter(row_type const& type);

template <class T> std::optional<filter::expression> type_filter_of() {
    if constexpr (mapped<T>)
        return type_filter(row_type_of<T>);
    else
        return std::nullopt;
}

}  // namespace tablemap::detail

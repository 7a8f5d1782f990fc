// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/base/entity_key.hpp"
#include "tablemap/detail/mapping/index_row_type.hpp"

#include <array>
#include <cstddef>
#include <string>
#include <utility>

/// Reading and encoding of the rows of indexes in other partitions and tables.
///
/// Such a row has keys of its own, and properties: the members of both of the entity's keys, those that the index
/// copies, and those that the mapping adds. Its keys are not read.
namespace tablemap::inline v0_1::detail {

template <class T> constexpr auto list_elsewhere_uses() {
    std::array<key_use, field_count<T>> uses{};
    [&]<auto... M>(member_list<M...>) { (..., (uses[member_index<M, T>] = key_use::hidden)); }
    (key_members<mapping<T>::partition_key, mapping<T>::row_key>{});
    return uses;
}
template <class T> inline constexpr auto elsewhere_uses_of = list_elsewhere_uses<T>();
template <class T>
inline constexpr column_counts
    elsewhere_column_counts_of = count_columns<T, elsewhere_uses_of<T>, index_tag_ops_of<T>>();
template <class T>
inline constexpr auto elsewhere_column_table_of =
    make_column_table<T, elsewhere_column_counts_of<T>, elsewhere_uses_of<T>, index_tag_ops_of<T>>();

/// The members of both of the entity's keys, which every row holds.
template <class T>
inline constexpr field_marks<T> owner_key_fields_of = [] {
    field_marks<T> marks{};
    mark_members<T>(marks, key_members<mapping<T>::partition_key, mapping<T>::row_key>{});
    return marks;
}();

/// Those, and the members that make the keys of the index's rows.
template <class T, std::size_t J>
inline constexpr field_marks<T> elsewhere_key_fields_of = [] {
    auto marks = owner_key_fields_of<T>;
    mark_members<T>(marks, key_members<elsewhere_partition_key_of<T, J>, given_elsewhere_key_of<T, J>>{});
    return marks;
}();

template <class T, std::size_t J>
inline constexpr bool copies_all_elsewhere = std::is_same_v<typename elsewhere_rule_of<T, J>::copied, all_members>;

template <class T, auto const& Count, auto const& Table> constexpr row_type make_row_type_elsewhere() {
    auto t = make_row_type_of_index<T, Count, Table>();
    t.partition_parts = {};
    return t;
}

template <class T, std::size_t J>
inline constexpr row_type elsewhere_row_type_of = [] {
    auto t = make_row_type_elsewhere<T, elsewhere_column_counts_of<T>, elsewhere_column_table_of<T>>();
    t.needed = elsewhere_key_fields_of<T, J>;
    if (!copies_all_elsewhere<T, J>) t.old = old_rows::refused;
    return t;
}();

template <class T, std::size_t J>
inline constexpr std::array<row_type const*, 1> elsewhere_row_types{&elsewhere_row_type_of<T, J>};

// ---- the entity of a row --------------------------------------------------------------------------------------------

template <class T> constexpr auto list_elsewhere_owner_uses() {
    auto uses = elsewhere_uses_of<T>;
    for (std::size_t i = 0; i < uses.size(); ++i)
        if (!owner_key_fields_of<T>[i]) uses[i] = key_use::alone;
    return uses;
}
template <class T> inline constexpr auto elsewhere_owner_uses_of = list_elsewhere_owner_uses<T>();
template <class T>
inline constexpr column_counts
    elsewhere_owner_counts_of = count_columns<T, elsewhere_owner_uses_of<T>, index_tag_ops_of<T>>();
template <class T>
inline constexpr auto elsewhere_owner_table_of =
    make_column_table<T, elsewhere_owner_counts_of<T>, elsewhere_owner_uses_of<T>, index_tag_ops_of<T>>();

/// The rows of all of them, of which only the members of T's keys are read: those are the same in all versions.
template <class T>
inline constexpr row_type elsewhere_owner_type_of = [] {
    auto t = make_row_type_elsewhere<T, elsewhere_owner_counts_of<T>, elsewhere_owner_table_of<T>>();
    t.unknown = unknown_columns::ignored;
    t.needed = owner_key_fields_of<T>;
    t.old = old_rows::as_stored;
    return t;
}();

template <class T> inline constexpr std::array<row_type const*, 1> elsewhere_owner_types{&elsewhere_owner_type_of<T>};

/// The key of the entity that a row elsewhere is a copy of. The row may grow in capacity. Errors: as `read_owner`.
template <class T> late_result<T, entity_key> read_owner_elsewhere(std::string& row) {
    entity<T> e;
    if (auto r = read_row(row, target_of(e), elsewhere_owner_types<T>, {.partial = true}); !r)
        return failure{std::move(r).error()};
    entity_key key;
    if (auto r = encode_keys(e.value, key.partition_key, key.row_key); !r) return failure{std::move(r).error()};
    return key;
}

}  // namespace tablemap::detail

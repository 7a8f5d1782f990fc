// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/mapping/entity_type.hpp"
#include "tablemap/mapping/indexes.hpp"
#include "tablemap/mapping/variant.hpp"

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

/// Reading and encoding of the rows of indexes.
///
/// A row of an index has the entity's partition key, the index's row key, and properties: the members of both row keys,
/// those that the index copies, and those that the mapping adds. Its discriminator property, if the type has one, is
/// the type's with `_index` behind it, so that queries for entities leave it out.
namespace tablemap::inline v0_1::detail {

// ---- reading and writing them ---------------------------------------------------------------------------------------

/// The uses of T's members in an index row's keys: those of the partition key as usual, none of the row key.
template <class T> constexpr auto list_index_uses() {
    std::array<key_use, field_count<T>> uses{};
    [&]<auto... M>(member_list<M...>) {
        (..., (uses[member_index<M, T>] = !is_listed<M, members_of<mapping<T>::partition_key>> ? key_use::hidden
                                          : has_stored_part<M>(mapping<T>::partition_key)      ? key_use::copied
                                                                                               : key_use::alone));
    }
    (key_members<mapping<T>::partition_key, mapping<T>::row_key>{});
    return uses;
}
template <class T> inline constexpr auto index_uses_of = list_index_uses<T>();

template <class T> constexpr auto make_index_tag() {
    constexpr auto type = discriminator_of<T>().type;
    std::array<char, type.size() + index_tag_suffix.size()> text{};
    std::size_t at = 0;
    for (char const c : type) text[at++] = c;
    for (char const c : index_tag_suffix) text[at++] = c;
    return text;
}
template <class T> inline constexpr auto index_tag_storage = make_index_tag<T>();
template <class T>
inline constexpr std::string_view index_tag_of{index_tag_storage<T>.data(), index_tag_storage<T>.size()};

template <class T>
inline constexpr value_ops index_tag_ops_of{edm_type::string,
                                            [](std::string& out, void const*, value_fault&) {
                                                append_type_tag(out, index_tag_of<T>, version_of<T>());
                                                return true;
                                            },
                                            nullptr, nullptr};

template <class T>
inline constexpr column_counts index_column_counts_of = count_columns<T, index_uses_of<T>, index_tag_ops_of<T>>();
template <class T>
inline constexpr auto
    index_column_table_of = make_column_table<T, index_column_counts_of<T>, index_uses_of<T>, index_tag_ops_of<T>>();

/// A mark for each field of T.
template <class T> using field_marks = std::array<bool, field_count<T>>;

template <class T, auto... Members> constexpr void mark_members(field_marks<T>& marks, member_list<Members...>) {
    (..., (marks[member_index<Members, T>] = true));
}

/// The members that make the keys of an index's rows, and those of the entity.
template <class T, std::size_t I>
inline constexpr field_marks<T> index_key_fields_of = [] {
    field_marks<T> marks{};
    mark_members<T>(marks, key_members<mapping<T>::partition_key, index_key_of<T, I>>{});
    mark_members<T>(marks, key_members_of<T>{});
    return marks;
}();

/// The members of the row key, which every row of an index holds as properties.
template <class T>
inline constexpr field_marks<T> row_key_fields_of = [] {
    field_marks<T> marks{};
    mark_members<T>(marks, members_of<mapping<T>::row_key>{});
    return marks;
}();

/// True if the rows of an index hold all members.
template <class T, std::size_t I>
inline constexpr bool copies_all = std::is_same_v<typename index_rule_of<T, I>::copied, all_members>;

template <class T, auto const& Count, auto const& Table> constexpr row_type make_row_type_of_index() {
    auto t = row_type_of<T>;
    t.columns = Table.columns;
    t.text = Table.text.data();
    t.maps = Table.maps;
    t.groups = Table.groups;
    t.extras_slot = Table.extras_slot;
    t.extras_field = Table.extras_field;
    t.sealed = Count.sealed > 0;
    if (!t.discriminator.property.empty()) t.discriminator.type = index_tag_of<T>;
    t.row_prefix = {};
    t.index_prefixes = {};
    t.row_parts = {};
    return t;
}

/// The rows of one index of T: their row keys are not read.
template <class T, std::size_t I>
inline constexpr row_type index_row_type_of = [] {
    auto t = make_row_type_of_index<T, index_column_counts_of<T>, index_column_table_of<T>>();
    t.needed = index_key_fields_of<T, I>;
    if (!copies_all<T, I>) t.old = old_rows::refused;
    return t;
}();

template <class T, std::size_t I>
inline constexpr std::array<row_type const*, 1> index_row_types{&index_row_type_of<T, I>};

// ---- the entity of an index row ------------------------------------------------------------------------------------

template <class T> constexpr auto list_owner_uses() {
    auto uses = index_uses_of<T>;
    field_marks<T> keys{};
    mark_members<T>(keys, key_members_of<T>{});
    for (std::size_t i = 0; i < uses.size(); ++i)
        if (!keys[i]) uses[i] = key_use::alone;
    return uses;
}
template <class T> inline constexpr auto owner_uses_of = list_owner_uses<T>();
template <class T>
inline constexpr column_counts owner_column_counts_of = count_columns<T, owner_uses_of<T>, index_tag_ops_of<T>>();
template <class T>
inline constexpr auto
    owner_column_table_of = make_column_table<T, owner_column_counts_of<T>, owner_uses_of<T>, index_tag_ops_of<T>>();

/// The rows of all indexes of T, of which only the members of T's keys are read: those are the same in all versions.
template <class T>
inline constexpr row_type owner_row_type_of = [] {
    auto t = make_row_type_of_index<T, owner_column_counts_of<T>, owner_column_table_of<T>>();
    t.unknown = unknown_columns::ignored;
    t.needed = row_key_fields_of<T>;
    t.old = old_rows::as_stored;
    return t;
}();

template <class T> inline constexpr std::array<row_type const*, 1> owner_row_types{&owner_row_type_of<T>};

/// The row key of the entity that a row of an index of T is a copy of. The row may grow in capacity. Errors:
/// `library_errc::missing_property` for a row that lacks a member of the row key, and as for reading any row.
template <class T> late_result<T, std::string> read_owner(std::string& row) {
    entity<T> e;
    if (auto r = read_row(row, target_of(e), owner_row_types<T>, {.partial = true}); !r)
        return failure{std::move(r).error()};
    std::string partition_key, row_key;
    if (auto r = encode_keys(e.value, partition_key, row_key); !r) return failure{std::move(r).error()};
    return row_key;
}

}  // namespace tablemap::detail

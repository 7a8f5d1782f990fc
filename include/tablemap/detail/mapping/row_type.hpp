// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/keys/key_codec.hpp"
#include "tablemap/detail/mapping/schema.hpp"
#include "tablemap/mapping/indexes.hpp"

#include <bitset>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>

/// A mapped struct as data for the ordinary functions that encode and decode.
namespace tablemap::detail {

using field_set = std::bitset<most_fields>;
using column_set = std::bitset<256>;

/// The treatment of a row of an older version of its type.
enum class old_rows : std::uint8_t {
    upgraded,
    as_stored,  ///< read unchanged
    refused,    ///< it lacks properties that an upgrade function may need
};

struct row_type {
    std::span<column const> columns;
    char const* text;
    std::span<map_column const> maps;
    std::span<optional_group const> groups;
    std::size_t slots;          ///< including slot 0
    std::uint16_t extras_slot;  ///< 0: there is none
    std::uint16_t extras_field;
    bool sealed;  ///< some of its columns are encrypted
    unknown_columns unknown;
    discriminator_t discriminator;
    std::string_view row_prefix;                       ///< the text that the row key begins with
    std::span<std::string_view const> index_prefixes;  ///< and those of the rows of its indexes
    key_outline partition_outline{};                   ///< the outlines of its keys
    key_outline row_outline{};                         ///< nothing for the rows of indexes
    std::span<bool const> needed{};  ///< in rows of indexes: the members that even a part of a row must hold
    old_rows old{};
    int version;
    std::span<void (*const)(dynamic_entity&)> upgrades;  ///< [v]: from version v

    /// Writes the addresses of an object's columns to `out`.
    void (*fill)(void* object, void** out, bool to_read_into);

    /// Reads both keys into an object.
    result<void> (*read_keys)(void* object, std::string_view partition_key, std::string_view row_key);

    std::string_view text_of(column const& c) const noexcept { return {text + c.text_at, c.text_size}; }
    std::string_view name_of(column const& c) const noexcept { return {text + c.text_at + 2, c.name_size}; }
    std::string_view prefix_of(map_column const& c) const noexcept { return {text + c.text_at, c.text_size}; }

    bool needs(column const& c) const noexcept { return c.read && c.field < needed.size() && needed[c.field]; }

    /// The map that a column is an entry of; null if there is none. `tags_` alone is no entry: a map could not write
    /// it.
    map_column const* map_of(std::string_view name) const noexcept {
        for (auto const& m : maps)
            if (name.size() > m.text_size && name.starts_with(prefix_of(m))) return &m;
        return nullptr;
    }
};

/// True if the key is that of a row of an index of one of the types.
bool is_key_of_index(std::span<row_type const* const> types, std::string_view row_key) noexcept;

/// The property that identifies the type of a row among several; empty if the keys do, or if the store is asked for
/// rows of the one type.
std::string_view tag_of(std::span<row_type const* const> types) noexcept;

/// False for a row that is of none of the types: its discriminator names another, or its keys lack their literals.
/// `tag`: the value of the property of `tag_of`, if there is one.
bool is_row_of(std::span<row_type const* const> types, std::string_view partition_key, std::string_view row_key,
               std::string_view tag);

template <class T> void fill_all_slots(void* object, void** out, bool to_read_into) {
    out[0] = object;
    fill_slots(*static_cast<T*>(object), out + 1, to_read_into);
}

error keys_disagree(std::string_view member);

/// Reads a key with a member that is also in the other key: it must have the same value in both.
template <auto const& Key, auto const& OtherKey, class T> result<void> read_second_key(T& to, std::string_view text) {
    T again{};
    auto r = read_key(
        text, Key, [&]<auto M>(member_part<M> const&)->auto& { return again.*M; });
    if (!r) return r;
    auto take = [&]<auto M>(member_part<M>) {
        if (!is_listed<M, members_of<OtherKey>>)
            to.*M = std::move(again.*M);
        else if (to.*M != again.*M)
            r = failure{keys_disagree(member_name<M>)};
        return r.has_value();
    };
    [&]<auto... M>(member_list<M...>) { static_cast<void>((take(member_part<M>{}) && ...)); }
    (members_of<Key>{});
    return r;
}

template <class T> result<void> read_keys(void* object, std::string_view partition_key, std::string_view row_key) {
    auto& to = *static_cast<T*>(object);
    auto const set = [&]<auto M>(member_part<M> const&)->auto& { return to.*M; };
    if (auto r = read_key(partition_key, mapping<T>::partition_key, set); !r) return r;
    if constexpr (share_members<mapping<T>::row_key, mapping<T>::partition_key>)
        return read_second_key<mapping<T>::row_key, mapping<T>::partition_key>(to, row_key);
    else
        return read_key(row_key, mapping<T>::row_key, set);
}

template <class T> constexpr unknown_columns unknown_columns_of() {
    if constexpr (requires { mapping<T>::unknown_columns; })
        return mapping<T>::unknown_columns;
    else
        return unknown_columns::ignored;
}

template <class T> constexpr std::span<void (*const)(dynamic_entity&)> upgrades_of() {
    if constexpr (has_versions<T>)
        return mapping<T>::versions.upgrades;
    else
        return {};
}

template <class T>
inline constexpr row_type row_type_of{.columns = column_table_of<T>.columns,
                                      .text = column_table_of<T>.text.data(),
                                      .maps = column_table_of<T>.maps,
                                      .groups = column_table_of<T>.groups,
                                      .slots = slot_count<T> + 1,
                                      .extras_slot = column_table_of<T>.extras_slot,
                                      .extras_field = column_table_of<T>.extras_field,
                                      .sealed = column_counts_of<T>.sealed > 0,
                                      .unknown = unknown_columns_of<T>(),
                                      .discriminator = discriminator_of<T>(),
                                      .row_prefix = leading_text<mapping<T>::row_key>,
                                      .index_prefixes = index_prefixes_of<T>,
                                      .partition_outline = outline_of<mapping<T>::partition_key>,
                                      .row_outline = outline_of<mapping<T>::row_key>,
                                      .version = version_of<T>(),
                                      .upgrades = upgrades_of<T>(),
                                      .fill = &fill_all_slots<T>,
                                      .read_keys = &read_keys<T>};

}  // namespace tablemap::detail

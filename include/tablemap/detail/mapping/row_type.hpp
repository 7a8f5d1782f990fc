// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/base/static_list.hpp"
#include "tablemap/detail/keys/key_codec.hpp"
#include "tablemap/detail/mapping/schema.hpp"
#include "tablemap/mapping/indexes.hpp"

#include <bitset>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>

/// A mapped struct as data for the ordinary functions that encode and decode.
namespace tablemap::inline v0_1::detail {

using field_set = std::bitset<most_fields>;
using column_set = std::bitset<256>;

/// The treatment of a row of an older version of its type.
enum class old_rows : std::uint8_t {
    upgraded,
    as_stored,  ///< read unchanged
    refused,    ///< it lacks properties that an upgrade function may need
};

struct row_type {
    static_list<column> columns;
    char const* text;
    static_list<map_column> maps;
    static_list<optional_group> groups;
    std::size_t slots;          ///< including slot 0
    std::uint16_t extras_slot;  ///< 0: there is none
    std::uint16_t extras_field;
    bool sealed;  ///< some of its columns are encrypted
    unknown_columns unknown;
    discriminator_t discriminator;
    std::string_view row_prefix;                   ///< the text that the row key begins with
    static_list<std::string_view> index_prefixes;  ///< and those of the rows of its indexes
    static_list<part_layout> partition_parts{};    ///< of its keys; none for rows whose keys are not read
    static_list<part_layout> row_parts{};          ///< none for the rows of indexes, whose row keys are not read
    static_list<std::uint16_t> key_fields{};       ///< the member of each of those parts
    static_list<bool> needed{};  ///< of rows of indexes: the members that part of a row must hold, too
    old_rows old{};
    int version;
    std::span<void (*const)(dynamic_entity&)> upgrades;  ///< [v]: from version v

    /// Writes the addresses of an object's columns to `out`.
    void (*fill)(void* object, void** out, bool to_read_into);

    // With a size of another type the compiler would first find out whether that is a sentinel, which is slow.
    std::string_view text_of(column const& c) const noexcept { return {text + c.text_at, std::size_t{c.text_size}}; }
    std::string_view name_of(column const& c) const noexcept {
        return {text + c.text_at + 2, std::size_t{c.name_size}};
    }
    std::string_view prefix_of(map_column const& c) const noexcept {
        return {text + c.text_at, std::size_t{c.text_size}};
    }

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
bool is_key_of_index(static_list<row_type const*> types, std::string_view row_key) noexcept;

/// The property that identifies the type of a row among several; empty if the keys do, or if the store is asked for
/// rows of the one type.
std::string_view tag_of(static_list<row_type const*> types) noexcept;

/// False for a row that is of none of the types: its discriminator names another, or its keys lack their literals.
/// `tag`: the value of the property of `tag_of`, if there is one.
bool is_row_of(static_list<row_type const*> types, std::string_view partition_key, std::string_view row_key,
               std::string_view tag);

template <class T> void fill_all_slots(void* object, void** out, bool to_read_into) {
    out[0] = object;
    // A flat struct needs no function between: each costs every mapped struct time to compile.
    if constexpr (is_nested<T>())
        fill_slots(*static_cast<T*>(object), out + 1, to_read_into);
    else
        struct_access<T>::addresses(*static_cast<T*>(object), const_cast<void const**>(out + 1));
}

/// Reads both keys into the members of an object whose addresses `fill` has listed. A member that stands in both must
/// have one value. Errors: `library_errc::unreadable_key`.
result<void> read_keys(row_type const& type, void* const* slots, std::string_view partition_key,
                       std::string_view row_key);

/// The same into an object.
result<void> read_keys_into(row_type const& type, void* object, std::string_view partition_key,
                            std::string_view row_key);

/// Makes both keys of an object. Errors: as `make_key`.
result<void> encode_keys(row_type const& type, void const* object, std::string& partition_key, std::string& row_key);

/// The same of an object whose addresses `fill` has listed.
result<void> encode_keys(row_type const& type, void* const* slots, std::string& partition_key, std::string& row_key);

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
                                      .partition_parts = mapping<T>::partition_key.layouts,
                                      .row_parts = mapping<T>::row_key.layouts,
                                      .key_fields = key_fields_of<T>,
                                      .version = version_of<T>(),
                                      .upgrades = upgrades_of<T>(),
                                      .fill = &fill_all_slots<T>};

}  // namespace tablemap::detail

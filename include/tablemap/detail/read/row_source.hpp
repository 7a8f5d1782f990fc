// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/base/static_list.hpp"
#include "tablemap/detail/mapping/encode.hpp"
#include "tablemap/detail/read/row_buffer.hpp"
#include "tablemap/mapping/index_key.hpp"
#include "tablemap/query/key_ranges.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace tablemap::inline v0_1::detail {

/// The rows that a query reads as entities of its type: their own, or those of an index.
struct row_source {
    static_list<row_type const*> types{};             ///< that a row may be of; none: any
    bool any_key = false;                             ///< no range of keys leaves rows of indexes out
    std::string_view index{};                         ///< whose rows are read; empty: the entities' own
    bool eventual = false;                            ///< they are written after the entities
    void (*add_copied)(field_set& fields) = nullptr;  ///< the members that rows hold; null: all
    void (*add_keys)(field_set& fields) = nullptr;    ///< the members without which the keys of a row could not be told
    result<void> (*encode_keys)(void const* value, std::string& partition_key, std::string& row_key) = nullptr;
    row_buffer* (*make_buffer)() = nullptr;  ///< made by `new`, for the caller to delete

    /// The filter that leaves out rows of other types; nothing if the keys do so.
    std::optional<filter::expression> type_filter() const;

    /// True if rows of indexes come with the others and are passed over as they are read.
    bool passes_rows() const noexcept;
};

/// The columns of some members; of the arrays and series that elements were chosen of, those alone. Empty ones mean the
/// keys, which always come.
std::vector<std::string> columns_of(row_type const& type, chosen_columns const& chosen);

/// True if rows of a type that hold these members may have the property.
bool holds_property(row_type const& type, field_set const& fields, std::string_view property);

/// The name of the first column of some members; empty if they have none.
std::string_view name_of_first(row_type const& type, field_set const& fields);

// ---- the entities' own rows -----------------------------------------------------------------------------------------

/// Adds the members that a key holds as a hash or a bucket only: without their properties the row's keys could not be
/// told, and rows are merged and cursors made by those.
template <class T, class... Parts> void add_key_sources(field_set& fields, key_template<Parts...> const&) {
    auto const add = [&]<class Part>(std::type_identity<Part>) {
        if constexpr (is_hashed_part<Part> || is_spread_part<Part>) {
            constexpr auto member = source_part<Part>::member;
            if constexpr (!is_readable_from_keys<mapping<T>::partition_key, mapping<T>::row_key, member>)
                fields.set(member_index<member, T>);
        }
    };
    (..., add(std::type_identity<Parts>{}));
}

template <class T> void add_sources_of_keys(field_set& fields) {
    if constexpr (mapped<T>) {
        add_key_sources<T>(fields, mapping<T>::partition_key);
        add_key_sources<T>(fields, mapping<T>::row_key);
    }
}

template <class T>
result<void> encode_keys_of_value(void const* value, std::string& partition_key, std::string& row_key) {
    return encode_keys(*static_cast<T const*>(value), partition_key, row_key);
}

template <class T, bool OfIndex = false> row_buffer* make_buffer() { return new entity_buffer<T, OfIndex>; }

template <class T>
inline constexpr row_source entity_rows = [] {
    row_source s{
        .add_keys = &add_sources_of_keys<T>, .encode_keys = &encode_keys_of_value<T>, .make_buffer = &make_buffer<T>};
    if constexpr (!std::is_same_v<T, dynamic_entity>) s.types = row_types<T>::list;
    s.any_key = is_variant<T>;
    return s;
}();

// ---- those of an index ----------------------------------------------------------------------------------------------

/// Says of which index a query's keys speak.
template <class T, std::size_t I> struct by_index {};

template <class T, std::size_t I> struct query_mapping<by_index<T, I>> {
    static constexpr auto const& partition_key = mapping<T>::partition_key;
    static constexpr auto const& row_key = index_key_of<T, I>;
};

template <class T, std::size_t I>
result<void> encode_index_keys_of_value(void const* value, std::string& partition_key, std::string& row_key) {
    return encode_index_keys<T, I>(*static_cast<T const*>(value), partition_key, row_key);
}

template <class T, std::size_t I> void add_index_key_fields(field_set& fields) {
    add_fields(fields, index_key_fields_of<T, I>);
}

template <class T, std::size_t I>
inline constexpr row_source index_rows = [] {
    row_source s{.types = index_row_types<T, I>,
                 .index = index_rule_of<T, I>::name,
                 .add_keys = &add_index_key_fields<T, I>,
                 .encode_keys = &encode_index_keys_of_value<T, I>,
                 .make_buffer = &make_buffer<T, true>};
    if constexpr (!copies_all<T, I>) s.add_copied = &add_copied_fields<T, I>;
    return s;
}();

// ---- scans ----------------------------------------------------------------------------------------------------------

/// True if the store is asked for the row keys of T's own rows: a discriminator does not tell, or rows of indexes come
/// between.
template <class T> constexpr bool scans_by_key() {
    if constexpr (mapped<T>)
        return indexed<T> || discriminator_of<T>().property.empty();
    else
        return false;
}

/// The keys that a scan for entities of T reads: if `scans_by_key`, those that begin as T's own row keys do.
template <class T> query_keys keys_of_scan() {
    query_keys keys;
    if constexpr (scans_by_key<T>()) {
        static constexpr auto const& key = mapping<T>::row_key;
        static constexpr auto prefix = leading_text<mapping<T>::row_key>;
        bool const constant = std::all_of(key.layouts.begin(), key.layouts.end(),
                                          [](part_layout const& p) { return p.kind == part_kind::literal; });
        if (constant)
            keys.rows = {.from = std::string{prefix}, .one = true};
        else if (!prefix.empty())
            keys.rows = {.from = std::string{prefix}, .to = end_of_prefix(prefix)};
    }
    return keys;
}

}  // namespace tablemap::detail

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/read/projection.hpp"
#include "tablemap/detail/read/row_source.hpp"

#include <cstddef>
#include <string>
#include <utility>

/// Queries for the rows of indexes in other partitions and tables.
namespace tablemap::inline v0_1::detail {

/// Says of which index elsewhere a query's keys speak.
template <class T, std::size_t J> struct by_elsewhere {};

template <class T, std::size_t J> struct query_mapping<by_elsewhere<T, J>> {
    static constexpr auto const& partition_key = elsewhere_partition_key_of<T, J>;
    static constexpr auto const& row_key = elsewhere_row_key_of<T, J>;
};

/// Makes the keys of a query. Its rows end with the keys of their entities, so even all values name a range.
template <class T, std::size_t J, class... Values>
result<query_keys> keys_elsewhere(partition_values<Values...> const& p, row_selection auto const& rows) {
    query_keys keys;
    if (auto r = encode_partition<by_elsewhere<T, J>>(keys, p); !r) return failure{std::move(r).error()};
    if (auto r = encode_rows<by_elsewhere<T, J>>(keys, rows); !r) return failure{std::move(r).error()};
    if (std::exchange(keys.rows.one, false)) keys.rows.to = end_of_prefix(keys.rows.from);
    return keys;
}

template <class T, std::size_t J>
result<void> encode_value_keys_elsewhere(void const* value, std::string& partition_key, std::string& row_key) {
    entity_key owner;
    return encode_keys_elsewhere<T, J>(*static_cast<T const*>(value), partition_key, row_key, owner);
}

template <class T, std::size_t J> void add_key_fields_elsewhere(field_set& fields) {
    add_fields(fields, elsewhere_key_fields_of<T, J>);
}

template <class T, std::size_t J>
inline constexpr row_source elsewhere_rows = [] {
    row_source s{.types = elsewhere_row_types<T, J>,
                 .index = elsewhere_rule_of<T, J>::name,
                 .eventual = true,
                 .add_keys = &add_key_fields_elsewhere<T, J>,
                 .encode_keys = &encode_value_keys_elsewhere<T, J>,
                 .make_buffer = &make_buffer<T, true>};
    if constexpr (!copies_all_elsewhere<T, J>) s.add_copied = &add_copied_elsewhere<T, J>;
    return s;
}();

/// Refuses to give an entity of which an index holds a part.
template <class T, std::size_t J> constexpr bool check_whole_elsewhere() {
    static_assert(copies_all_elsewhere<T, J>,
                  "tablemap[P3]: the rows of this index hold some members only, so no whole entity comes out of them; "
                  "ask for those members, .select<...>(), or find_all(...) the entities");
    return copies_all_elsewhere<T, J>;
}

/// An entity, copied in a row elsewhere.
template <class T, std::size_t J> struct copy_elsewhere : whole_entity<T> {
    static constexpr auto const& held_fields = copied_elsewhere_of<T, J>;

    static void put(entity<T>*& to, entity<T>& e) {
        if constexpr (check_whole_elsewhere<T, J>()) to = &e;
    }
    static entity<T> take(entity<T>& e) {
        static_cast<void>(check_whole_elsewhere<T, J>());
        return std::move(e);
    }
};

}  // namespace tablemap::detail

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/base/static_list.hpp"
#include "tablemap/detail/mapping/read_row.hpp"
#include "tablemap/mapping/entity.hpp"

#include <array>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace tablemap::inline v0_1 {

/// A row that could not be read as the requested type.
struct bad_row {
    std::string partition_key{};
    std::string row_key{};
    tablemap::error error;  ///< `error.faults()` lists everything that is wrong with it
};

/// Decoding of entities into structs: the reader's tokens go through the table of columns.
namespace detail {

/// The object of a row that can be of one type only.
void* emplace_nothing(void* value, std::size_t) noexcept;

/// The types that a row of T may be of, and the function that makes an object of one.
template <class T> struct row_types {
    static constexpr std::array<row_type const*, 1> list{&row_type_of<T>};
    static constexpr auto* emplace = &emplace_nothing;
};

template <class T> row_target target_of(entity<T>& e) {
    return {&e.value, row_types<T>::emplace, &e.etag, &e.timestamp, &e.outdated};
}

/// A bad row of a page, and the number of good ones before it.
struct bad_row_at {
    std::size_t before;
    bad_row row;
};

/// The target of a page's rows, a vector of entities whose type the functions know.
struct page_target {
    void* rows;
    std::size_t size;                         ///< of the vector at first
    void (*add)(void* rows, row_target& to);  ///< adds an entity at the end, which becomes the target
    void (*drop)(void* rows);                 ///< removes it
    void (*reserve)(void* rows, std::size_t entities);
};

template <class T> void add_row(void* rows, row_target& to) {
    to = target_of(static_cast<std::vector<entity<T>>*>(rows)->emplace_back());
}
template <class T> void drop_row(void* rows) { static_cast<std::vector<entity<T>>*>(rows)->pop_back(); }
template <class T> void reserve_rows(void* rows, std::size_t entities) {
    static_cast<std::vector<entity<T>>*>(rows)->reserve(entities);
}

/// Reads the entities of a page, and appends the rows that cannot be read to `bad`. Returns and errors: as
/// `decode_page`.
result<std::size_t> read_rows(std::string& json, page_target const& to, std::vector<bad_row_at>& bad,
                              static_list<row_type const*> types, reading const& how);

/// Decodes one entity in its place, which spares the moves of a large struct. `json` may grow in capacity. After an
/// error `out` is unspecified.
///
/// \return nothing, or an error with every fault of the row: `library_errc::type_mismatch`, `value_out_of_range`,
/// `missing_property`, `unknown_property`, `unreadable_key`, `another_type`, `unknown_version`, `malformed_response`;
/// for encrypted members `unencrypted_value` and those of the cipher
template <class T>
result<void> decode_into(std::string& json, entity<T>& out, property_cipher const* cipher = nullptr) {
    return read_row(json, target_of(out), row_types<T>::list, {.cipher = needed_for(json, cipher)});
}

/// Decodes a row of an index of T.
///
/// \return nothing, or an error as `decode_into`
template <class T>
result<void> decode_index_row(std::string& json, entity<T>& out, property_cipher const* cipher,
                              static_list<row_type const*> types) {
    if (auto r = read_row(json, target_of(out), types, {.cipher = needed_for(json, cipher)}); !r) return r;
    out.etag = {};  // its own, not that of the entity
    return {};
}

/// Decodes the JSON of an entity with decrypted values: `row` says which of them are encrypted in the store.
template <class T> result<void> decode_known(std::string& json, entity<T>& out, dynamic_entity const& row) {
    return read_row(json, target_of(out), row_types<T>::list, {.opened = properties_of(row)});
}

/// Decodes one entity.
///
/// \return the entity, or an error as `decode_into`
template <class T> result<entity<T>> decode(std::string& json) {
    result<entity<T>> e;
    if (auto r = decode_into(json, *e); !r) e = failure{std::move(r).error()};
    return e;
}

/// Decodes a page and appends it to `out` and `bad`; rows of other types and of the types' indexes are skipped. Of
/// `partial` rows not all properties were requested, so no property counts as missing. `types`: those of T's own rows,
/// or those of the rows of its indexes.
///
/// \return the number of rows, good, bad and skipped; or error `library_errc::malformed_response`, also for a row
/// outside the bounds
template <class T>
late_result<T, std::size_t> decode_page(std::string& json, std::vector<entity<T>>& out, std::vector<bad_row_at>& bad,
                                        bool partial = false, property_cipher const* cipher = nullptr,
                                        static_list<row_type const*> types = row_types<T>::list,
                                        page_bounds const& bounds = {}) {
    return read_rows(json, {&out, out.size(), &add_row<T>, &drop_row<T>, &reserve_rows<T>}, bad, types,
                     {.partial = partial, .cipher = needed_for(json, cipher), .bounds = bounds});
}

}  // namespace detail
}  // namespace tablemap

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/base/entity_key.hpp"
#include "tablemap/detail/store/task.hpp"
#include "tablemap/detail/write/single_request.hpp"
#include "tablemap/mapping/index_key.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

/// Finding an entity by a unique index.
namespace tablemap::inline v0_1::detail {

/// The entity that the row of an index is a copy of, if there is one.
template <class T, std::size_t I> struct finish_found_copy {
    using value_type = std::optional<entity<T>>;

    property_cipher const* cipher;

    result<void> into(response& answer, value_type& found) const {
        late_result<T, bool> there = finish_unless{service_errc::resource_not_found}(answer);
        if (!there) return failure{std::move(there).error()};
        if (!*there) return {};
        return decode_index_row(answer.body, found.emplace(), cipher, index_row_types<T, I>);
    }
};

/// The way from the row of an index to its entity. Rows may grow in capacity.
struct index_link {
    /// The row key of the entity.
    result<std::string> (*owner_of)(std::string& index_row);

    /// Reads the entity into `found`. False if it does not have the row of the index that led to it.
    result<bool> (*read_owner)(std::string& row, std::string_view index_key, void* found,
                               property_cipher const* cipher);
};

/// `found`: a `std::optional<entity<T>>`.
template <class T, std::size_t I>
late_result<T, bool> read_linked(std::string& row, std::string_view index_key, void* found,
                                 property_cipher const* cipher) {
    auto& e = static_cast<std::optional<entity<T>>*>(found)->emplace();
    if (auto r = decode_into(row, e, cipher); !r) return failure{std::move(r).error()};
    if (!is_in_index<T, I>(e.value)) return false;
    std::string partition_key, row_key;
    return encode_index_keys<T, I>(e.value, partition_key, row_key) && row_key == index_key;
}

template <class T, std::size_t I>
inline constexpr index_link index_link_of{.owner_of = &read_owner<T>, .read_owner = &read_linked<T, I>};

/// Finds an entity by an index that does not copy all of it: reads the index's row, then the base row whose key it
/// holds. A base row that is gone, or has another value by now, was changed between the two reads: both are read again,
/// until a row that is still out of step stays so. False if there is none. All is borrowed; the cipher may be null.
task<result<bool>> look_up(std::string_view table, entity_key const& index_row, index_link const& link, void* found,
                           property_cipher const* cipher);

/// The same, of one type. The table's name and the cipher, which may be null, are borrowed.
template <class T, std::size_t I>
task<result<std::optional<entity<T>>>> find_by_index(std::string_view table, late_result<T, entity_key> index_row,
                                                     property_cipher const* cipher) {
    if (!index_row) co_return failure{std::move(index_row).error()};
    std::optional<entity<T>> found;
    auto const there = co_await look_up(table, *index_row, index_link_of<T, I>, &found, cipher);
    if (!there) co_return failure{there.error()};
    if (!*there) found.reset();
    co_return found;
}

}  // namespace tablemap::detail

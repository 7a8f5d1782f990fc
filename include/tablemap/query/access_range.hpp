// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/edm/access_range.hpp"
#include "tablemap/query/key_ranges.hpp"

#include <array>
#include <concepts>
#include <cstddef>
#include <memory>
#include <type_traits>
#include <utility>

namespace tablemap::inline v0_1 {

namespace detail {

/// A range that names several partitions would also contain the partitions between them.
result<access_range> one_partition(query_keys&& keys);

/// Refuses a range whose ends differ from a part on that does not sort by its values. `equal`: the parts with equal
/// values. `differs`: true if any part differed, in the key before this one, too.
result<void> check_range_parts(part_layout const* parts, bool const* equal, std::size_t count, bool& differs);

template <class Part, class T>
bool has_equal_values([[maybe_unused]] part_layout const& layout, key_of<T> const& a, key_of<T> const& b) {
    if constexpr (is_literal_part<Part>) {
        return true;
    } else {
        constexpr auto member = source_part<Part>::member;
        auto const& first = a.template get<member>();
        auto const& second = b.template get<member>();
        if constexpr (converted_key_value<std::remove_cvref_t<decltype(first)>>)
            return have_same_part(layout, std::addressof(first), std::addressof(second));
        else
            return first == second;
    }
}

template <class T, class... Parts>
result<void> check_range_parts(key_template<Parts...> const& k, key_of<T> const& first, key_of<T> const& last,
                               bool& differs) {
    auto const* layout = k.layouts.data();
    std::array<bool, sizeof...(Parts)> const equal{has_equal_values<Parts>(*layout++, first, last)...};
    return check_range_parts(k.layouts.data(), equal.data(), equal.size(), differs);
}

/// Keys of dynamic entities are texts: the range contains the texts between them.
template <class T> result<void> check_range_parts(key_of<T> const& first, key_of<T> const& last) {
    if constexpr (!std::same_as<T, dynamic_entity>) {
        bool differs = false;
        if (auto r = check_range_parts(mapping<T>::partition_key, first, last, differs); !r) return r;
        return check_range_parts(mapping<T>::row_key, first, last, differs);
    }
    return {};
}

}  // namespace detail

/// The range of one partition of T, by the values of its key: `access_range_of<employee>(partition("Sales"))`.
///
/// \throws error `library_errc::key_part_does_not_fit`, `invalid_key`, `key_too_large` if the values make no key;
/// `library_errc::invalid_access_signature` if T's rows are spread over several partitions
template <class T, class... Values> result<access_range> try_access_range_of(partition_values<Values...> const& p) {
    detail::query_keys keys;
    if (auto const r = detail::encode_partition<T>(keys, p); !r) return failure{r.error()};
    return detail::one_partition(std::move(keys));
}
template <class T, class... Values> access_range access_range_of(partition_values<Values...> const& p) {
    return value_or_throw(try_access_range_of<T>(p));
}

/// The range from one entity to another, both included, in the order of their keys. It contains the entities between
/// the values of its ends: from the first part in which they differ, all parts of both keys must sort by their values.
///
/// \throws error as above if the values make no key; as `check_access_range`; `library_errc::invalid_access_signature`
/// with the member whose part does not sort by its values
template <class T> result<access_range> try_access_range_of(key_of<T> const& first, key_of<T> const& last) {
    if (auto const ok = detail::check_range_parts(first, last); !ok) return failure{ok.error()};
    access_range r;
    auto& from = r.first_partition.emplace();
    auto& to = r.last_partition.emplace();
    if (auto const made = detail::encode_keys(first, from, r.first_row.emplace()); !made) return failure{made.error()};
    if (auto const made = detail::encode_keys(last, to, r.last_row.emplace()); !made) return failure{made.error()};
    if (auto const ok = check_access_range(r); !ok) return failure{ok.error()};
    return r;
}
template <class T> access_range access_range_of(key_of<T> const& first, key_of<T> const& last) {
    return value_or_throw(try_access_range_of<T>(first, last));
}

}  // namespace tablemap

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/edm/access_range.hpp"
#include "tablemap/query/key_ranges.hpp"

#include <string>
#include <utility>

namespace tablemap {

namespace detail {

/// A range that names several partitions would reach what lies between them, too.
inline result<access_range> one_partition(query_keys&& keys) {
    if (keys.partitions.size() == 1) return access_range::partition(std::move(keys.partitions.front()));
    return fail(library_errc::invalid_access_signature,
                {.reason = "the rows are spread over several partitions (spread<N>), and a signature is for one range: "
                           "make one for each bucket with access_range::partition"});
}

}  // namespace detail

/// The range of one partition of T, by the values of its key: `access_range_of<employee>(partition("Sales"))`.
/// Errors: as `make_key`; `library_errc::invalid_access_signature` where T's rows are spread over several partitions.
template <class T, class... Values> result<access_range> try_access_range_of(partition_values<Values...> const& p) {
    detail::query_keys keys;
    if (auto const r = detail::encode_partition<T>(keys, p); !r) return failure{r.error()};
    return detail::one_partition(std::move(keys));
}
template <class T, class... Values> access_range access_range_of(partition_values<Values...> const& p) {
    return value_or_throw(try_access_range_of<T>(p));
}

/// The range from one entity to another, both included, in the order of their keys.
/// Errors: as `make_key`.
template <class T> result<access_range> try_access_range_of(key_of<T> const& first, key_of<T> const& last) {
    access_range r;
    auto& from = r.first_partition.emplace();
    auto& to = r.last_partition.emplace();
    if (auto const made = detail::encode_keys<T>(first, from, r.first_row.emplace()); !made)
        return failure{made.error()};
    if (auto const made = detail::encode_keys<T>(last, to, r.last_row.emplace()); !made) return failure{made.error()};
    return r;
}
template <class T> access_range access_range_of(key_of<T> const& first, key_of<T> const& last) {
    return value_or_throw(try_access_range_of<T>(first, last));
}

}  // namespace tablemap

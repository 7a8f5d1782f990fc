// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/patterns/sampling_call.hpp"
#include "tablemap/detail/store/async_start.hpp"

#include <concepts>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace tablemap::inline v0_1 {

/// `sample_partitions` for callers that do not block: `async_sample_partitions(store, "Readings", token)`,
/// `async_sample_partitions(store, "Readings", {.rows = 1'000}, token)`, each with `call_options` before the token or
/// not: `void(std::exception_ptr, partition_sample)`. Handlers run as `detail/store/async_task.hpp` says.
///
/// \throws error all errors are those of the operation
template <class... Last>
auto async_sample_partitions(store_ptr const& s, std::string_view table, sample_options how, Last&&... last) {
    return detail::start_with(s, detail::sampling_call(s, std::string{table}, how), std::forward<Last>(last)...);
}
template <class... Last>
requires(!std::same_as<std::remove_cvref_t<detail::first_argument<Last...>>,
                       sample_options>) auto async_sample_partitions(store_ptr const& s, std::string_view table,
                                                                     Last&&... last) {
    return async_sample_partitions(s, table, sample_options{}, std::forward<Last>(last)...);
}

}  // namespace tablemap

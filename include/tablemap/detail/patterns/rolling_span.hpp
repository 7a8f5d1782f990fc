// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/base/ticks.hpp"
#include "tablemap/patterns/period.hpp"

#include <optional>
#include <type_traits>

namespace tablemap::inline v0_1::detail {

/// A span of time, from `from` up to, not including, `to`; an empty bound means all time.
struct rolling_span {
    std::optional<ticks> from{};
    std::optional<ticks> to{};

    bool contains(ticks t) const noexcept { return (!from || *from <= t) && (!to || t < *to); }
};

template <class T> inline constexpr bool is_period = false;
template <class From, class To> inline constexpr bool is_period<period<From, To>> = true;

template <class Bound> std::optional<ticks> bound_in_ticks(Bound const& b) {
    if constexpr (std::is_same_v<Bound, no_bound>)
        return std::nullopt;
    else
        return ticks{b};
}

template <class From, class To> rolling_span span_of(period<From, To> const& p) {
    return {bound_in_ticks(p.from), bound_in_ticks(p.to)};
}

}  // namespace tablemap::detail

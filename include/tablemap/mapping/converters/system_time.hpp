// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/base/result.hpp"
#include "tablemap/base/ticks.hpp"
#include "tablemap/edm/converter.hpp"

#include <chrono>
#include <cstdint>
#include <limits>
#include <ratio>
#include <utility>

namespace tablemap::inline v0_1 {

namespace detail {

/// The tick in which a time lies. `count` units have passed since 1970, of which a tick has `units`. The first unit of
/// the tick must not come before `lowest`, so that the tick reads back.
result<ticks> tick_of_time(std::int64_t count, std::int64_t units, std::int64_t lowest);

/// The inverse of `tick_of_time`, for the first unit of the tick.
result<std::int64_t> time_of_tick(ticks tick, std::int64_t units);

error too_far_time();  ///< for a time that the member's type cannot hold

}  // namespace detail

/// Stores a time of the system's clock as Edm.DateTime, rounded down to 100 ns, so that the type
/// `std::chrono::system_clock::time_point` can be a member where the clock counts nanoseconds.
///
/// For units of which 100 ns are a multiple, counted in integers. Coarser ones need no converter. What is read back is
/// a whole number of ticks, so it is equal to what was written only if that was one. Filters round the values that they
/// compare in the same way.
///
/// Writing refuses a time outside the years 1601 to 9999, and one in the part of a tick with which the member's type
/// begins, since it would not read back (`library_errc::value_out_of_range`). Reading refuses a time outside these
/// years or outside what the member's type holds: 64 bits of nanoseconds reach from 1677 to 2262
/// (`library_errc::type_mismatch`).
template <class D>
requires detail::is_fraction_of_tick<D>
struct converter<std::chrono::sys_time<D>> {
    using stored = ticks;
    static constexpr bool keeps_order = true;

    static result<stored> to_property(std::chrono::sys_time<D> const& t) {
        return detail::tick_of_time(t.time_since_epoch().count(), units, std::numeric_limits<typename D::rep>::min());
    }

    static result<std::chrono::sys_time<D>> from_property(stored const& tick) {
        auto const count = detail::time_of_tick(tick, units);
        if (!count) return failure{count.error()};
        if (!std::in_range<typename D::rep>(*count)) return failure{detail::too_far_time()};
        return std::chrono::sys_time<D>{D{static_cast<typename D::rep>(*count)}};
    }

private:
    static constexpr std::int64_t units = std::ratio_divide<tick_duration::period, typename D::period>::num;
};

}  // namespace tablemap

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/base/result.hpp"
#include "tablemap/base/ticks.hpp"
#include "tablemap/edm/converter.hpp"

#include <chrono>
#include <concepts>
#include <cstdint>
#include <ratio>

namespace tablemap::inline v0_1 {

namespace detail {

/// The count in units of 100 ns, of which one unit of the duration has `factor`. `count` is meaningless unless `fits`.
result<std::int64_t> ticks_of_duration(std::int64_t count, bool fits, std::int64_t factor);

error broken_duration();     ///< for a count that is no whole number of the member's unit
error too_great_duration();  ///< for more than the member can hold

}  // namespace detail

/// Stores a duration as Edm.Int64, its count of 100 ns, which .NET's TimeSpan calls ticks.
///
/// For periods that are multiples of 100 ns and counts that are integers; others do not compile. Writing refuses a
/// duration whose count does not fit into 64 bits, some 29,000 years (`library_errc::value_out_of_range`). Reading
/// refuses a count that is no whole number of the member's unit, or beyond the member's type
/// (`library_errc::type_mismatch`).
template <std::integral R, class P>
requires detail::is_whole_ticks<std::chrono::duration<R, P>>
struct converter<std::chrono::duration<R, P>> {
    using stored = std::int64_t;
    using duration = std::chrono::duration<R, P>;

    static result<stored> to_property(duration const& v) {
        auto const count = static_cast<std::int64_t>(v.count());
        return detail::ticks_of_duration(count, holds(count, v.count()), factor);
    }

    static result<duration> from_property(stored const& v) {
        if (v % factor != 0) return failure{detail::broken_duration()};
        auto const count = static_cast<R>(v / factor);
        if (!holds(v / factor, count)) return failure{detail::too_great_duration()};
        return duration{count};
    }

private:
    static constexpr std::int64_t factor = std::ratio_divide<P, tick_duration::period>::num;

    /// True if the two are one number, after a cast from one of the types to the other.
    static constexpr bool holds(std::int64_t wide, R narrow) noexcept {
        return static_cast<R>(wide) == narrow && static_cast<std::int64_t>(narrow) == wide &&
               (wide < 0) == (narrow < R{});
    }
};

}  // namespace tablemap

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/base/result.hpp"

#include <chrono>
#include <compare>
#include <concepts>
#include <cstdint>
#include <iosfwd>
#include <ratio>
#include <string>
#include <string_view>

namespace tablemap::inline v0_1 {

/// 100 nanoseconds, the service's unit of time.
using tick_duration = std::chrono::duration<std::int64_t, std::ratio<1, 10'000'000>>;

/// A UTC instant as a count of 100 ns since 0001-01-01, which is what Edm.DateTime holds and .NET calls ticks.
///
/// Any count can be held; the service stores only `min()` to `max()`, checked when an entity is written. A
/// value-initialised `ticks` is year 1 and so outside: use `std::optional<ticks>` for a time that may be missing.
class ticks {
public:
    constexpr ticks() = default;
    constexpr explicit ticks(std::int64_t count) noexcept : count_(count) {}

    /// The instant of a system clock time; parts of a tick are dropped towards the past.
    ///
    /// \pre the time lies within what 64 bits of ticks hold (years -27,258 to 31,197)
    template <class Duration>
    constexpr ticks(std::chrono::sys_time<Duration> t) noexcept
        : count_(std::chrono::floor<tick_duration>(t.time_since_epoch()).count() + unix_epoch_count) {}

    constexpr std::int64_t count() const noexcept { return count_; }

    constexpr std::chrono::sys_time<tick_duration> time() const noexcept {
        return std::chrono::sys_time<tick_duration>{tick_duration{count_ - unix_epoch_count}};
    }

    static constexpr ticks min() noexcept { return ticks{504'911'232'000'000'000}; }  ///< 1601-01-01T00:00:00Z
    static constexpr ticks max() noexcept {
        return ticks{3'155'378'975'999'999'999};
    }  ///< 9999-12-31T23:59:59.9999999Z
    static ticks now() noexcept;

    /// True if the service can store it.
    constexpr bool storable() const noexcept { return *this >= min() && *this <= max(); }

    /// Reads the service's text, `YYYY-MM-DDThh:mm:ss[.f{1,7}]Z`, or `YYYY-MM-DD`, the beginning of that day in UTC.
    ///
    /// \return the time, or error `library_errc::type_mismatch` if the text is none
    static result<ticks> parse(std::string_view text);

    /// The service's text, without trailing zeros in the fraction.
    ///
    /// \pre the year is 1 to 9999
    std::string text() const;

    friend constexpr auto operator<=>(ticks, ticks) = default;
    friend std::ostream& operator<<(std::ostream& out, ticks t);  ///< its text, or the count if no year has it
    friend constexpr ticks operator+(ticks t, tick_duration d) noexcept { return ticks{t.count_ + d.count()}; }
    friend constexpr ticks operator-(ticks t, tick_duration d) noexcept { return ticks{t.count_ - d.count()}; }
    friend constexpr tick_duration operator-(ticks a, ticks b) noexcept { return tick_duration{a.count_ - b.count_}; }

private:
    static constexpr std::int64_t unix_epoch_count = 621'355'968'000'000'000;
    std::int64_t count_ = 0;
};

namespace detail {

template <class V> inline constexpr bool is_sys_time = false;
template <class D> inline constexpr bool is_sys_time<std::chrono::sys_time<D>> = true;

/// True if every duration of this type is a whole number of ticks, counted in an integer.
template <class D>
inline constexpr bool is_whole_ticks =
    std::integral<typename D::rep>&& std::ratio_divide<typename D::period, tick_duration::period>::den == 1;

template <class D> constexpr bool find_fraction_of_tick() {
    using units = std::ratio_divide<tick_duration::period, typename D::period>;
    return std::signed_integral<typename D::rep> && sizeof(typename D::rep) <= sizeof(std::int64_t) &&
           units::den == 1 && units::num > 1;
}

/// True if a tick is several units of this type, counted in a signed integer, as it is several nanoseconds.
template <class D> inline constexpr bool is_fraction_of_tick = find_fraction_of_tick<D>();

/// False if the text is no DateTime; `out` is untouched then.
bool parse_ticks(std::string_view text, ticks& out) noexcept;
void append_ticks(std::string& out, ticks t);
}  // namespace detail

}  // namespace tablemap

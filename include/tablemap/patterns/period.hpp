// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>

namespace tablemap::inline v0_1 {

namespace detail {
struct no_bound {};
}  // namespace detail

/// A span of time of a log, from `from` up to, not including, `to`. `since(…)`, `before(…)` and `since(…).before(…)`
/// make one; `period<>{}` is all time.
template <class From = detail::no_bound, class To = detail::no_bound> struct period {
    [[no_unique_address]] From from{};
    [[no_unique_address]] To to{};

    template <class Time>
    requires std::same_as<To, detail::no_bound> period<From, Time> before(Time end)
    const { return {from, end}; }
};

/// The entries of this time and newer ones. Several entries may have one time: to continue after the newest known
/// entry, pass its own time.
template <class Time> period<Time> since(Time begin) { return {begin}; }

/// The entries that are older than this time.
template <class Time> period<detail::no_bound, Time> before(Time end) { return {{}, end}; }

}  // namespace tablemap

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "store/ask.hpp"
#include "tablemap/base/ticks.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>

/// The times of sweeps, and of relays that sweep until they are stopped.
namespace tablemap::inline v0_1::detail {

/// The age of what was written at a time: not negative, and at most 100 years; nothing for a time that no row can hold.
inline tick_duration age_of(ticks written, ticks now = ticks::now()) {
    constexpr tick_duration longest = std::chrono::hours{24 * 365 * 100};
    if (!written.storable()) return tick_duration{0};
    return std::clamp(now - written, tick_duration{0}, longest);
}

/// The end of a wait of at most this time, a part of which is random: relays that begin together do not stay together.
inline time_point after_about(std::chrono::milliseconds wait, environment const& env) {
    return env.now() + std::chrono::duration_cast<time_point::duration>(env.jittered(wait, 0.2));
}

/// The same time, or the deadline of the call if that is earlier.
inline time_point within_call(time_point until, environment const& env) {
    auto const& deadline = env.options().deadline;
    return deadline ? std::min(until, *deadline) : until;
}

/// Waits as long as a sweep must that began then, has seen so many rows and keeps a rate; a rate of 0 is no limit. If
/// the call ends before, the next request fails.
inline task<> keep_rate(time_point began, std::size_t seen, double per_second) {
    constexpr std::chrono::hours longest_wait{24 * 365};
    if (per_second <= 0 || seen == 0) co_return;
    auto const call = co_await this_call();
    std::chrono::duration<double> const share{static_cast<double>(seen) / per_second};
    auto const wait = std::min<std::chrono::duration<double>>(share, longest_wait);
    auto const until = began + std::chrono::duration_cast<time_point::duration>(wait);
    co_await pause_until(within_call(until, call.env));
}

}  // namespace tablemap::detail

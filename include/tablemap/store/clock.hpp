// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/base/guid.hpp"

#include <chrono>
#include <cstdint>
#include <stop_token>

namespace tablemap::inline v0_1 {

using time_point = std::chrono::steady_clock::time_point;

/// The source of an operation's time and randomness. An exception of a clock ends the call and reaches its caller.
///
/// \par Thread safety
/// Implementations must allow concurrent calls.
class clock {
public:
    virtual ~clock() = default;

    virtual time_point now() = 0;

    /// 64 random bits, for waits, operation ids and generated keys. Those of `system` cannot be guessed.
    virtual std::uint64_t random() = 0;

    /// Blocks until this time, or until a stop is requested.
    virtual void sleep_until(time_point t, std::stop_token const& stop) = 0;

    /// The steady clock of the system and its random numbers.
    static clock& system() noexcept;
};

/// A random identifier from this clock's random bits.
inline guid random_guid(clock& c) {
    auto const high = c.random();
    return guid::from_random(high, c.random());
}

}  // namespace tablemap

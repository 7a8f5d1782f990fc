// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/base/guid.hpp"

#include <chrono>
#include <cstdint>
#include <stop_token>

namespace tablemap {

using time_point = std::chrono::steady_clock::time_point;

/// Where an operation's time and randomness come from. What a clock throws ends the call and reaches its caller. Thread safety:
/// implementations must allow concurrent calls.
class clock {
public:
    virtual ~clock() = default;

    virtual time_point now() = 0;

    /// 64 random bits, for waits, operation ids and generated keys. Nobody can guess those of `system`.
    virtual std::uint64_t random() = 0;

    /// Blocks until then, or until a stop is requested.
    virtual void sleep_until(time_point t, std::stop_token const& stop) = 0;

    /// The steady clock of the system and its random numbers.
    static clock& system() noexcept;
};

/// A random identifier of this clock's numbers.
inline guid random_guid(clock& c) {
    auto const high = c.random();
    return guid::from_random(high, c.random());
}

}  // namespace tablemap

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>

namespace tablemap::inline v0_1 {

/// The work that an outbox has left; from `outbox::status`.
struct outbox_status {
    std::size_t partitions = 0;      ///< with pending or parked effects
    std::int64_t pending = 0;        ///< effects that are to be applied
    std::int64_t parked = 0;         ///< effects that were set aside until `relay::put_back`
    std::chrono::nanoseconds lag{};  ///< the age of the oldest pending effect, by the clock of this machine; 0: none
    std::size_t unreadable =
        0;  ///< partitions whose head or oldest pending effect cannot be read; the counts lack them
};

}  // namespace tablemap

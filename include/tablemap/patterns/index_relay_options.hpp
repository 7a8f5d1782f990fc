// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/base/error.hpp"
#include "tablemap/base/ticks.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace tablemap::inline v0_1 {

/// Options of an `index_relay`.
struct index_relay_options {
    std::size_t page_size = 100;  ///< intents that are read at once, 1 to 1,000

    /// Tries for one entity whose rows elsewhere others change at the same time, at least 1. Then its intents are left
    /// to the next pass.
    int attempts = 10;

    /// The queue of `announce`, which tells `run` where there is work; it must exist. Its name has 3 to 56 characters.
    /// Relays of other tables have queues of their own: a relay takes their messages for strange ones. Types that share
    /// a table had better have a queue each: a relay can only put back the message of another type. Empty: `run` finds
    /// work by sweeps alone.
    std::string queue{};

    // of `index_relay::run`

    /// A sweep reads the whole table, and those of the indexes. Messages wait meanwhile: with a queue choose minutes.
    std::chrono::milliseconds sweep_every{15'000};

    std::chrono::milliseconds idle_wait{1'000};  ///< with a queue, the first wait when there is no work; later ones
                                                 ///< double
    std::chrono::milliseconds longest_idle_wait{15'000};

    /// Deliveries of a message whose partition has an intent that cannot be carried out, or that is not of this table.
    /// Then it goes to the queue `<queue>-poison`, with the reason. At least 1. Deliveries during which the store
    /// refuses, or others write the entity every time, lead to no poison.
    std::uint32_t deliveries = 5;

    std::function<ticks()> now = &ticks::now;  ///< the time that the age of intents is counted to
};

/// The work of one pass of an `index_relay`, or of several.
struct index_relay_report {
    std::size_t entities = 0;             ///< whose rows elsewhere were brought in step
    std::size_t intents = 0;              ///< that were carried out and erased, by this relay or another one
    std::size_t written = 0;              ///< rows elsewhere that were inserted or replaced, also equal ones
    std::size_t erased = 0;               ///< rows elsewhere that were erased
    std::size_t conflicts = 0;            ///< tries that were repeated since others changed something meanwhile
    std::size_t left = 0;                 ///< intents that stay: of entities that failed, of other indexes, unreadable
    std::chrono::nanoseconds lag{};       ///< the greatest age of an intent that was met
    std::optional<error> last_failure{};  ///< of an entity, or a fault that `run` went on after
};

}  // namespace tablemap

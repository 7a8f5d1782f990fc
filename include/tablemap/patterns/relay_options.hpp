// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/base/error.hpp"
#include "tablemap/base/ticks.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>

namespace tablemap::inline v0_1 {

/// Options of a relay.
struct relay_options {
    /// A relay works on a partition for so long until it renews its lease, which it does between effects; 1 second to
    /// 14 days. Choose more than a handler needs: if the lease runs out meanwhile, another relay may apply the effect
    /// once more.
    std::chrono::seconds lease{30};

    /// A lease of another relay counts for this much longer than it says. The clocks of all relays must agree within
    /// it; if they do not, an effect may be applied by two relays, and is still marked as done once.
    std::chrono::seconds clock_margin{5};

    int attempts = 5;  ///< calls of a handler for one effect, at least 1; then the effect is parked

    /// The wait between the first failure of an effect and its next try; each later one is twice as long, up to the
    /// longest. With 5 attempts the default waits are 1, 2, 4 and 8 seconds: an effect is parked no earlier than
    /// 15 seconds after its first failure. Choose more attempts or longer waits to bridge longer outages: with 12
    /// attempts it is 18 minutes. Not negative; 0 lets the next pass try again.
    std::chrono::milliseconds retry_wait{1'000};
    std::chrono::milliseconds longest_retry_wait{300'000};  ///< at most 14 days

    std::size_t page_size = 100;  ///< rows of an outbox that are read at once, 1 to 1,000

    /// Park a row that cannot be read, or an effect that the relay does not know, and go on; else the pass fails.
    bool skip_bad_rows = false;

    // of `relay::run`

    std::chrono::milliseconds idle_wait{1'000};  ///< the first wait when there is no work; later ones double
    std::chrono::milliseconds longest_idle_wait{15'000};
    std::chrono::milliseconds sweep_every{300'000};  ///< a sweep reads the whole table
    std::uint32_t foreign_dequeues = 5;  ///< takes of a message that is not of this outbox before it goes to the poison
                                         ///< queue

    std::function<ticks()> now = &ticks::now;  ///< the time that leases and waits are compared with
};

/// The circumstances of an effect that a handler applies. Valid during the call.
struct effect_context {
    std::string_view partition_key{};  ///< as it is stored
    std::string_view entity{};         ///< the row key of the entity whose change caused it
    std::int64_t sequence = 0;         ///< its number in the partition: with the partition key it names the effect
    int attempt = 1;                   ///< the number of this call, as far as earlier ones could be noted
    ticks committed{};                 ///< by the clock of the program that committed it
};

/// The end of a pass over a partition.
enum class pass_end : std::uint8_t {
    drained,           ///< no effect is pending
    left,              ///< effects are pending whose turn comes in a later pass, such as after a failure
    leased_elsewhere,  ///< another relay works on the partition; nothing was done
    lease_lost,        ///< the lease ran out, and another relay took it
};

/// The work of one pass of a relay, or of several.
struct relay_report {
    std::size_t applied = 0;              ///< effects that were applied and marked as done
    std::size_t failed = 0;               ///< calls of handlers that failed
    std::size_t parked = 0;               ///< effects that were set aside
    std::size_t bad_rows = 0;             ///< rows of the outbox that could not be read
    std::size_t passes = 0;               ///< partitions that were worked on
    std::int64_t pending = 0;             ///< effects that are left in those partitions
    std::chrono::nanoseconds lag{};       ///< the greatest age of a pending effect that was met
    pass_end end = pass_end::drained;     ///< of the last pass
    std::optional<error> last_failure{};  ///< of a handler, or a fault that the relay went on after
};

/// The work of `relay::put_back` on all partitions, and of `put_back` of relays of indexes and of lists.
struct put_back_report {
    std::size_t effects = 0;          ///< that are pending again; 0 for indexes and lists, whose relays park nothing
    std::size_t partitions = 0;       ///< of these effects, or that relays of indexes or lists hear of again
    std::size_t busy_partitions = 0;  ///< in which a relay works: nothing was done; call it again when that is done
    std::size_t messages_left = 0;    ///< that were taken from the poison queue and were left there: those that are no
                                      ///< message of this relay, and those of partitions that stay as they are
    std::optional<error> last_failure{};  ///< of a partition that was left as it is, such as a row that cannot be read
};

}  // namespace tablemap

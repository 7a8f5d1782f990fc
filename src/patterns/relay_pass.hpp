// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "patterns/partition_lease.hpp"
#include "patterns/relay_loop.hpp"
#include "tablemap/detail/patterns/relay_core.hpp"

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tablemap::inline v0_1::detail {

/// The queue of an outbox, for a relay.
relay_queue queue_of(relay_core const& relay) noexcept;

/// A pass over the pending effects of one partition: what was done, and the fault that ended it, if any.
struct pass_result {
    relay_report report{};
    std::optional<error> fault{};
};

/// Works on one partition. Reports to the observer if it held the lease, or met a fault. All is borrowed.
task<pass_result> relay_partition(relay_core const& relay, std::string_view partition_key, message_hold& message);

/// Adds the work of another pass.
void add(relay_report& total, relay_report const& pass);

/// Works on every partition with pending effects. The observer has heard of all faults. All is borrowed.
task<sweep_end> sweep_into(relay_core const& relay, relay_report& total);

/// Makes the parked effects of a partition pending again. Returns their number; `library_errc::too_many_conflicts`
/// while a relay works on it. The relay is borrowed.
task<result<std::size_t>> put_back_in(relay_core const& relay, std::string partition_key);

/// Reads a page of heads for their partitions. A row that cannot be read is an error: its partition would be forgotten.
result<std::vector<std::string>> partitions_in(response& page);

/// Reports to the observer of the store, if there is one.
void notify(relay_core const& relay, relay_report const& done, std::optional<error> const& fault,
            std::chrono::nanoseconds took);

}  // namespace tablemap::detail

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "patterns/relay_loop.hpp"
#include "tablemap/detail/patterns/index_relay_core.hpp"

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace tablemap::inline v0_1::detail {

/// Carries out the intents of these partitions, so many at once, and adds what was done to a report. The message, for
/// which partitions are relayed one by one, is kept hidden meanwhile. Returns the first fault; the observer has heard
/// of all. All is borrowed.
task<std::optional<error>> relay_intents(index_relay_core const& relay, std::vector<std::string> partitions,
                                         std::size_t at_once, message_hold& message, index_relay_report& total);

/// The same for all partitions, and for the intents in the tables of the indexes.
task<sweep_end> sweep_intents(index_relay_core const& relay, index_relay_report& total);

/// Adds the work of another pass.
void add(index_relay_report& total, index_relay_report const& more);

/// Reports to the observer of the store, if there is one.
void notify(index_relay_core const& relay, index_relay_report const& done, std::optional<error> const& fault,
            std::chrono::nanoseconds took);

}  // namespace tablemap::detail

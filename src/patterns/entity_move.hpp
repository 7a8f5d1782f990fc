// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "patterns/partition_lease.hpp"

#include <optional>

namespace tablemap::inline v0_1::detail {

/// The result of one application of a move.
struct move_outcome {
    handled end{};
    std::optional<encoded_write> trace{};  ///< the erase of the trace, which goes with the effect
    bool lease_lost = false;
    std::optional<error> refused{};  ///< the store refused the rights that the move needs
};

/// Applies the effect that an entity is to be moved. The target is written as a tentative row; then one group, under
/// the lease, erases the source and inserts the trace; then the mark is taken off the target. What an earlier attempt
/// left is found by the trace, and by the mark of the target. All is borrowed.
///
/// \return error: a fault of a write under the lease, after which the pass ends
task<result<move_outcome>> move_entity(relay_core const& relay, partition_lease& lease, std::string_view partition_key,
                                       effect_row const& effect, effect_handler const& handler);

}  // namespace tablemap::detail

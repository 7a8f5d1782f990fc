// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/base/error.hpp"
#include "tablemap/edm/etag.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tablemap::inline v0_1 {

/// Options of an outbox. All programs that write to one outbox, and its relays, use the same.
struct outbox_options {
    /// The queue that tells relays where there is work; it must exist. Its name has 3 to 56 characters. Each outbox has
    /// a queue of its own: a relay takes messages of another outbox for strange ones. Empty: relays find work by sweeps
    /// alone.
    std::string queue{};
};

/// The result of a commit with effects: they are stored together with the change.
struct outbox_receipt {
    std::vector<etag> etags{};          ///< of the transaction's operations, as `transaction::commit` returns them
    std::int64_t first_sequence = 0;    ///< the number of the first effect in its partition; 0: there was no effect
    std::optional<error> not_queued{};  ///< the queue took no message: a sweep finds the effects
};

}  // namespace tablemap

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/base/error.hpp"
#include "tablemap/base/ticks.hpp"
#include "tablemap/patterns/index_relay_options.hpp"

#include <cstddef>
#include <functional>
#include <optional>
#include <string>

namespace tablemap::inline v0_1 {

/// The work of a sweep of an `expiry_sweeper`.
struct [[nodiscard]] expiry_report {
    std::size_t seen = 0;       ///< rows of the index, of times that are past
    std::size_t erased = 0;     ///< entities that this sweep erased
    std::size_t prolonged = 0;  ///< entities that have a later time by now, or none
    std::size_t changed = 0;    ///< entities that others changed between look and erase; the next sweep looks again
    /// Rows whose entity was not there any more. This counts, too, entities that were not there when they were erased
    /// once more after a lost response: whether this sweep erased them is not known.
    std::size_t gone = 0;

    std::size_t in_doubt = 0;  ///< entities that may be erased: a response was lost
    std::size_t failed = 0;    ///< rows or entities that cannot be read, and entities that cannot be erased

    std::optional<error> last_failure{};  ///< of one of those that failed or are in doubt

    /// The intents of the partitions of these entities that were carried out after each page, which removes the rows of
    /// the index. Intents that are left here do not keep the sweep from being complete: the next one, or an
    /// `index_relay`, carries them out.
    index_relay_report relayed{};

    /// The error that ended the sweep early: a page of the index could not be read, cancelled, past the deadline, or a
    /// fault that concerns every entity.
    std::optional<error> ended_by{};

    /// The place to go on from then: `sweep_from(*cursor)`. It may be kept, and used by another process.
    std::optional<std::string> cursor{};

    /// True if all rows of the past were read, from where this call began, and each expired entity that they name is
    /// erased or was changed by others. What `sweep` did before a `sweep_from` is in its own report.
    bool complete() const noexcept { return !ended_by && failed == 0 && in_doubt == 0; }
};

/// Options of an `expiry_sweeper`.
struct expiry_options {
    std::size_t page_size = 100;  ///< rows of the index that are read at once, 1 to 1,000

    /// The most rows of the index in a second, on average, counted by the clock of the call: the sweep waits before it
    /// reads the next page. 0: no limit but those of the store. Each process that sweeps has its own.
    double rows_per_second = 0;

    /// Entities that are read at once, groups that are erased at once, and partitions that are relayed at once, at
    /// least 1.
    std::size_t parallel = 16;

    std::function<ticks()> now = &ticks::now;  ///< entities whose time is this one or before it have expired

    /// Called with what was done so far, and the cursor, after each page; on the thread that drives the sweep. An
    /// exception ends the sweep.
    std::function<void(expiry_report const&)> progress{};
};

}  // namespace tablemap

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/base/error.hpp"
#include "tablemap/base/ticks.hpp"

#include <chrono>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>

namespace tablemap::inline v0_1 {

/// Options of a `large_table`. Programs on one table may have different ones.
struct large_options {
    /// Values of at most so many bytes are stored in the row, at most 24,000. All properties of a row may have 1 MiB,
    /// in which each character of text counts as two bytes.
    std::size_t inline_bytes = 16 * 1024;

    std::size_t parallel = 4;  ///< values of one entity that are read or stored at once, at least 1
};

/// The work of a sweep of a `large_collector`.
struct [[nodiscard]] large_report {
    std::size_t blobs = 0;      ///< that were looked at
    std::size_t in_use = 0;     ///< that their entity names
    std::size_t young = 0;      ///< blobs and permits whose writer may still be at work
    std::size_t deleted = 0;    ///< blobs
    std::size_t permits = 0;    ///< permits of writers that were erased
    std::size_t changed = 0;    ///< blobs and permits that others changed meanwhile; the next sweep looks again
    std::size_t strangers = 0;  ///< blobs and rows whose names no `large_table` makes; they are left alone

    std::size_t in_doubt = 0;  ///< blobs that may be deleted, or permits that may be erased: a response was lost
    std::size_t failed = 0;    ///< blobs and permits about which a request failed

    std::optional<error> last_failure{};  ///< of one of those that failed or are in doubt

    /// The error that ended the sweep early: a page could not be read, cancelled, past the deadline, or a fault that
    /// concerns every blob.
    std::optional<error> ended_by{};

    /// The place to go on from then: `sweep_from(*cursor)`. It may be kept, and used by another process.
    std::optional<std::string> cursor{};

    /// True if all was looked at, from where this call began, and nothing failed.
    bool complete() const noexcept { return !ended_by && failed == 0 && in_doubt == 0; }
};

/// Options of a `large_collector`.
struct large_collector_options {
    /// A writer has so much time from its permit to its commit. If it takes longer, its write fails. Not negative.
    std::chrono::seconds grace = std::chrono::hours{24};

    std::size_t page_size = 1000;  ///< blobs, or permits, that are listed at once, 1 to 1,000

    /// The most blobs and permits in a second, on average, counted by the clock of the call: the sweep waits before it
    /// reads the next page. 0: no limit but those of the store. Each process that sweeps has its own.
    double per_second = 0;

    std::size_t parallel = 16;  ///< blobs that are looked at at once, at least 1

    std::function<ticks()> now = &ticks::now;  ///< the time by which permits are old

    /// Called with what was done so far, and the cursor, after each page; on the thread that drives the sweep. An
    /// exception ends the sweep.
    std::function<void(large_report const&)> progress{};
};

}  // namespace tablemap

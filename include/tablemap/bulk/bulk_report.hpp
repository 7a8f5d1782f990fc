// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/base/entity_key.hpp"
#include "tablemap/base/error.hpp"
#include "tablemap/bulk/bulk_ledger.hpp"

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tablemap::inline v0_1 {

class rate_limiter;

/// A row of a bulk write that is not stored, or may not be, and the reason.
struct bulk_problem {
    std::size_t position = 0;  ///< in the source, from 0
    row_state state{};         ///< `failed` or `in_doubt`
    entity_key key{};          ///< empty where no key could be made
    tablemap::error error;
};

/// The progress of a bulk write.
struct bulk_progress {
    std::size_t rows = 0;           ///< taken from the source so far
    std::size_t stored = 0;         ///< of those
    std::size_t failed = 0;         ///< of those
    std::size_t in_doubt = 0;       ///< of those
    std::size_t stored_before = 0;  ///< of those that are stored: by the write that is resumed
    std::size_t absent = 0;         ///< of those that are stored: erased, but there was no such entity
    std::size_t kept = 0;           ///< of `erase_where`: changed meanwhile, and no longer what it looks for
    std::size_t requests = 0;       ///< sent so far
    std::size_t retries = 0;        ///< of those, tries of what was sent before
    std::size_t throttled = 0;      ///< responses of a store that was busy
    std::size_t under_way = 0;      ///< requests without a response yet
    std::size_t concurrency = 0;    ///< the limit of those at present
};

/// Options of a bulk write.
struct bulk_options {
    /// The most groups under way at once, each of another partition. A write begins with a few and adapts to the store:
    /// one more for each round of successes, half as many when it is busy.
    std::size_t parallel = 16;

    /// The most rows and bytes that are held back to make whole groups: when either limit is reached, the partition
    /// with the most rows is sent first.
    std::size_t buffered_rows = 50'000;
    std::size_t buffered_bytes = 64 * 1024 * 1024;

    /// The limit of entities per second. Null: that of the store, for the service 2,000 in a partition and 20,000 in
    /// all; a file has no limit. Writers that share one keep the limits together.
    std::shared_ptr<rate_limiter> rate{};

    /// Called after responses, on the thread that drives the write. An exception ends the write, or leaves the writer's
    /// call.
    std::function<void(bulk_progress const&)> progress{};

    /// Called for every row that is not stored, or may not be; as `progress`.
    std::function<void(bulk_problem const&)> on_problem{};

    /// Called with a ledger that may be saved at once, whenever `ledger_every` rows have ended since the last time; as
    /// `progress`. A program that is killed later can resume from it: rows that had not ended are in doubt in it.
    /// `erase_where` does not call it.
    std::function<void(bulk_ledger const&)> on_ledger{};
    std::size_t ledger_every = 10'000;

    /// The number of problems that are kept for the report, the first ones.
    std::size_t problems_kept = 1'000;

    /// The ledger of an earlier write of the same source.
    std::optional<bulk_ledger> resume{};
};

/// The result of a bulk write.
struct [[nodiscard]] bulk_report {
    bulk_progress totals{};
    bulk_ledger ledger{};  ///< of a resumed write that ended early with the rows that it did not come to
    std::vector<bulk_problem> problems{};  ///< see `bulk_options::problems_kept`

    /// The error that ended the write early: cancelled, past the deadline, or a fault that concerns every row.
    std::optional<error> ended_by{};

    /// True if the source was read to its end and every row is stored.
    bool complete() const noexcept { return !ended_by && ledger.complete(); }

    /// Checks that every row is stored.
    ///
    /// \throws error `ended_by`, or that of the first row that is not stored, or may not be
    void require_complete() const;
};

/// The result of `erase_where`. Rows are numbered in the order in which the query found them.
struct [[nodiscard]] erase_report {
    bulk_progress totals{};
    std::vector<bulk_problem> problems{};  ///< see `bulk_options::problems_kept`

    /// The error that ended it early: the query failed, cancelled, past the deadline, or a fault that concerns every
    /// row.
    std::optional<error> ended_by{};

    /// The position to go on from then: `query(…).from(cursor)`. Rows that are problems are not looked at again.
    std::optional<std::string> cursor{};

    std::size_t found() const noexcept { return totals.rows; }
    std::size_t erased() const noexcept { return totals.stored - totals.absent; }

    /// Rows that were not there any more. After a lost response they may have been erased by this very call.
    std::size_t gone() const noexcept { return totals.absent; }

    /// Rows that were changed meanwhile, and do not meet the condition any more.
    std::size_t kept() const noexcept { return totals.kept; }

    /// True if the query was read to its end and no row is a problem.
    bool complete() const noexcept { return !ended_by && totals.failed + totals.in_doubt == 0; }

    /// Checks that every row is erased.
    ///
    /// \throws error `ended_by`, or that of the first row that may still be there
    void require_complete() const;
};

}  // namespace tablemap

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/base/error.hpp"
#include "tablemap/base/ticks.hpp"
#include "tablemap/write/table_options.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace tablemap::inline v0_1 {

/// The span of time, in UTC, whose entities share a table of a `rolling_table`, and the digits that end its name.
enum class table_per : std::uint8_t {
    hour,   ///< yyyymmddhh
    day,    ///< yyyymmdd
    month,  ///< yyyymm
};

/// Options of a `rolling_table`.
struct rolling_options {
    /// No table is created for a period that ended longer ago, so a late row does not bring back a table that was
    /// dropped. Give every writer the same. `retain` refuses a shorter duration. Unset: every table is created. Not
    /// negative.
    std::optional<tick_duration> keep{};

    /// The time that `keep` and `retain` count from. It is called from every thread that writes or retains, several at
    /// once, and must not throw.
    std::function<ticks()> now = &ticks::now;
    table_options tables{};  ///< those of each table
};

/// Options of `rolling_table::retain`.
struct retain_options {
    /// True: a table that the store says is being deleted is waited for, for 2 minutes at most. False: it is reported
    /// and left alone, once the call's retry policy has tried as often as it does after `table_being_deleted`.
    bool wait_for_deletions = false;
};

/// The result of `rolling_table::retain`: what became of each table whose period is over.
struct [[nodiscard]] retention_report {
    enum class end : std::uint8_t {
        dropped,        ///< by this call
        gone,           ///< somebody else dropped it; with an error: a response was lost, and nobody can tell who did
        being_deleted,  ///< its deletion has begun and is not over; a store that does not say so gives `gone`
        kept,           ///< it could not be dropped, or after a lost response it may be there: the error says why
    };
    struct table_end {
        std::string table{};
        retention_report::end end{};
        std::optional<error> why{};
    };

    std::vector<table_end> tables{};  ///< in order of time, the oldest first

    /// The names of the tables that this call dropped.
    std::vector<std::string> dropped() const;

    /// True unless a table was kept. Call `retain` again otherwise.
    bool complete() const noexcept;
};

}  // namespace tablemap

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/patterns/expiry_core.hpp"
#include "tablemap/detail/store/task_run.hpp"
#include "tablemap/detail/table/table_internals.hpp"
#include "tablemap/detail/write/table_call.hpp"
#include "tablemap/table/table.hpp"

#include <string>
#include <type_traits>
#include <utility>

namespace tablemap::inline v0_1 {

/// Erases the entities of T whose time is past, by the index that `expiry_in` declares.
///
///     tablemap::expiry_sweeper sweeper{sessions, {.rows_per_second = 25}};
///     auto const done = sweeper.sweep({.deadline = tablemap::within(std::chrono::minutes{1})});
///
/// It reads the rows of the index whose time is past, in the order of their hours or days, and the entity of each. It
/// erases an entity whose own time is past under the etag that it read: one that was prolonged meanwhile survives.
/// Rows of the index never decide. After each page of them it carries out the intents of the partitions that it erased
/// from, as `index_relay::run_once` does, so that the rows of what it erased go. The rows of entities that others write
/// need an `index_relay`.
///
/// Any number of sweepers may work on one table, in any number of processes: there is no lease. They read the same
/// rows, and each entity is erased by one of them.
///
/// \par Thread safety
/// All members may be called from any number of threads.
/// \par Lifetime
/// Copies are cheap and share the store, which they keep alive.
template <class T> class expiry_sweeper {
    using checked = std::bool_constant<detail::check_expiring<T>()>;  // a static_assert would add an error
    static constexpr bool is_expiring = checked::value;

public:
    /// \throws error `library_errc::value_out_of_range` for an option that cannot be used
    explicit expiry_sweeper(table<T> const& of, expiry_options options = {}) {
        if constexpr (is_expiring)
            core_ = detail::make_expiry_core<T>(detail::table_internals::shared_state(of), std::move(options));
    }

    /// Looks at every entity that the index has in the past, and erases those that have expired. A fault of one entity
    /// keeps no other one from being erased.
    ///
    /// \return what was done. It does not throw errors of the store: `ended_by` says why a sweep ended early, and
    /// `cursor` where to go on
    /// \par Round trips
    /// One for each page of the index, one for each row, and one for each group of up to 100 entities and rows of
    /// indexes of one partition that are erased; and those of `index_relay::run_once` for each partition of a page that
    /// has an entity which had expired or was gone.
    expiry_report sweep(call_options const& o = {}) const { return sweep_from({}, o); }

    /// Goes on where a sweep ended early. Rows that were added before that place meanwhile are left to the next
    /// `sweep`.
    ///
    /// \return as `sweep`; `ended_by` is `library_errc::invalid_cursor` for a cursor of something else
    expiry_report sweep_from(std::string cursor, call_options const& o = {}) const {
        detail::table_call<expiry_report> call{core_->entities, "sweep",
                                               detail::sweep_expired(core_, std::move(cursor))};
        return value_or_throw(detail::run(*core_->entities->store, call, o));
    }

private:
    detail::expiry_core_ptr core_{};
};

}  // namespace tablemap

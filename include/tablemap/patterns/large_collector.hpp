// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/patterns/large_options.hpp"
#include "tablemap/store/options.hpp"
#include "tablemap/store/store.hpp"

#include <memory>
#include <string>

namespace tablemap::inline v0_1 {

namespace detail {
struct large_collection;
}

/// Deletes the blobs of a `large_table` that no row names: of values that were replaced, of entities that were erased,
/// and of writers whose process ended. It needs no type.
///
///     tablemap::large_collector const collector{store, "Documents", "document-values", {.per_second = 100}};
///     auto const done = collector.sweep({.deadline = tablemap::within(std::chrono::minutes{10})});
///
/// It never deletes a blob that a row names, or will name: a writer has a permit, a row, from before it stores blobs
/// until the transaction that names them. The collector erases permits older than `grace`, and with them the writer's
/// chance to commit, before it deletes the writer's blobs. Each deletion is under the etag that was listed.
///
/// Any number of collectors may work on one table, in any number of processes, beside readers and writers.
///
/// \par Thread safety
/// All members may be called from any number of threads.
/// \par Lifetime
/// Copies are cheap and share the store, which they keep alive.
class large_collector {
public:
    /// \pre `s` is not null
    /// \throws error as the constructor of `large_table`; `library_errc::value_out_of_range` for an option that cannot
    /// be used
    large_collector(store_ptr s, std::string table, std::string container, large_collector_options options = {});

    /// Looks at every blob of the table, and then at every permit. A fault of one of them keeps no other one from being
    /// deleted.
    ///
    /// \return what was done. It does not throw errors of the store: `ended_by` says why a sweep ended early, and
    /// `cursor` where to go on
    /// \par Round trips
    /// One for each page of blobs. Two for each blob that a row names, and at most eight for others. One for each page
    /// of permits, for which the store reads the keys of all rows of the table, and one for each old permit.
    large_report sweep(call_options const& o = {}) const { return sweep_from({}, o); }

    /// Goes on where a sweep ended early.
    ///
    /// \return as `sweep`; `ended_by` is `library_errc::invalid_cursor` for a cursor of something else
    large_report sweep_from(std::string cursor, call_options const& o = {}) const;

private:
    std::shared_ptr<detail::large_collection const> core_;
};

}  // namespace tablemap

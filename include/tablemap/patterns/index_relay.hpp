// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/patterns/index_relay_core.hpp"
#include "tablemap/patterns/index_relay_options.hpp"
#include "tablemap/table/table.hpp"

#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace tablemap::inline v0_1 {

/// Keeps the indexes of a type in other partitions and tables (`index_in`): carries out the intents that writes have
/// stored. Any number of relays in any number of processes may work on one table: there is no lease, and their passes
/// over an entity end with the same rows.
///
///     tablemap::index_relay relay{employees};
///     relay.create_if_not_exists();
///     relay.run({.stop = stop.get_token()});
///
/// A pass over an entity reads the rows elsewhere that its intents name, then the entity, writes the rows that it
/// implies, erases the others, and then erases the intents. If others change something meanwhile it begins again.
///
/// \par Thread safety
/// All members may be called from any number of threads.
/// \par Lifetime
/// Copies are cheap and share the store, which they keep alive.
template <class T> class index_relay {
public:
    /// \throws error `library_errc::value_out_of_range` for an option that cannot be used
    explicit index_relay(table<T> const& of, index_relay_options options = {}) {
        static_assert(detail::has_elsewhere<T>,
                      "tablemap[P3]: this type has no index in another partition or table, so there is nothing to "
                      "relay; declare an index_in<...>(...) in its mapping");
        value_or_throw(detail::check_options(options));
        if constexpr (detail::has_elsewhere<T>)
            core_ = std::make_shared<detail::index_relay_core const>(
                detail::index_relay_core{detail::table_internals::shared_state(of), detail::index_set_of<T>,
                                         detail::row_types_of<T>(), std::move(options)});
    }

    /// Creates the tables of the indexes unless they exist.
    ///
    /// \par Round trips
    /// One for each of them.
    void create_if_not_exists(call_options const& o = {}) const { value_or_throw(try_create_if_not_exists(o)); }
    result<void> try_create_if_not_exists(call_options const& o = {}) const {
        for (auto const& name : tables())
            if (auto r = table<dynamic_entity>{core_->table->store, name}.try_create_if_not_exists(o); !r)
                return failure{std::move(r).error()};
        return {};
    }

    /// The tables of the indexes, without that of the entities.
    std::set<std::string> tables() const {
        std::set<std::string> all;
        for (auto const& index : core_->indexes.elsewhere)
            if (!index.table.empty()) all.insert(std::string{index.table});
        return all;
    }

    /// Carries out the intents of one partition: `run_once(partition("Sales"))`.
    ///
    /// \return what was done
    /// \throws error those of the store; `library_errc::too_many_conflicts`, those of an intent or an entity that
    /// cannot be read. The intents of other entities are carried out nevertheless
    /// \par Round trips
    /// One for each page of intents. For each entity with intents four: the rows elsewhere, the entity, the changes
    /// and the intents; one more if rows are written and others erased, and two more if a row is new. Reads and changes
    /// of several rows count as one, since they are sent at once.
    template <class... Values>
    index_relay_report run_once(partition_values<Values...> const& p, call_options const& o = {}) const {
        return value_or_throw(try_run_once(p, o));
    }
    template <class... Values>
    result<index_relay_report> try_run_once(partition_values<Values...> const& p, call_options const& o = {}) const {
        detail::query_keys keys;
        if (auto r = detail::encode_partition<T>(keys, p); !r)
            return failure{r.error().in("run_once", core_->table->name)};
        return run("run_once", detail::relay_indexes(core_, std::move(keys.partitions)), o);
    }

    /// Carries out the intents of all partitions, and those in the tables of the indexes, which relays have left that
    /// ended before they were done.
    ///
    /// \return what was done
    /// \throws error the first of those that `run_once` throws
    /// \par Cost
    /// The store reads every row of these tables to find the intents.
    index_relay_report sweep(call_options const& o = {}) const { return value_or_throw(try_sweep(o)); }
    result<index_relay_report> try_sweep(call_options const& o = {}) const {
        return run("sweep", detail::relay_indexes(core_, {}), o);
    }

    /// Sweeps, and sleeps in between, until the call's deadline or stop. Faults are reported to the observer, and what
    /// they left is tried again by the next sweep.
    ///
    /// \return what was done, in total
    index_relay_report run(call_options const& o) const { return value_or_throw(try_run(o)); }
    result<index_relay_report> try_run(call_options const& o) const {
        return run("run", detail::relay_indexes_until_stopped(core_), o);
    }

    /// Compares all rows of the indexes elsewhere with what the entities imply. Rows of entities that have an intent
    /// are left to the relays, so others may write and relay meanwhile.
    ///
    /// \return the findings, at most 1,000 of which are listed; none is `held_twice`
    /// \throws error those of the store
    /// \par Round trips
    /// One for each page of both tables; two for each 16 rows of an index and of those that entities imply; five for
    /// each finding.
    /// \par Cost
    /// The store reads every row of the entities' table.
    index_report verify(call_options const& o = {}) const { return value_or_throw(try_verify(o)); }
    result<index_report> try_verify(call_options const& o = {}) const {
        return run("verify", detail::audit_rows_elsewhere(core_, false), o);
    }

    /// The same, and repairs what it finds, as a pass of a relay does: makes the rows of an index that was declared
    /// when there were entities already, and erases those that no entity implies. Safe while others write and relay.
    ///
    /// \return the findings; `index_finding::repaired` says which were repaired
    /// \throws error as `verify`; in doubt if something was or may have been repaired, which stays so
    /// \par Round trips
    /// As `verify`, and up to seven for each finding.
    index_report rebuild(call_options const& o = {}) const { return value_or_throw(try_rebuild(o)); }
    result<index_report> try_rebuild(call_options const& o = {}) const {
        return run("rebuild", detail::audit_rows_elsewhere(core_, true), o);
    }

private:
    template <class V>
    result<V> run(std::string_view action, detail::task<result<V>> first, call_options const& o) const {
        return detail::run(*core_->table->store, detail::index_relay_call<V>{core_, action, std::move(first)}, o);
    }

    detail::index_relay_ptr core_;
};

}  // namespace tablemap

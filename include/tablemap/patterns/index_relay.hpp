// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/patterns/index_relay_core.hpp"
#include "tablemap/patterns/index_relay_options.hpp"
#include "tablemap/table/table.hpp"

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
/// `async_index_relay` has the same operations for callers that do not block.
///
/// \par Thread safety
/// All members may be called from any number of threads.
/// \par Lifetime
/// Copies are cheap and share the store, which they keep alive.
template <class T> class index_relay {
public:
    /// \throws error `library_errc::value_out_of_range` for an option that cannot be used
    explicit index_relay(table<T> const& of, index_relay_options options = {})
        : calls_(detail::make_index_relay<T>(detail::table_internals::shared_state(of), std::move(options))) {}

    /// Creates the tables of the indexes unless they exist.
    ///
    /// \par Round trips
    /// One for each of them.
    void create_if_not_exists(call_options const& o = {}) const { value_or_throw(try_create_if_not_exists(o)); }
    result<void> try_create_if_not_exists(call_options const& o = {}) const {
        return run(calls_.create_if_not_exists(), o);
    }

    /// The tables of the indexes, without that of the entities.
    std::set<std::string> tables() const { return calls_.tables(); }

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
        return run(calls_.run_once(detail::relayed_partitions<T>(p)), o);
    }

    /// Carries out the intents of all partitions, and those in the tables of the indexes, which relays have left that
    /// ended before they were done.
    ///
    /// \return what was done
    /// \throws error the first of those that `run_once` throws
    /// \par Cost
    /// The store reads every row of these tables to find the intents.
    index_relay_report sweep(call_options const& o = {}) const { return value_or_throw(try_sweep(o)); }
    result<index_relay_report> try_sweep(call_options const& o = {}) const { return run(calls_.sweep(), o); }

    /// Tells the relays by a message that a partition has intents, so that they need not wait for the next sweep:
    /// `announce(partition("Sales"))`. Call it after a write, or after many to one partition. It may be left out, or
    /// fail: a sweep finds the intents.
    ///
    /// \pre `index_relay_options::queue` is the name of a queue
    /// \throws error `library_errc::value_out_of_range` without a queue; those of the store
    /// \par Round trips
    /// One for each partition.
    template <class... Values> void announce(partition_values<Values...> const& p, call_options const& o = {}) const {
        value_or_throw(try_announce(p, o));
    }
    template <class... Values>
    result<void> try_announce(partition_values<Values...> const& p, call_options const& o = {}) const {
        return run(calls_.announce(detail::relayed_partitions<T>(p)), o);
    }

    /// Has relays work again on the partitions whose work failed too often: takes the messages of the queue
    /// `<queue>-poison`, puts a message into the queue for each partition that they name, and then deletes them.
    /// Messages of others stay there. Call it when the cause is removed.
    ///
    /// If the call ends early, the messages that it did not reach appear again after at most 5 minutes.
    ///
    /// \return the partitions, and the messages that are left
    /// \throws error `library_errc::value_out_of_range` without a queue; those of the store
    /// \par Round trips
    /// One for each 32 messages and one more; one for each partition, and one for each message. A call takes about
    /// 10,000 messages at most.
    put_back_report put_back(call_options const& o = {}) const { return value_or_throw(try_put_back(o)); }
    result<put_back_report> try_put_back(call_options const& o = {}) const { return run(calls_.put_back(), o); }

    /// Takes messages from the queue, if there is one, and works on their partitions; sweeps at its start and then now
    /// and then; sleeps in between, until the call's deadline or stop. Faults are reported to the observer, and what
    /// they left is tried again by the next sweep. A message whose partition has an intent that cannot be carried out
    /// is tried again after a wait, and goes to the queue `<queue>-poison` with the reason after
    /// `index_relay_options::deliveries` of them. The intent stays in the table, and sweeps try it.
    ///
    /// \return what was done, in total
    index_relay_report run(call_options const& o) const { return value_or_throw(try_run(o)); }
    result<index_relay_report> try_run(call_options const& o) const { return run(calls_.run(), o); }

    /// Compares all rows of the indexes elsewhere with what the entities imply. Rows that an intent names are left to
    /// the relays and counted as `unsettled`, so others may write and relay meanwhile. `progress` of the options is
    /// given a resume point after each page; a later run that gets it as `resume` reads the rest.
    ///
    /// \return the findings; none is `held_twice`
    /// \throws error `library_errc::invalid_cursor` for a `resume` of something else; those of the store
    /// \par Round trips
    /// One for each page of both tables; two for each row of an index and for each that entities imply, `at_once` at
    /// a time; five for each finding.
    /// \par Cost
    /// The store reads every row of the entities' table.
    index_report verify(index_audit_options options = {}, call_options const& o = {}) const {
        return value_or_throw(try_verify(std::move(options), o));
    }
    result<index_report> try_verify(index_audit_options options = {}, call_options const& o = {}) const {
        return run(calls_.verify(std::move(options)), o);
    }

    /// The same, and repairs what it finds, as a pass of a relay does: makes the rows of an index that was declared
    /// when there were entities already, and erases those that no entity implies. Also repairs rows that only an intent
    /// beside the row names. Safe while others write and relay.
    ///
    /// \return the findings; `index_finding::repaired` says which were repaired
    /// \throws error as `verify`; in doubt if something was or may have been repaired, which stays so
    /// \par Round trips
    /// As `verify`, and up to seven for each finding.
    index_report rebuild(index_audit_options options = {}, call_options const& o = {}) const {
        return value_or_throw(try_rebuild(std::move(options), o));
    }
    result<index_report> try_rebuild(index_audit_options options = {}, call_options const& o = {}) const {
        return run(calls_.rebuild(std::move(options)), o);
    }

private:
    template <class V> static result<V> run(detail::index_relay_call<V> call, call_options const& o) {
        return detail::run(*call.store(), call, o);
    }

    detail::index_relay_calls calls_;
};

}  // namespace tablemap

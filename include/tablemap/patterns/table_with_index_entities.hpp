// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/patterns/list_operations.hpp"
#include "tablemap/detail/store/task_run.hpp"
#include "tablemap/patterns/index_entity.hpp"
#include "tablemap/patterns/relay_options.hpp"
#include "tablemap/table/table.hpp"

#include <chrono>
#include <concepts>
#include <string>
#include <utility>
#include <vector>

namespace tablemap::inline v0_1 {

/// A table with lists of the entities that have each value of some members.
///
///     using employee_table = tmap::table_with_index_entities<
///         employee, tmap::index_entity<"last_name", &employee::last_name>,
///         tmap::index_entity_in<"city", "EmployeesByCity", &employee::city>>;
///     employee_table employees{store, "Employees"};
///     employees.create_if_not_exists();
///     employees.insert({.department = "Sales", .id = 152, .last_name = "Hall", .city = "Oslo"});
///     employees.find_all_by<"last_name">(tmap::partition("Sales"), "Hall");
///     employees.relay();
///     employees.find_all_by<"city">("Oslo");
///
/// A list of an `index_entity` is in the partition of its entities and is written in one transaction with them. A list
/// of an `index_entity_in` is in another table: a write leaves an intent beside the entity, and `relay` makes the list
/// equal to it. A list that outgrows its row is stored in a blob, and comes back when it is small again.
/// `docs/patterns/index-entities.md` describes the rows and what is guaranteed.
///
/// Writes through anything else, a `table<T>` too, leave the lists as they are: `verify` finds what disagrees. Writes
/// that do not know the old value of an entity (unconditional ones, merges of chosen members) are not offered; use
/// `modify`.
///
/// Every operation blocks and comes in two forms, like those of `table<T>`. `async_table_with_index_entities` has the
/// same operations for callers that do not block.
///
/// \throws error from every write: those of `table<T>`; `library_errc::value_too_large` if a list would outgrow
/// `index_entity_options::list_bytes`; `too_many_conflicts` if others wrote the list each time; `malformed_response`
/// for a list that is damaged, with the name of the index as `member()`: nothing was applied
/// \par Thread safety
/// Full. Copies share the store.
template <class T, class... Indexes> class table_with_index_entities {
    using operations = detail::list_operations<T, Indexes...>;

public:
    using value_type = T;
    using key_type = key_of<T>;

    /// Names a table in a store; nothing is sent.
    ///
    /// \pre `s` is not null
    /// \throws error `library_errc::invalid_table_name`, `no_encryption_key`; `value_out_of_range` and
    /// `service_errc::invalid_resource_name` for an option that cannot be used
    table_with_index_entities(store_ptr s, std::string name, index_entity_options options = {},
                              table_options of_table = {})
        : operations_(std::move(s), std::move(name), std::move(options), of_table) {}

    std::string const& name() const& noexcept { return operations_.state().entities->name; }
    std::string name() const&& { return operations_.state().entities->name; }

    /// The container of the blobs that hold large lists.
    std::string const& container() const& noexcept { return operations_.state().options.container; }
    std::string container() const&& { return operations_.state().options.container; }

    /// The table of the entities, to read it. Writes through it leave the lists as they are.
    table<T> entities() const {
        auto const& s = *operations_.state().entities;
        return {s.store, s.name, detail::options_used_by(s)};
    }

    /// Creates the table of the entities and those of lists unless they exist. The container of blobs is created when
    /// the first list needs it.
    ///
    /// \par Round trips
    /// One for each table.
    void create_if_not_exists(call_options const& o = {}) const { value_or_throw(try_create_if_not_exists(o)); }
    result<void> try_create_if_not_exists(call_options const& o = {}) const {
        auto const& s = operations_.state();
        for (auto const name : s.tables) {
            if (name.empty()) continue;
            table<dynamic_entity> const lists{s.entities->store, std::string{name}};
            if (auto r = lists.try_create_if_not_exists(o); !r) return failure{std::move(r).error()};
        }
        if (auto r = entities().try_create_if_not_exists(o); !r) return failure{std::move(r).error()};
        return {};
    }

    /// Reads all entities that have a value, in the order of their row keys: those of one partition for an
    /// `index_entity`, `find_all_by<"last_name">(tmap::partition("Sales"), "Hall")`; those of the whole table for an
    /// `index_entity_in`, `find_all_by<"city">("Oslo")`. An entity that a list names and that does not have the value
    /// is passed over.
    ///
    /// \return the entities with their etags; all of them are in memory
    /// \throws error `library_errc::malformed_response` for a list that is damaged, with the name as `member()`
    /// \par Round trips
    /// One for the list, one more if it is in a blob, and one for each entity, 16 beside each other.
    template <detail::fixed_string Name, class... Values, class Value>
    std::vector<entity<T>> find_all_by(partition_values<Values...> const& in, Value const& value,
                                       call_options const& o = {}) const {
        return value_or_throw(try_find_all_by<Name>(in, value, o));
    }
    template <detail::fixed_string Name, class... Values, class Value>
    result<std::vector<entity<T>>> try_find_all_by(partition_values<Values...> const& in, Value const& value,
                                                   call_options const& o = {}) const {
        if constexpr (detail::check_list_is_named<detail::lists_in::of_entities, Name, Indexes...>())
            return find_all<Name>(operations::partitions_of(in), value, o);
    }
    template <detail::fixed_string Name, class Value>
    std::vector<entity<T>> find_all_by(Value const& value, call_options const& o = {}) const {
        return value_or_throw(try_find_all_by<Name>(value, o));
    }
    template <detail::fixed_string Name, class Value>
    result<std::vector<entity<T>>> try_find_all_by(Value const& value, call_options const& o = {}) const {
        if constexpr (detail::check_list_is_named<detail::lists_in::another_table, Name, Indexes...>())
            return find_all<Name>(std::vector<std::string>{}, value, o);
    }

    /// Stores a new entity.
    ///
    /// \return the entity with its etag; the etag is empty if a response was lost and only a list shows that the entity
    /// was stored
    /// \throws error `service_errc::entity_already_exists`
    /// \par Round trips
    /// One, and one if it has a value whose list is in its partition; two or three more for a list in a blob; with a
    /// queue, one if lists in other tables change. This holds for all writes, besides what they say.
    entity<T> insert(T value, call_options const& o = {}) const {
        return value_or_throw(try_insert(std::move(value), o));
    }
    result<entity<T>> try_insert(T value, call_options const& o = {}) const {
        return run(operations_.insert(std::move(value), operations::clock_of(o)), o);
    }

    /// Stores all of an entity that was read, under its etag. Refreshes its etag.
    ///
    /// \throws error as `table<T>::replace`
    /// \par Round trips
    /// One more, which reads the entity.
    void replace(entity<T>& e, call_options const& o = {}) const { value_or_throw(try_replace(e, o)); }
    result<void> try_replace(entity<T>& e, call_options const& o = {}) const { return run(operations_.replace(e), o); }

    /// Stores an entity in place of one that may be there. It is read before, and written as it was read.
    ///
    /// \return as `insert`
    /// \par Round trips
    /// One more, which reads the entity.
    entity<T> upsert_replace(T value, call_options const& o = {}) const {
        return value_or_throw(try_upsert_replace(std::move(value), o));
    }
    result<entity<T>> try_upsert_replace(T value, call_options const& o = {}) const {
        return run(operations_.upsert(std::move(value), operations::clock_of(o)), o);
    }

    /// Reads an entity, calls `change(T&)`, and stores the changes, as `table<T>::modify` does.
    ///
    /// \return the entity as it was stored
    /// \throws error as `table<T>::modify`
    /// \par Round trips
    /// One more, which reads the entity.
    template <std::invocable<T&> Change>
    entity<T> modify(key_type const& key, Change&& change, call_options const& o = {}) const {
        return value_or_throw(try_modify(key, std::forward<Change>(change), o));
    }
    template <std::invocable<T&> Change>
    result<entity<T>> try_modify(key_type const& key, Change&& change, call_options const& o = {}) const {
        return try_modify(key, std::forward<Change>(change), modify_options{}, o);
    }
    template <std::invocable<T&> Change>
    entity<T> modify(key_type const& key, Change&& change, modify_options const& m, call_options const& o = {}) const {
        return value_or_throw(try_modify(key, std::forward<Change>(change), m, o));
    }
    template <std::invocable<T&> Change>
    result<entity<T>> try_modify(key_type const& key, Change&& change, modify_options const& m,
                                 call_options const& o = {}) const {
        return run(operations_.modify(key, std::forward<Change>(change), m), o);
    }

    /// Erases the version that was read.
    ///
    /// \throws error as `table<T>::erase`
    /// \par Round trips
    /// One more, which reads the entity.
    template <std::same_as<entity<T>> Entity> void erase(Entity const& e, call_options const& o = {}) const {
        value_or_throw(try_erase(e, o));
    }
    template <std::same_as<entity<T>> Entity>
    result<void> try_erase(Entity const& e, call_options const& o = {}) const {
        return run(operations_.erase(e), o);
    }

    /// Carries out the intents of one partition, or of all: makes the lists in other tables equal to the entities. Any
    /// number of relays may work at once.
    ///
    /// \throws error those of the store. An entity or a list that cannot be read is passed over: see
    /// `index_entity_relay_report::failed`
    /// \par Round trips
    /// One for each 100 intents; for each entity one, one for its intent, and two for each list.
    /// \par Cost
    /// Without a partition the store reads every row of the table.
    index_entity_relay_report relay(call_options const& o = {}) const { return value_or_throw(try_relay(o)); }
    result<index_entity_relay_report> try_relay(call_options const& o = {}) const {
        return run(operations_.relay(std::vector<std::string>{}), o);
    }
    template <class... Values>
    index_entity_relay_report relay(partition_values<Values...> const& p, call_options const& o = {}) const {
        return value_or_throw(try_relay(p, o));
    }
    template <class... Values>
    result<index_entity_relay_report> try_relay(partition_values<Values...> const& p,
                                                call_options const& o = {}) const {
        return run(operations_.relay(operations::partitions_of(p)), o);
    }

    /// Carries out the intents of all partitions about every so often, and meanwhile those of the partitions that
    /// `index_entity_options::queue` names, until the call's deadline or stop. Messages wait while all partitions are
    /// looked at: with a queue choose minutes for `every`.
    ///
    /// \return the work of all passes; the last fault is their `last_failure`
    /// \throws error `library_errc::value_out_of_range` unless `every` is longer than nothing
    index_entity_relay_report run_relay(std::chrono::milliseconds every, call_options const& o) const {
        return value_or_throw(try_run_relay(every, o));
    }
    result<index_entity_relay_report> try_run_relay(std::chrono::milliseconds every, call_options const& o) const {
        return run(operations_.relay_until_stopped(every), o);
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
    result<put_back_report> try_put_back(call_options const& o = {}) const { return run(operations_.put_back(), o); }

    /// Compares all lists with the entities that they name, all entities with their lists, and all blobs with the lists
    /// that name them.
    ///
    /// \par Round trips
    /// One for each page of the tables and of the container, one or two for each list, one for each entity of a list,
    /// two for each blob, and up to five for each finding.
    index_entity_report verify(call_options const& o = {}) const { return value_or_throw(try_verify(o)); }
    result<index_entity_report> try_verify(call_options const& o = {}) const {
        return run(operations_.check(false), o);
    }

    /// The same, and repairs what it finds. Safe while others write. Makes the lists for a table that was written
    /// before without this class.
    ///
    /// \par Round trips
    /// As `verify`, and up to six for each finding; for a list that is damaged, one for each page of the entities that
    /// may be in it.
    index_entity_report repair(call_options const& o = {}) const { return value_or_throw(try_repair(o)); }
    result<index_entity_report> try_repair(call_options const& o = {}) const { return run(operations_.check(true), o); }

private:
    template <detail::fixed_string Name, class Value>
    result<std::vector<entity<T>>> find_all(result<std::vector<std::string>> partitions, Value const& value,
                                            call_options const& o) const {
        using type = typename operations::template type_of<Name>;
        if constexpr (detail::check_key_argument<type, Value const&>())
            return run(operations_.template find_all_by<Name>(std::move(partitions), type{value}), o);
    }

    template <class Call> static auto run(Call call, call_options const& o) {
        return detail::run(*call.store(), call, o);
    }

    operations operations_;
};

}  // namespace tablemap

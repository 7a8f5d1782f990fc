// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/mapping/key_of.hpp"
#include "tablemap/repository/query_range.hpp"
#include "tablemap/repository/table_administration.hpp"
#include "tablemap/repository/table_operations.hpp"
#include "tablemap/repository/table_options.hpp"
#include "tablemap/repository/transaction.hpp"
#include "tablemap/store/flow_run.hpp"
#include "tablemap/store/run.hpp"
#include "tablemap/store/store.hpp"

#include <concepts>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace tablemap {

namespace detail {
/// What the classes beside tables and ranges need of their insides.
struct table_access {
    template <class Table> static table_state const& state(Table const& t) noexcept { return t.operations_.state(); }
    template <class Table> static auto const& shared_state(Table const& t) noexcept {
        return t.operations_.shared_state();
    }
    template <class Range> static auto const& query(Range const& r) noexcept { return r.cell_->query; }
};
}  // namespace detail

/// A table whose rows are entities of T. To create and delete it: see `table_administration`.
///
/// Every operation blocks until it is done, in one round trip unless it says otherwise, and comes in two forms: the plain
/// one throws `tablemap::error`, the one named `try_…` returns a `result`. Writes are conditional on the etag that was read
/// unless their name says otherwise (`…_any`, `upsert_…`).
///
/// Errors of every operation: those of the store (`error_source`), `service_errc::table_not_found`,
/// `library_errc::deadline_exceeded` and `cancelled`. Errors of every write: a key that cannot be made
/// (`library_errc::invalid_key`, `key_too_large`, `key_part_does_not_fit`), a value that cannot be stored (`invalid_text`,
/// `value_out_of_range`, `value_too_large`, `entity_too_large`), each with the member; nothing is sent then. A lost answer is an error
/// whose `outcome()` is `in_doubt`.
///
/// Thread safety: all members may be called from any number of threads. Copies are cheap and share the store, which they
/// keep alive. `async_table<T>` of `tablemap/async.hpp` has the same operations for callers that do not block.
template <class T> class table : public table_administration {
public:
    using value_type = T;
    using key_type = key_of<T>;

    /// Names a table in a store; nothing is sent. Precondition: `s` is not null.
    /// Errors: `library_errc::invalid_table_name`; `no_encryption_key` if T has encrypted members and the store no keys.
    table(store_ptr s, std::string name, table_options options = {})
        : table(detail::table_operations<T>{std::move(s), std::move(name), options}) {}

    // ---- reading ----------------------------------------------------------------------------------------------------

    /// The entity of a key, or nothing: `find("Sales", 212)`, `find({"Sales", 212}, options)`.
    /// Errors: `library_errc::type_mismatch`, `unreadable_key` if the row is no T.
    std::optional<entity<T>> find(key_type const& key, call_options const& o = {}) const {
        return value_or_throw(try_find(key, o));
    }
    template <class... Values>
    requires(!(std::same_as<std::remove_cvref_t<Values>, key_type> || ...) &&
             !(std::same_as<std::remove_cvref_t<Values>, call_options> ||
               ...)) std::optional<entity<T>> find(Values&&... values)
    const { return find(key_type(std::forward<Values>(values)...)); }
    result<std::optional<entity<T>>> try_find(key_type const& key, call_options const& o = {}) const {
        return run(operations_.find(key), o);
    }

    /// The entities of many keys, in the order asked, nothing for those that are not there:
    /// `find_many({{"Sales", 212}, {"Sales", 213}})`. At most `at_once` point reads are under way at once.
    /// Errors: as `find`; the first error ends the call. Round trips: one for each key.
    std::vector<std::optional<entity<T>>> find_many(std::vector<key_type> const& keys, std::size_t at_once = 16,
                                                    call_options const& o = {}) const {
        return value_or_throw(try_find_many(keys, at_once, o));
    }
    result<std::vector<std::optional<entity<T>>>>
    try_find_many(std::vector<key_type> const& keys, std::size_t at_once = 16, call_options const& o = {}) const {
        return run(operations_.find_many(keys, at_once), o);
    }

    /// The entities of one partition, `query(partition("Sales"))`, or those of a range of its rows,
    /// `query(partition("Sales"), row_range(200, 300))`, also `row_between`, `leading`, `starting_with`; or of a list of
    /// partitions, `query(std::vector{partition("Sales"), partition("Audit")})`. Nothing is sent yet; see `query_range` for
    /// what it can be narrowed by. Cost: the store reads the rows of the range. Rows of other types may share the partition if
    /// their row keys begin with another literal, or if a discriminator tells. `o` holds for the whole iteration.
    /// Errors here: a key that cannot be made.
    template <class Partitions> query_range<T> query(Partitions const& p, call_options o = {}) const {
        return value_or_throw(try_query(p, std::move(o)));
    }
    template <class Partitions>
    query_range<T> query(Partitions const& p, row_selection auto const& rows, call_options o = {}) const {
        return value_or_throw(try_query(p, rows, std::move(o)));
    }
    template <class Partitions> result<query_range<T>> try_query(Partitions const& p, call_options o = {}) const {
        return try_query(p, leading(), std::move(o));
    }
    template <class Partitions>
    result<query_range<T>> try_query(Partitions const& p, row_selection auto const& rows, call_options o = {}) const {
        if constexpr (detail::check_partitions<Partitions>())
            return make_range(operations_.keys_of(p, rows), std::move(o));
    }

    // ---- reading by an index ----------------------------------------------------------------------------------------

    /// The entity with these values of a unique index, or nothing: `find_by<"by_email">("Sales", "donh@contoso.com")`, one for
    /// each member of partition key and index key. Of an index of whole copies it has no etag, which conditional writes want:
    /// `modify` and `find` read one. Of one with `include<...>` the entity itself is read. Errors: as `find`.
    /// Round trips: one; with `include<...>` two, and up to six while the entity is being changed.
    template <detail::fixed_string Name>
    std::optional<entity<T>> find_by(index_key<T, Name> const& key, call_options const& o = {}) const {
        return value_or_throw(try_find_by<Name>(key, o));
    }
    template <detail::fixed_string Name, class... Values>
    requires(!(std::same_as<std::remove_cvref_t<Values>, index_key<T, Name>> || ...) &&
             !(std::same_as<std::remove_cvref_t<Values>, call_options> ||
               ...)) std::optional<entity<T>> find_by(Values&&... values)
    const { return find_by<Name>(index_key<T, Name>(std::forward<Values>(values)...)); }
    template <detail::fixed_string Name>
    result<std::optional<entity<T>>> try_find_by(index_key<T, Name> const& key, call_options const& o = {}) const {
        if constexpr (detail::has_unique_index<T, Name>)
            return run(operations_.find_by(key), o);
        else
            return failure{error{library_errc::unsupported}};  // not reached: it does not compile
    }

    /// As `query`, of the copies in an index and in its order: `query_by<"by_last_name">(partition("Sales"), starting_with("J"))`;
    /// a selection of rows names the members of the index's key. Entities have no etag, and the timestamps of the index's rows.
    /// Rows of an index with `include<...>` hold some members only: `select<...>` those, and `find_many` whole entities.
    /// Errors when iteration begins: `library_errc::unsupported` for a condition on a member that the index does not copy.
    template <detail::fixed_string Name, class Partitions>
    auto query_by(Partitions const& p, call_options o = {}) const {
        return value_or_throw(try_query_by<Name>(p, std::move(o)));
    }
    template <detail::fixed_string Name, class Partitions>
    auto query_by(Partitions const& p, row_selection auto const& rows, call_options o = {}) const {
        return value_or_throw(try_query_by<Name>(p, rows, std::move(o)));
    }
    template <detail::fixed_string Name, class Partitions>
    auto try_query_by(Partitions const& p, call_options o = {}) const {
        return try_query_by<Name>(p, leading(), std::move(o));
    }
    template <detail::fixed_string Name, class Partitions>
    auto try_query_by(Partitions const& p, row_selection auto const& rows, call_options o = {}) const {
        if constexpr (detail::check_index_name<T, Name>()) {
            if constexpr (detail::check_partitions<Partitions>())
                return make_index_range<detail::find_index<T, Name>()>(p, rows, std::move(o));
        } else {
            return result<query_range<T>>{
                failure{error{library_errc::unsupported}}};  // not reached: it does not compile
        }
    }

    // ---- scans ------------------------------------------------------------------------------------------------------

    /// All entities of the table. Cost: the store reads every row, whatever the condition: ask `query` where there is a
    /// partition. Rows of other types are passed over where a discriminator property tells, else they are bad rows.
    query_range<T> scan(call_options o = {}) const { return range_of(detail::keys_of_scan<T>(), std::move(o)); }

    /// The entities of the table that meet a condition: `scan(field<&employee::age> > 60)`. Cost: as above.
    template <class Condition> query_range<T> scan(Condition const& c, call_options o = {}) const {
        return range_of(detail::keys_of_scan<T>(), std::move(o)).where(c);
    }

    // ---- writing ----------------------------------------------------------------------------------------------------

    /// Stores a new entity. Returns it with its etag. Errors: `service_errc::entity_already_exists`.
    entity<T> insert(T value, call_options const& o = {}) const {
        return value_or_throw(try_insert(std::move(value), o));
    }
    result<entity<T>> try_insert(T value, call_options const& o = {}) const {
        return run(operations_.write_value(write_kind::insert, std::move(value), {}, clock_of(o)), o);
    }

    /// Stores all of an entity that was read; properties without a member are gone. Refreshes its etag.
    /// Errors: `service_errc::update_condition_not_satisfied` if someone was faster, `resource_not_found`,
    /// `library_errc::missing_etag`.
    void replace(entity<T>& e, call_options const& o = {}) const { value_or_throw(try_replace(e, o)); }
    result<void> try_replace(entity<T>& e, call_options const& o = {}) const {
        return run(operations_.replace(e, clock_of(o)), o);
    }

    /// Stores the members of an entity that was read; properties without a member stay. Refreshes its etag.
    /// Errors: as `replace`; `library_errc::merge_cannot_remove` for an empty member, since a merge removes nothing.
    void merge(entity<T>& e, call_options const& o = {}) const { value_or_throw(try_merge(e, o)); }
    result<void> try_merge(entity<T>& e, call_options const& o = {}) const {
        return run(operations_.merge(e, clock_of(o)), o);
    }

    /// Stores chosen members of an entity that was read, or elements of a series: `merge(e, only<&employee::age>)`,
    /// `merge(e, element<&day_stats::messages>(9))`. Refreshes its etag. Errors: as `merge`, those of `element`.
    template <detail::choosing::choice Choice>
    void merge(entity<T>& e, Choice const& chosen, call_options const& o = {}) const {
        value_or_throw(try_merge(e, chosen, o));
    }
    /// Stores chosen properties of a dynamic entity that was read: `merge(e, only_properties{"Age"})`. Errors: as `merge`;
    /// `library_errc::invalid_property_name` for a property that the entity does not have.
    void merge(entity<T>& e, only_properties const& chosen, call_options const& o = {}) const {
        value_or_throw(try_merge(e, chosen, o));
    }
    result<void> try_merge(entity<T>& e, only_properties const& chosen, call_options const& o = {}) const {
        return run(operations_.merge(e, chosen, clock_of(o)), o);
    }
    template <detail::choosing::choice Choice>
    result<void> try_merge(entity<T>& e, Choice const& chosen, call_options const& o = {}) const {
        return run(operations_.merge(e, chosen, clock_of(o)), o);
    }
    /// Stores the members that changed since an earlier state of the entity, a copy made after the read:
    /// `merge(e, changed_since(before))`. False if there are none; nothing is sent then. Else refreshes its etag.
    /// Errors: as `merge`, `library_errc::merge_cannot_remove` for a member that was emptied since or an entry that was erased;
    /// `library_errc::key_changed`.
    bool merge(entity<T>& e, changed_since_t<T> const& since, call_options const& o = {}) const {
        return value_or_throw(try_merge(e, since, o));
    }
    result<bool> try_merge(entity<T>& e, changed_since_t<T> const& since, call_options const& o = {}) const {
        return run(operations_.merge(e, since, clock_of(o)), o);
    }

    /// Erases the version that was read. Errors: `service_errc::update_condition_not_satisfied` if it was changed since,
    /// `resource_not_found` if it is gone, `library_errc::missing_etag`.
    void erase(entity<T> const& e, call_options const& o = {}) const { value_or_throw(try_erase(e, o)); }
    result<void> try_erase(entity<T> const& e, call_options const& o = {}) const {
        return run(operations_.erase(e), o);
    }

    /// Reads an entity, calls `change(T&)`, and merges what that changed under the etag that was read; again, with a random
    /// wait, when someone was faster. Where a property is gone, or the row has an older version of T, the row is replaced;
    /// columns that T does not know stay. Returns what was stored, or what was read if nothing changed: nothing is written
    /// then. Round trips: two, and two for each conflict. `change` may be called several times, each time on a fresh value;
    /// what it throws ends the operation with nothing written.
    ///
    /// Errors: `service_errc::resource_not_found` if there is no such entity, `library_errc::too_many_conflicts` after
    /// `modify_options::attempts` tries, `library_errc::key_changed`. After a lost answer the row is read again: an unchanged
    /// etag is tried once more, an operation token of ours ends well, anything else is `in_doubt`.
    template <std::invocable<T&> Change>
    entity<T> modify(key_type const& key, Change&& change, call_options const& o = {}) const {
        return value_or_throw(try_modify(key, std::forward<Change>(change), o));
    }
    template <std::invocable<T&> Change>
    result<entity<T>> try_modify(key_type const& key, Change&& change, call_options const& o = {}) const {
        return run(operations_.modify(key, std::forward<Change>(change), {}), o);
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

    /// As `modify` of the entity that has the key of `initial`; where there is none, calls `change(T&)` on a copy of `initial` and
    /// inserts that: `modify_or_insert(counter{"visits"}, [](counter& c) { ++c.count; })`. Errors: as `modify`; someone's
    /// insert or erase is a conflict. After the lost answer of an insert the row is read: where there is none it is inserted
    /// again, an operation token of ours ends well, anything else is `in_doubt`.
    template <std::invocable<T&> Change>
    entity<T> modify_or_insert(T initial, Change&& change, call_options const& o = {}) const {
        return value_or_throw(try_modify_or_insert(std::move(initial), std::forward<Change>(change), o));
    }
    template <std::invocable<T&> Change>
    result<entity<T>> try_modify_or_insert(T initial, Change&& change, call_options const& o = {}) const {
        return try_modify_or_insert(std::move(initial), std::forward<Change>(change), modify_options{}, o);
    }
    template <std::invocable<T&> Change>
    entity<T> modify_or_insert(T initial, Change&& change, modify_options const& m, call_options const& o = {}) const {
        return value_or_throw(try_modify_or_insert(std::move(initial), std::forward<Change>(change), m, o));
    }
    template <std::invocable<T&> Change>
    result<entity<T>> try_modify_or_insert(T initial, Change&& change, modify_options const& m,
                                           call_options const& o = {}) const {
        return run(operations_.modify_or_insert(std::move(initial), std::forward<Change>(change), m, clock_of(o)), o);
    }

    /// Rewrites the rows that have an older version of T (see `versions`), each on condition that nobody changed it meanwhile;
    /// columns that T does not know stay. A row whose upgrade cannot be read is left as it is and reported, and so is one that
    /// holds what cannot be decrypted. Run again after an error it goes on where it ended; the error is `in_doubt` once any row
    /// may have been rewritten. Returns what was done. Errors: those of the key provider. Round trips: a scan of the table
    /// for old rows, and at least one for each.
    migration_report migrate(migration_options options = {}, call_options const& o = {}) const {
        return value_or_throw(try_migrate(std::move(options), o));
    }
    result<migration_report> try_migrate(migration_options options = {}, call_options const& o = {}) const {
        return run(operations_.migrate(std::move(options)), o);
    }

    /// Brings the encrypted values of all rows, and their blind indexes, under the current key: the step after a rotation, before
    /// the old key is forgotten. Each row is merged on condition that nobody changed it meanwhile. What cannot be decrypted is left
    /// as it is and its row reported. Run again after an error it reads the whole table again, and rewrites what is left; the
    /// error is `in_doubt` once any row may have been rewritten. Returns what was done.
    /// Errors: `library_errc::no_encryption_key`, those of the key provider. Round trips: a scan of the table, and at least one
    /// for each row that has to change.
    reencryption_report reencrypt(reencryption_options options = {}, call_options const& o = {}) const {
        return value_or_throw(try_reencrypt(std::move(options), o));
    }
    result<reencryption_report> try_reencrypt(reencryption_options options = {}, call_options const& o = {}) const {
        return run(operations_.reencrypt(std::move(options)), o);
    }

    /// Looks for rows of indexes that are out of step with the entities, in all of the table or in one partition,
    /// `verify_indexes(partition("Sales"))`, and writes nothing. What seems wrong is looked at again before it is a finding, so
    /// that writers at work are not taken for faults. Returns what was found. Errors: those of the store;
    /// `library_errc::invalid_cursor` for a `resume` of something else. Round trips: one for each page of rows; where they do
    /// not add up another one or two for each page of the partition, and about two for each row that is out of step.
    index_report verify_indexes(index_audit_options options = {}, call_options const& o = {}) const {
        return value_or_throw(try_verify_indexes(std::move(options), o));
    }
    template <class... Values>
    index_report verify_indexes(partition_values<Values...> const& p, index_audit_options options = {},
                                call_options const& o = {}) const {
        return value_or_throw(try_verify_indexes(p, std::move(options), o));
    }
    result<index_report> try_verify_indexes(index_audit_options options = {}, call_options const& o = {}) const {
        return run(operations_.audit_indexes(false, std::move(options)), o);
    }
    template <class... Values>
    result<index_report> try_verify_indexes(partition_values<Values...> const& p, index_audit_options options = {},
                                            call_options const& o = {}) const {
        return run(operations_.audit_indexes(false, p, std::move(options)), o);
    }

    /// The same, and mends what it finds: writes rows that are missing or differ, erases those that no entity implies, each on
    /// condition that neither the row nor its entity was changed meanwhile. Entities beside whose rows something was written
    /// have a new etag. A value that two entities have in a unique index is reported and left, and so is what cannot be read:
    /// a row that only begins like those of an index, without the members of the row key, is someone else's.
    /// Run again after an error it goes on; the error is `in_doubt` once anything may have been written. Run it after an index
    /// was declared for a table with rows, when all programs that write to the table know the index. Errors: as
    /// `verify_indexes`. Round trips: as there, and one for each group of up to 100 rows to be written.
    index_report rebuild_indexes(index_audit_options options = {}, call_options const& o = {}) const {
        return value_or_throw(try_rebuild_indexes(std::move(options), o));
    }
    template <class... Values>
    index_report rebuild_indexes(partition_values<Values...> const& p, index_audit_options options = {},
                                 call_options const& o = {}) const {
        return value_or_throw(try_rebuild_indexes(p, std::move(options), o));
    }
    result<index_report> try_rebuild_indexes(index_audit_options options = {}, call_options const& o = {}) const {
        return run(operations_.audit_indexes(true, std::move(options)), o);
    }
    template <class... Values>
    result<index_report> try_rebuild_indexes(partition_values<Values...> const& p, index_audit_options options = {},
                                             call_options const& o = {}) const {
        return run(operations_.audit_indexes(true, p, std::move(options)), o);
    }

    /// An empty group transaction of this table, with its options; entities of other types may join it. Nothing is sent.
    tablemap::transaction transaction() const {
        auto const& s = operations_.state();
        return {s.store, s.name, detail::options_used_by(s)};
    }

    // ---- unconditional writes ---------------------------------------------------------------------------------------

    /// Stores all of an entity, over any version of it. Errors: `service_errc::resource_not_found` if there is none.
    entity<T> replace_any(T value, call_options const& o = {}) const {
        return value_or_throw(try_replace_any(std::move(value), o));
    }
    result<entity<T>> try_replace_any(T value, call_options const& o = {}) const {
        return run(operations_.write_value(write_kind::replace, std::move(value), any_etag, clock_of(o)), o);
    }

    /// Stores chosen members over any version of an entity: `merge_any({.department = "Sales", .id = 212, .age = 35},
    /// only<&employee::age>)`. Returns the new etag. Errors: as `merge`, without conflicts.
    template <detail::choosing::choice Choice>
    etag merge_any(T const& value, Choice const& chosen, call_options const& o = {}) const {
        return value_or_throw(try_merge_any(value, chosen, o));
    }
    template <detail::choosing::choice Choice>
    result<etag> try_merge_any(T const& value, Choice const& chosen, call_options const& o = {}) const {
        return run(operations_.merge_any(value, chosen, clock_of(o)), o);
    }

    /// Erases any version of an entity: `erase_any({"Sales", 212})`. True if there was one.
    bool erase_any(key_type const& key, call_options const& o = {}) const {
        return value_or_throw(try_erase_any(key, o));
    }
    result<bool> try_erase_any(key_type const& key, call_options const& o = {}) const {
        return run(operations_.erase_any(key), o);
    }

    /// Stores all of an entity, whether or not it exists. Returns it with its etag.
    entity<T> upsert_replace(T value, call_options const& o = {}) const {
        return value_or_throw(try_upsert_replace(std::move(value), o));
    }
    result<entity<T>> try_upsert_replace(T value, call_options const& o = {}) const {
        return run(operations_.write_value(write_kind::upsert_replace, std::move(value), {}, clock_of(o)), o);
    }

    /// Stores the members of an entity, whether or not it exists; empty optionals are left out, so what they hold in the
    /// store stays. Returns the new etag.
    etag upsert_merge(T const& value, call_options const& o = {}) const {
        return value_or_throw(try_upsert_merge(value, o));
    }
    result<etag> try_upsert_merge(T const& value, call_options const& o = {}) const {
        return run(operations_.upsert_merge(value, clock_of(o)), o);
    }

    /// Stores chosen members of an entity, whether or not it exists. Returns the new etag.
    /// Errors: `library_errc::merge_cannot_remove` for an empty member.
    template <detail::choosing::choice Choice>
    etag upsert_merge(T const& value, Choice const& chosen, call_options const& o = {}) const {
        return value_or_throw(try_upsert_merge(value, chosen, o));
    }
    template <detail::choosing::choice Choice>
    result<etag> try_upsert_merge(T const& value, Choice const& chosen, call_options const& o = {}) const {
        return run(operations_.upsert_merge(value, chosen, clock_of(o)), o);
    }

    // ---- many rows --------------------------------------------------------------------------------------------------

    /// Inserts the values of a range, `insert_many(employees)`, or those that a function gives, a `std::optional<T>` at a time
    /// until an empty one: in groups, several at once, with the range read as they are sent. Rows that cannot be stored do not
    /// throw and keep no other from being stored: the report tells what became of each. What the source throws leaves the
    /// call, after what is under way was answered; give the rows to a `bulk_writer` to have a report even then.
    template <class Source>
    bulk_report insert_many(Source&& source, bulk_options options = {}, call_options const& o = {}) const {
        return write_many(write_kind::insert, source, std::move(options), o);
    }

    /// The same as `upsert_replace`: over what is there.
    template <class Source>
    bulk_report upsert_many(Source&& source, bulk_options options = {}, call_options const& o = {}) const {
        return write_many(write_kind::upsert_replace, source, std::move(options), o);
    }

    /// Erases the rows of this table that a query finds: `erase_where(employees.query(partition("Sales")).where(…))`. Each
    /// is erased as it was read; one that was changed meanwhile is read again, and kept if the condition does not hold any
    /// more. Rows of other types that the query finds are left alone, as far as their keys tell. Rows that cannot be
    /// erased do not throw: see the report. After an interruption it goes on when called again, or from the report's cursor.
    /// `o` holds, not the options of the range. Round trips: one for each page of keys, one for each group of up to 100 rows.
    erase_report erase_where(query_range<T> const& range, bulk_options options = {}, call_options const& o = {}) const {
        return run_flow(operations_.erase_where(detail::table_access::query(range), std::move(options), o.retry), o);
    }

private:
    template <class> friend class async_table;
    friend detail::table_access;

    explicit table(detail::table_operations<T> operations)
        : table_administration(operations.shared_state()), operations_(std::move(operations)) {}

    static clock& clock_of(call_options const& o) noexcept { return detail::table_operations<T>::clock_of(o); }

    template <class Op> static auto run(Op op, call_options const& o) { return detail::run(*op.where(), op, o); }

    // The source is borrowed: it outlives a call that blocks.
    template <class Source>
    bulk_report write_many(write_kind kind, Source& source, bulk_options options, call_options const& o) const {
        if constexpr (detail::check_source<T, Source>())
            return run_flow(operations_.write_many(kind, source, std::move(options), o.retry), o);
        else
            return {};
    }
    template <class Flow> auto run_flow(Flow f, call_options const& o) const {
        return value_or_throw(detail::run_flow(*operations_.state().store, f, o));
    }

    query_range<T> range_of(detail::query_keys keys, call_options o) const {
        auto const& shared = operations_.state();
        return query_range<T>{std::make_shared<detail::query_state<T>>(shared.store, shared.name, std::move(keys),
                                                                       std::move(o), shared.cipher)};
    }
    result<query_range<T>> make_range(result<detail::query_keys> keys, call_options o) const {
        if (!keys) return failure{std::move(keys).error()};
        return range_of(*std::move(keys), std::move(o));
    }

    template <std::size_t I, class Partitions>
    auto make_index_range(Partitions const& p, row_selection auto const& rows, call_options o) const {
        using range = query_range<T, detail::entity_of_index<T, I>>;
        auto keys = operations_.template keys_of<detail::by_index<T, I>>(p, rows);
        if (!keys) return result<range>{failure{std::move(keys).error()}};
        auto const& shared = operations_.state();
        return result<range>{range{std::make_shared<detail::query_state<T>>(
            shared.store, shared.name, *std::move(keys), std::move(o), shared.cipher, detail::index_rows<T, I>)}};
    }

    detail::table_operations<T> operations_;
};

}  // namespace tablemap

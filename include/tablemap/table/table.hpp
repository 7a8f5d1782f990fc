// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/store/flow_run.hpp"
#include "tablemap/detail/table/misuse.hpp"
#include "tablemap/store/store.hpp"
#include "tablemap/table/table_maintenance.hpp"
#include "tablemap/write/table_options.hpp"
#include "tablemap/write/transaction.hpp"

#include <concepts>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace tablemap {
/// A table whose rows are entities of T: what is here writes. Reading is in `table_reading`, what goes over all rows in
/// `table_maintenance`, and creating and deleting the table in `table_administration`.
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
template <class T> class table : public table_maintenance<T>, private detail::misuse_of_writing<T> {
public:
    using value_type = T;
    using key_type = key_of<T>;

    /// Names a table in a store; nothing is sent. Precondition: `s` is not null.
    /// Errors: `library_errc::invalid_table_name`; `no_encryption_key` if T has encrypted members and the store no keys.
    table(store_ptr s, std::string name, table_options options = {})
        : table(detail::table_operations<T>{std::move(s), std::move(name), options}) {}

    // ---- writing ----------------------------------------------------------------------------------------------------

    /// Stores a new entity. Returns it with its etag. Errors: `service_errc::entity_already_exists`.
    entity<T> insert(T value, call_options const& o = {}) const {
        return write_or_throw(write_kind::insert, std::move(value), {}, o);
    }
    result<entity<T>> try_insert(T value, call_options const& o = {}) const {
        return try_write(write_kind::insert, std::move(value), {}, o);
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
    template <std::same_as<entity<T>> Entity> void erase(Entity const& e, call_options const& o = {}) const {
        value_or_throw(try_erase(e, o));
    }
    template <std::same_as<entity<T>> Entity>
    result<void> try_erase(Entity const& e, call_options const& o = {}) const {
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
    /// etag is tried once more, an operation id of ours ends well, anything else is `in_doubt`.
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
    template <class... Arguments>
    requires detail::key_in_values<key_type, Arguments...> entity<T> modify(Arguments&&... values)
    const {
        return detail::with_key<key_type>(
            [&](auto const& key, auto&&... rest) -> decltype(auto) {
                return modify(key, std::forward<decltype(rest)>(rest)...);
            },
            std::forward<Arguments>(values)...);
    }
    template <class... Arguments>
    requires detail::key_in_values<key_type, Arguments...> result<entity<T>> try_modify(Arguments&&... values)
    const {
        return detail::with_key<key_type>(
            [&](auto const& key, auto&&... rest) -> decltype(auto) {
                return try_modify(key, std::forward<decltype(rest)>(rest)...);
            },
            std::forward<Arguments>(values)...);
    }

    /// As `modify` of the entity that has the key of `initial`; where there is none, calls `change(T&)` on a copy of `initial` and
    /// inserts that: `modify_or_insert(counter{"visits"}, [](counter& c) { ++c.count; })`. Errors: as `modify`; someone's
    /// insert or erase is a conflict. After the lost answer of an insert the row is read: where there is none it is inserted
    /// again, an operation id of ours ends well, anything else is `in_doubt`.
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

    /// An empty group transaction of this table, with its options; entities of other types may join it. Nothing is sent.
    tablemap::transaction transaction() const {
        auto const& s = operations_.state();
        return {s.store, s.name, detail::options_used_by(s)};
    }

    // ---- unconditional writes ---------------------------------------------------------------------------------------

    /// Stores all of an entity, over any version of it. Errors: `service_errc::resource_not_found` if there is none.
    entity<T> replace_any(T value, call_options const& o = {}) const {
        return write_or_throw(write_kind::replace, std::move(value), any_etag, o);
    }
    result<entity<T>> try_replace_any(T value, call_options const& o = {}) const {
        return try_write(write_kind::replace, std::move(value), any_etag, o);
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

    /// Erases any version of an entity: `erase_any("Sales", 212)`. True if there was one.
    bool erase_any(key_type const& key, call_options const& o = {}) const {
        return value_or_throw(try_erase_any(key, o));
    }
    result<bool> try_erase_any(key_type const& key, call_options const& o = {}) const {
        return run(operations_.erase_any(key), o);
    }
    template <class... Arguments>
    requires detail::key_in_values<key_type, Arguments...>
    bool erase_any(Arguments&&... values) const {
        return detail::with_key<key_type>(
            [&](auto const& key, auto&&... rest) -> decltype(auto) {
                return erase_any(key, std::forward<decltype(rest)>(rest)...);
            },
            std::forward<Arguments>(values)...);
    }
    template <class... Arguments>
    requires detail::key_in_values<key_type, Arguments...> result<bool> try_erase_any(Arguments&&... values)
    const {
        return detail::with_key<key_type>(
            [&](auto const& key, auto&&... rest) -> decltype(auto) {
                return try_erase_any(key, std::forward<decltype(rest)>(rest)...);
            },
            std::forward<Arguments>(values)...);
    }

    /// Stores all of an entity, whether or not it exists. Returns it with its etag.
    entity<T> upsert_replace(T value, call_options const& o = {}) const {
        return write_or_throw(write_kind::upsert_replace, std::move(value), {}, o);
    }
    result<entity<T>> try_upsert_replace(T value, call_options const& o = {}) const {
        return try_write(write_kind::upsert_replace, std::move(value), {}, o);
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

    // ---- refused at compile time ------------------------------------------------------------------------------------

    using detail::misuse_of_writing<T>::replace;
    using detail::misuse_of_writing<T>::try_replace;
    using detail::misuse_of_writing<T>::merge;
    using detail::misuse_of_writing<T>::try_merge;
    using detail::misuse_of_writing<T>::erase;
    using detail::misuse_of_writing<T>::try_erase;
    using detail::misuse_of_writing<T>::modify;
    using detail::misuse_of_writing<T>::try_modify;
    using detail::misuse_of_writing<T>::merge_any;
    using detail::misuse_of_writing<T>::try_merge_any;
    using detail::misuse_of_writing<T>::erase_any;
    using detail::misuse_of_writing<T>::try_erase_any;
    using detail::misuse_of_writing<T>::replace_any;
    using detail::misuse_of_writing<T>::try_replace_any;
    using detail::misuse_of_writing<T>::upsert_replace;
    using detail::misuse_of_writing<T>::try_upsert_replace;
    using detail::misuse_of_writing<T>::upsert_merge;
    using detail::misuse_of_writing<T>::try_upsert_merge;

private:
    using base = table_maintenance<T>;
    using base::operations_;
    using base::run;
    template <class> friend class async_table;
    friend detail::table_access;

    explicit table(detail::table_operations<T> operations) : base(std::move(operations)) {}

    static clock& clock_of(call_options const& o) noexcept { return detail::table_operations<T>::clock_of(o); }

    entity<T> write_or_throw(write_kind kind, T&& value, std::string_view if_match, call_options const& o) const {
        entity<T> written{std::move(value)};
        value_or_throw(operations_.write_now(kind, written, if_match, o));
        return written;
    }
    result<entity<T>> try_write(write_kind kind, T&& value, std::string_view if_match, call_options const& o) const {
        result<entity<T>> written;
        written->value = std::move(value);
        if (auto r = operations_.write_now(kind, *written, if_match, o); !r) written = failure{std::move(r).error()};
        return written;
    }

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
};

}  // namespace tablemap

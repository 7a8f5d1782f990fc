// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/table/misuse.hpp"
#include "tablemap/detail/table/table_internals.hpp"
#include "tablemap/detail/table/table_operations.hpp"
#include "tablemap/mapping/key_of.hpp"
#include "tablemap/read/query_range.hpp"
#include "tablemap/store/store.hpp"
#include "tablemap/table/table_administration.hpp"
#include "tablemap/write/table_options.hpp"
#include "tablemap/write/transaction.hpp"

#include <concepts>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace tablemap::inline v0_1 {

/// A table whose rows are entities of T.
///
/// Every operation blocks until it is done and comes in two forms: the plain one throws `tablemap::error`, the one
/// named `try_…` returns a `result`. Writes are conditional on the etag that was read unless their name says otherwise
/// (`…_any`, `upsert_…`). A key is passed in braces, or as its values one after the other; options in braces need the
/// key in braces. `async_table<T>` of `tablemap/async.hpp` has the same operations for callers that do not block.
///
/// \throws error from every operation: the errors of the store (`error_source`), `service_errc::table_not_found`,
/// `library_errc::deadline_exceeded`, `cancelled`; after a lost response an error whose `outcome()` is `in_doubt`. From
/// every write: `library_errc::invalid_key`, `key_too_large`, `key_part_does_not_fit` for a key that cannot be made,
/// `invalid_text`, `value_out_of_range`, `value_too_large`, `entity_too_large` for a value that cannot be stored, each
/// with the member; nothing is sent then
/// \par Round trips
/// One, unless an operation says otherwise.
/// \par Thread safety
/// All members may be called from any number of threads.
/// \par Lifetime
/// Copies are cheap and share the store, which they keep alive.
template <class T>
class table : public table_administration, private detail::misuse_of_reading<T>, private detail::misuse_of_writing<T> {
    using checked = std::bool_constant<detail::check_entity_type<T>()>;  // as in `table_operations`

public:
    using value_type = T;
    using key_type = key_of<T>;

    /// Names a table in a store; nothing is sent.
    ///
    /// \pre `s` is not null
    /// \throws error `library_errc::invalid_table_name`; `no_encryption_key` if T has encrypted members and the store
    /// no keys
    table(store_ptr s, std::string name, table_options options = {})
        : table_administration(std::move(s), std::move(name), options, detail::row_types_of<T>()) {}

    // ---- reading ----------------------------------------------------------------------------------------------------

    /// Reads one entity by its key: `find("Sales", 212)`, `find({"Sales", 212}, {.deadline = …})`.
    ///
    /// \return the entity with its etag; nothing if there is none
    /// \throws error `library_errc::type_mismatch`, `unreadable_key` if the row is no T
    std::optional<entity<T>> find(key_type const& key, call_options const& o = {}) const {
        std::optional<entity<T>> there;
        if constexpr (mapped<T>)
            detail::find_or_throw(shared_state(), detail::found_type_of<T>, &there, key.values(), o);
        else
            value_or_throw(operations().find_now(key, there, o));
        return there;
    }
    template <class... Arguments>
    requires detail::key_in_values<key_type, Arguments...> std::optional<entity<T>> find(Arguments&&... values)
    const {
        // Without a key and a function between: this is the most frequent call, and each function costs every T time.
        std::optional<entity<T>> there;  // in an inner block g++ 12 would compile a move of it
        if constexpr (mapped<T> && detail::is_key_alone<key_type, Arguments...>()) {
            detail::find_with<typename key_type::values_type>(shared_state(), detail::found_type_of<T>, &there,
                                                              std::forward<Arguments>(values)...);
            return there;
        } else {
            return detail::with_key<key_type>(
                [&](auto const& key, auto&&... rest) -> decltype(auto) {
                    return find(key, std::forward<decltype(rest)>(rest)...);
                },
                std::forward<Arguments>(values)...);
        }
    }
    result<std::optional<entity<T>>> try_find(key_type const& key, call_options const& o = {}) const {
        return run(operations().find(key), o);
    }
    template <class... Arguments>
    requires detail::key_in_values<key_type, Arguments...> result<std::optional<entity<T>>>
    try_find(Arguments&&... values)
    const {
        return detail::with_key<key_type>(
            [&](auto const& key, auto&&... rest) -> decltype(auto) {
                return try_find(key, std::forward<decltype(rest)>(rest)...);
            },
            std::forward<Arguments>(values)...);
    }

    /// Reads the entities of many keys: `find_many({{"Sales", 212}, {"Sales", 213}})`. At most `at_once` reads run at
    /// once.
    ///
    /// \return one element for each key, in the order of the keys; nothing where there is no entity
    /// \throws error as `find`; the first error ends the call
    /// \par Round trips
    /// One for each key.
    std::vector<std::optional<entity<T>>> find_many(std::vector<key_type> const& keys, std::size_t at_once = 16,
                                                    call_options const& o = {}) const {
        return value_or_throw(try_find_many(keys, at_once, o));
    }
    result<std::vector<std::optional<entity<T>>>>
    try_find_many(std::vector<key_type> const& keys, std::size_t at_once = 16, call_options const& o = {}) const {
        return run(operations().find_many(keys, at_once), o);
    }

    /// Selects the entities of one partition, `query(partition("Sales"))`, of a range of its rows,
    /// `query(partition("Sales"), row_range(200, 300))` (also `row_between`, `leading`, `starting_with`), or of a list
    /// of partitions, `query(std::vector{partition("Sales"), partition("Audit")})`. Rows of other types may share the
    /// partition if their row keys begin with another literal, or if a discriminator tells them apart.
    ///
    /// \return a range that sends its first request when iteration begins; `query_range` says how to narrow it. `o`
    /// applies to the whole iteration
    /// \throws error a key that cannot be made
    /// \par Cost
    /// The store reads all rows of the range.
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
            return make_range(operations().keys_of(p, rows), std::move(o));
    }

    // ---- reading by an index ----------------------------------------------------------------------------------------

    /// Reads an entity by a unique index: `find_by<"by_email">("Sales", "donh@contoso.com")`, with one value for each
    /// member of partition key and index key.
    ///
    /// \return the entity; nothing if there is none. Read from an index of whole copies it has no etag, which
    /// conditional writes need: `modify` and `find` read one
    /// \throws error as `find`
    /// \par Round trips
    /// One; two for an index with `include<...>`, and up to six while the entity is being changed.
    template <detail::fixed_string Name>
    std::optional<entity<T>> find_by(index_key<T, Name> const& key, call_options const& o = {}) const {
        return value_or_throw(try_find_by<Name>(key, o));
    }
    template <detail::fixed_string Name, class... Arguments>
    requires detail::key_in_values<index_key<T, Name>, Arguments...> std::optional<entity<T>>
    find_by(Arguments&&... values)
    const {
        return detail::with_key<index_key<T, Name>>(
            [&](auto const& key, auto&&... rest) -> decltype(auto) {
                return find_by<Name>(key, std::forward<decltype(rest)>(rest)...);
            },
            std::forward<Arguments>(values)...);
    }
    template <detail::fixed_string Name>
    result<std::optional<entity<T>>> try_find_by(index_key<T, Name> const& key, call_options const& o = {}) const {
        if constexpr (detail::has_unique_index<T, Name>)
            return run(operations().find_by(key), o);
        else
            return failure{error{library_errc::unsupported}};  // not reached: it does not compile
    }
    template <detail::fixed_string Name, class... Arguments>
    requires detail::key_in_values<index_key<T, Name>, Arguments...> result<std::optional<entity<T>>>
    try_find_by(Arguments&&... values)
    const {
        return detail::with_key<index_key<T, Name>>(
            [&](auto const& key, auto&&... rest) -> decltype(auto) {
                return try_find_by<Name>(key, std::forward<decltype(rest)>(rest)...);
            },
            std::forward<Arguments>(values)...);
    }

    /// Selects entities by an index, in its order: `query_by<"by_last_name">(partition("Sales"), starting_with("J"))`.
    /// A selection of rows names the members of the index's key. Rows of an index with `include<...>` hold some members
    /// only: `select<...>` those, and read whole entities with `find_many`.
    ///
    /// \return a range as that of `query`; its entities have no etag, and the timestamps of the index's rows
    /// \throws error `library_errc::unsupported`, when iteration begins, for a condition on a member that the index
    /// lacks
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

    /// Selects all entities of the table. Rows of other types are passed over, as far as a discriminator or the
    /// literals of their keys tell.
    ///
    /// \return a range as that of `query`
    /// \par Cost
    /// The store reads every row, whatever the condition: use `query` where there is a partition.
    query_range<T> scan(call_options o = {}) const { return range_of(detail::keys_of_scan<T>(), std::move(o)); }

    /// Selects the entities of the table that meet a condition: `scan(field<&employee::age> > 60)`.
    ///
    /// \return a range as that of `query`
    /// \par Cost
    /// The store reads every row.
    template <class Condition> query_range<T> scan(Condition const& c, call_options o = {}) const {
        return range_of(detail::keys_of_scan<T>(), std::move(o)).where(c);
    }

    // ---- writing ----------------------------------------------------------------------------------------------------

    /// Stores a new entity.
    ///
    /// \return the entity with its etag
    /// \throws error `service_errc::entity_already_exists`
    entity<T> insert(T value, call_options const& o = {}) const {
        entity<T> written{static_cast<T&&>(value)};  // a call of std::move would be one more function for every T
        if constexpr (mapped<T>)
            detail::insert_or_throw(
                shared_state(), detail::whole_value{&detail::row_type_of<T>, detail::indexes_of<T>(), &written.value},
                written.etag, o);
        else
            value_or_throw(operations().write_now(write_kind::insert, written, {}, o));
        return written;
    }
    result<entity<T>> try_insert(T value, call_options const& o = {}) const {
        return try_write(write_kind::insert, std::move(value), {}, o);
    }

    /// Replaces an entity that was read, and refreshes its etag. Properties without a member are removed.
    ///
    /// \throws error `service_errc::update_condition_not_satisfied` if it was changed since, `resource_not_found` if it
    /// is gone; `library_errc::missing_etag`
    void replace(entity<T>& e, call_options const& o = {}) const { value_or_throw(try_replace(e, o)); }
    result<void> try_replace(entity<T>& e, call_options const& o = {}) const {
        return run(operations().replace(e, detail::clock_of(o)), o);
    }

    /// Merges the members of an entity that was read, and refreshes its etag. Properties without a member stay.
    ///
    /// \throws error as `replace`; `library_errc::merge_cannot_remove` for an empty member, since a merge removes
    /// nothing
    void merge(entity<T>& e, call_options const& o = {}) const { value_or_throw(try_merge(e, o)); }
    result<void> try_merge(entity<T>& e, call_options const& o = {}) const {
        return run(operations().merge(e, detail::clock_of(o)), o);
    }

    /// Merges chosen members of an entity that was read, or elements of a series, and refreshes its etag:
    /// `merge(e, only<&employee::age>)`, `merge(e, element<&day_stats::messages>(9))`.
    ///
    /// \throws error as `merge`; those of `element`
    template <detail::choosing::choice Choice>
    void merge(entity<T>& e, Choice const& chosen, call_options const& o = {}) const {
        value_or_throw(try_merge(e, chosen, o));
    }

    /// Merges chosen properties of a dynamic entity that was read: `merge(e, only_properties{"Age"})`.
    ///
    /// \throws error as `merge`; `library_errc::invalid_property_name` for a property that the entity does not have
    void merge(entity<T>& e, only_properties const& chosen, call_options const& o = {}) const {
        value_or_throw(try_merge(e, chosen, o));
    }
    result<void> try_merge(entity<T>& e, only_properties const& chosen, call_options const& o = {}) const {
        return run(operations().merge(e, chosen, detail::clock_of(o)), o);
    }
    template <detail::choosing::choice Choice>
    result<void> try_merge(entity<T>& e, Choice const& chosen, call_options const& o = {}) const {
        return run(operations().merge(e, chosen, detail::clock_of(o)), o);
    }

    /// Merges the members that changed since an earlier state of the entity, a copy made after the read, and refreshes
    /// its etag: `merge(e, changed_since(before))`.
    ///
    /// \return false if no member changed; nothing is sent then
    /// \throws error as `merge`; `library_errc::merge_cannot_remove` for a member that was emptied since or an entry
    /// that was erased; `key_changed`
    bool merge(entity<T>& e, changed_since_t<T> const& since, call_options const& o = {}) const {
        return value_or_throw(try_merge(e, since, o));
    }
    detail::late_result<T, bool> try_merge(entity<T>& e, changed_since_t<T> const& since,
                                           call_options const& o = {}) const {
        return run(operations().merge(e, since, detail::clock_of(o)), o);
    }

    /// Erases the version that was read.
    ///
    /// \throws error `service_errc::update_condition_not_satisfied` if it was changed since, `resource_not_found` if it
    /// is gone; `library_errc::missing_etag`
    template <std::same_as<entity<T>> Entity> void erase(Entity const& e, call_options const& o = {}) const {
        value_or_throw(try_erase(e, o));
    }
    template <std::same_as<entity<T>> Entity>
    result<void> try_erase(Entity const& e, call_options const& o = {}) const {
        return run(operations().erase(e), o);
    }

    /// Reads an entity, calls `change(T&)`, and merges the changes under the etag that was read; after a conflict it
    /// does so again, after a random wait. The row is replaced where a property is gone or the row has an older version
    /// of T; columns that T does not know stay. `change` may be called several times, each time on a fresh value; an
    /// exception of `change` ends the operation with nothing written.
    ///
    /// \return the entity as stored, or as read if nothing changed; nothing is written then
    /// \throws error `service_errc::resource_not_found` if there is no such entity; `library_errc::too_many_conflicts`
    /// after `modify_options::attempts` tries; `key_changed`. After a lost response the row is read again: an unchanged
    /// etag is tried once more, the operation id of this call is success, anything else is `in_doubt`
    /// \par Round trips
    /// Two, and two for each conflict.
    template <std::invocable<T&> Change>
    entity<T> modify(key_type const& key, Change&& change, call_options const& o = {}) const {
        return value_or_throw(try_modify(key, std::forward<Change>(change), o));
    }
    template <std::invocable<T&> Change>
    result<entity<T>> try_modify(key_type const& key, Change&& change, call_options const& o = {}) const {
        return run(operations().modify(key, std::forward<Change>(change), {}), o);
    }
    template <std::invocable<T&> Change>
    entity<T> modify(key_type const& key, Change&& change, modify_options const& m, call_options const& o = {}) const {
        return value_or_throw(try_modify(key, std::forward<Change>(change), m, o));
    }
    template <std::invocable<T&> Change>
    result<entity<T>> try_modify(key_type const& key, Change&& change, modify_options const& m,
                                 call_options const& o = {}) const {
        return run(operations().modify(key, std::forward<Change>(change), m), o);
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

    /// Modifies the entity that has the key of `initial`; if there is none, calls `change(T&)` on a copy of `initial`
    /// and inserts that: `modify_or_insert(counter{"visits"}, [](counter& c) { ++c.count; })`.
    ///
    /// \return as `modify`
    /// \throws error as `modify`; an insert or erase by another client is a conflict. After the lost response of an
    /// insert the row is read: if there is none it is inserted again, the operation id of this call is success,
    /// anything else is `in_doubt`
    /// \par Round trips
    /// As `modify`.
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
        return run(
            operations().modify_or_insert(std::move(initial), std::forward<Change>(change), m, detail::clock_of(o)), o);
    }

    /// Begins an empty group transaction of this table, with the table's options; entities of other types may join it.
    /// Nothing is sent. The clock is the source of random keys and operation ids.
    ///
    /// \par Lifetime
    /// The clock is borrowed.
    tablemap::transaction transaction(clock& c = clock::system()) const {
        return detail::transaction_access::begin(operations().shared_state(), c);
    }

    // ---- unconditional writes ---------------------------------------------------------------------------------------

    /// Replaces any version of an entity.
    ///
    /// \return the entity with its etag
    /// \throws error `service_errc::resource_not_found` if there is none
    entity<T> replace_any(T value, call_options const& o = {}) const {
        return write_or_throw(write_kind::replace, std::move(value), any_etag, o);
    }
    result<entity<T>> try_replace_any(T value, call_options const& o = {}) const {
        return try_write(write_kind::replace, std::move(value), any_etag, o);
    }

    /// Merges chosen members into any version of an entity: `merge_any({.department = "Sales", .id = 212, .age = 35},
    /// only<&employee::age>)`.
    ///
    /// \return the new etag
    /// \throws error as `merge`, without conflicts
    template <detail::choosing::choice Choice>
    etag merge_any(T const& value, Choice const& chosen, call_options const& o = {}) const {
        return value_or_throw(try_merge_any(value, chosen, o));
    }
    template <detail::choosing::choice Choice>
    detail::late_result<T, etag> try_merge_any(T const& value, Choice const& chosen, call_options const& o = {}) const {
        return run(operations().merge_any(value, chosen, detail::clock_of(o)), o);
    }

    /// Erases any version of an entity: `erase_any("Sales", 212)`.
    ///
    /// \return true if there was one
    bool erase_any(key_type const& key, call_options const& o = {}) const {
        return value_or_throw(try_erase_any(key, o));
    }
    detail::late_result<T, bool> try_erase_any(key_type const& key, call_options const& o = {}) const {
        return run(operations().erase_any(key), o);
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
    requires detail::key_in_values<key_type, Arguments...> detail::late_result<T, bool>
    try_erase_any(Arguments&&... values)
    const {
        return detail::with_key<key_type>(
            [&](auto const& key, auto&&... rest) -> decltype(auto) {
                return try_erase_any(key, std::forward<decltype(rest)>(rest)...);
            },
            std::forward<Arguments>(values)...);
    }

    /// Inserts or replaces an entity.
    ///
    /// \return the entity with its etag
    entity<T> upsert_replace(T value, call_options const& o = {}) const {
        return write_or_throw(write_kind::upsert_replace, std::move(value), {}, o);
    }
    result<entity<T>> try_upsert_replace(T value, call_options const& o = {}) const {
        return try_write(write_kind::upsert_replace, std::move(value), {}, o);
    }

    /// Inserts an entity or merges its members into the one that is there; empty optionals are left out, so the store
    /// keeps what it holds of them.
    ///
    /// \return the new etag
    etag upsert_merge(T const& value, call_options const& o = {}) const {
        return value_or_throw(try_upsert_merge(value, o));
    }
    detail::late_result<T, etag> try_upsert_merge(T const& value, call_options const& o = {}) const {
        return run(operations().upsert_merge(value, detail::clock_of(o)), o);
    }

    /// Inserts an entity with chosen members or merges them into the one that is there.
    ///
    /// \return the new etag
    /// \throws error `library_errc::merge_cannot_remove` for an empty member
    template <detail::choosing::choice Choice>
    etag upsert_merge(T const& value, Choice const& chosen, call_options const& o = {}) const {
        return value_or_throw(try_upsert_merge(value, chosen, o));
    }
    template <detail::choosing::choice Choice>
    detail::late_result<T, etag> try_upsert_merge(T const& value, Choice const& chosen,
                                                  call_options const& o = {}) const {
        return run(operations().upsert_merge(value, chosen, detail::clock_of(o)), o);
    }

    // ---- many rows --------------------------------------------------------------------------------------------------

    /// Inserts the values of a range, `insert_many(employees)`, or of a function that returns a `std::optional<T>` at a
    /// time until an empty one: in groups, several at once, with the range read as they are sent.
    ///
    /// \return what became of each row; a row that cannot be stored does not throw and keeps no other from being stored
    /// \throws what the source throws, after the responses to what is under way; a `bulk_writer` gives a report even
    /// then
    /// \par Round trips
    /// One for each group of up to 100 rows of one partition.
    template <class Source>
    bulk_report insert_many(Source&& source, bulk_options options = {}, call_options const& o = {}) const {
        return write_many(write_kind::insert, source, std::move(options), o);
    }

    /// Inserts or replaces the values of a range; otherwise as `insert_many`.
    template <class Source>
    bulk_report upsert_many(Source&& source, bulk_options options = {}, call_options const& o = {}) const {
        return write_many(write_kind::upsert_replace, source, std::move(options), o);
    }

    /// Erases the rows of this table that a query finds: `erase_where(employees.query(partition("Sales")).where(…))`.
    /// Each is erased as it was read; one that was changed meanwhile is read again, and kept if the condition no longer
    /// holds. Rows of other types that the query finds are left alone, as far as their keys tell. `o` applies, not the
    /// options of the range.
    ///
    /// \return what became of each row; one that cannot be erased does not throw. After an interruption call it again,
    /// or go on from the report's cursor
    /// \par Round trips
    /// One for each page of keys, one for each group of up to 100 rows.
    erase_report erase_where(query_range<T> const& range, bulk_options options = {}, call_options const& o = {}) const {
        return value_or_throw(
            run(operations().erase_where(detail::table_internals::query(range), std::move(options)), o));
    }

    // ---- all rows of the table --------------------------------------------------------------------------------------

    /// Rewrites the rows that have an older version of T (see `versions`), each on condition that nobody changed it
    /// meanwhile; columns that T does not know stay. A row whose upgrade cannot be read, or with values that cannot be
    /// decrypted, is left as it is and reported. Called again after an error, it goes on where it ended.
    ///
    /// \return what was done
    /// \throws error those of the key provider; `in_doubt` once any row may have been rewritten
    /// \par Round trips
    /// A scan of the table for old rows, and at least one for each.
    migration_report migrate(migration_options options = {}, call_options const& o = {}) const {
        return value_or_throw(try_migrate(std::move(options), o));
    }
    detail::late_result<T, migration_report> try_migrate(migration_options options = {},
                                                         call_options const& o = {}) const {
        return run(operations().migrate(std::move(options)), o);
    }

    /// Encrypts the values of all rows, and their blind indexes, under the current key: the step after a rotation,
    /// before the old key is removed. Each row is merged on condition that nobody changed it meanwhile. A row that
    /// cannot be decrypted is left as it is and reported. Called again after an error, it reads the whole table again
    /// and rewrites what is left.
    ///
    /// \return what was done
    /// \throws error `library_errc::no_encryption_key`, those of the key provider; `in_doubt` once any row may have
    /// been rewritten
    /// \par Round trips
    /// A scan of the table, and at least one for each row that has to change.
    reencryption_report reencrypt(reencryption_options options = {}, call_options const& o = {}) const {
        return value_or_throw(try_reencrypt(std::move(options), o));
    }
    detail::late_result<T, reencryption_report> try_reencrypt(reencryption_options options = {},
                                                              call_options const& o = {}) const {
        return run(operations().reencrypt(std::move(options)), o);
    }

    /// Compares the rows of indexes with the entities, in all of the table or in one partition,
    /// `verify_indexes(partition("Sales"))`, and writes nothing. A difference is read again before it is a finding, so
    /// that writers at work are not taken for faults.
    ///
    /// \return what was found
    /// \throws error `library_errc::invalid_cursor` for a `resume` of something else
    /// \par Round trips
    /// One for each page of rows; where they do not add up another one or two for each page of the partition, and about
    /// two for each row that differs.
    index_report verify_indexes(index_audit_options options = {}, call_options const& o = {}) const {
        return value_or_throw(try_verify_indexes(std::move(options), o));
    }
    template <class... Values>
    index_report verify_indexes(partition_values<Values...> const& p, index_audit_options options = {},
                                call_options const& o = {}) const {
        return value_or_throw(try_verify_indexes(p, std::move(options), o));
    }
    detail::late_result<T, index_report> try_verify_indexes(index_audit_options options = {},
                                                            call_options const& o = {}) const {
        return run(operations().audit_indexes(false, std::move(options)), o);
    }
    template <class... Values>
    detail::late_result<T, index_report> try_verify_indexes(partition_values<Values...> const& p,
                                                            index_audit_options options = {},
                                                            call_options const& o = {}) const {
        return run(operations().audit_indexes(false, p, std::move(options)), o);
    }

    /// Compares as `verify_indexes`, and repairs: writes rows that are missing or differ, erases those without an
    /// entity, each on condition that neither the row nor its entity was changed meanwhile. Entities beside whose rows
    /// something was written have a new etag. Reported and left alone are a value that two entities have in a unique
    /// index, rows that cannot be read, and rows without the members of the row key, which belong to someone else. Call
    /// it after an index was declared for a table with rows, when all programs that write to the table know the index;
    /// after an error, call it again.
    ///
    /// \return what was found and repaired
    /// \throws error as `verify_indexes`; `in_doubt` once anything may have been written
    /// \par Round trips
    /// As `verify_indexes`, and one for each group of up to 100 rows to be written.
    index_report rebuild_indexes(index_audit_options options = {}, call_options const& o = {}) const {
        return value_or_throw(try_rebuild_indexes(std::move(options), o));
    }
    template <class... Values>
    index_report rebuild_indexes(partition_values<Values...> const& p, index_audit_options options = {},
                                 call_options const& o = {}) const {
        return value_or_throw(try_rebuild_indexes(p, std::move(options), o));
    }
    detail::late_result<T, index_report> try_rebuild_indexes(index_audit_options options = {},
                                                             call_options const& o = {}) const {
        return run(operations().audit_indexes(true, std::move(options)), o);
    }
    template <class... Values>
    detail::late_result<T, index_report> try_rebuild_indexes(partition_values<Values...> const& p,
                                                             index_audit_options options = {},
                                                             call_options const& o = {}) const {
        return run(operations().audit_indexes(true, p, std::move(options)), o);
    }

    // ---- refused at compile time ------------------------------------------------------------------------------------

    using detail::misuse_of_reading<T>::find;
    using detail::misuse_of_reading<T>::try_find;
    using detail::misuse_of_reading<T>::find_many;
    using detail::misuse_of_reading<T>::try_find_many;
    using detail::misuse_of_reading<T>::query;
    using detail::misuse_of_reading<T>::try_query;

    // Without it, braces that hold a key would make an entity of it, which has no etag. It stands here because clang 14
    // would hide it behind `erase` of an entity if it came from a base class.
    template <class Key = key_type> void erase(Key const&, call_options const& = {}) const {
        detail::refuse_to_erase_by_key<Key>();
    }
    template <class Key = key_type> result<void> try_erase(Key const&, call_options const& = {}) const {
        detail::refuse_to_erase_by_key<Key>();
    }

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
    template <class> friend class async_table;
    friend detail::table_internals;

    explicit table(std::shared_ptr<detail::table_state const> shared) : table_administration(std::move(shared)) {}

    // Made when it is needed: programs that only find and insert do not compile it.
    detail::table_operations<T> operations() const { return detail::table_operations<T>{shared_state()}; }

    template <class Op> static auto run(Op op, call_options const& o) { return detail::run(*op.store(), op, o); }

    query_range<T> range_of(detail::query_keys&& keys, call_options&& o) const {
        return query_range<T>{
            detail::make_query(*shared_state(), std::move(keys), std::move(o), detail::entity_rows<T>)};
    }
    result<query_range<T>> make_range(detail::late_result<T, detail::query_keys>&& keys, call_options&& o) const {
        if (!keys) return failure{std::move(keys).error()};
        return range_of(*std::move(keys), std::move(o));
    }

    template <std::size_t I, class Partitions>
    auto make_index_range(Partitions const& p, row_selection auto const& rows, call_options&& o) const {
        using range = query_range<T, detail::entity_of_index<T, I>>;
        auto keys = operations().template keys_of<detail::by_index<T, I>>(p, rows);
        if (!keys) return result<range>{failure{std::move(keys).error()}};
        return result<range>{
            range{detail::make_query(*shared_state(), *std::move(keys), std::move(o), detail::index_rows<T, I>)}};
    }

    entity<T> write_or_throw(write_kind kind, T&& value, std::string_view if_match, call_options const& o) const {
        entity<T> written{std::move(value)};
        value_or_throw(operations().write_now(kind, written, if_match, o));
        return written;
    }
    result<entity<T>> try_write(write_kind kind, T&& value, std::string_view if_match, call_options const& o) const {
        result<entity<T>> written;
        written->value = std::move(value);
        if (auto r = operations().write_now(kind, *written, if_match, o); !r) written = failure{std::move(r).error()};
        return written;
    }

    // The source is borrowed: it outlives a call that blocks.
    template <class Source>
    bulk_report write_many(write_kind kind, Source& source, bulk_options options, call_options const& o) const {
        if constexpr (detail::check_source<T, Source>())
            return value_or_throw(run(operations().write_many(kind, source, std::move(options)), o));
        else
            return {};
    }
};

}  // namespace tablemap

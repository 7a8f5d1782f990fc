// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/patterns/unique_operations.hpp"
#include "tablemap/detail/store/task_run.hpp"
#include "tablemap/patterns/unique_value.hpp"
#include "tablemap/table/table.hpp"

#include <concepts>
#include <optional>
#include <string>
#include <utility>

namespace tablemap::inline v0_1 {

/// A table in which at most one entity has each value of some members, whatever the partitions.
///
///     using accounts_table = tmap::table_with_unique_values<account, tmap::unique_value<"email", &account::email>>;
///     accounts_table accounts{store, "Accounts"};
///     accounts.create_if_not_exists();
///     accounts.insert({.tenant = "contoso", .number = 1, .email = "don@contoso.com"});
///     accounts.find_by<"email">("don@contoso.com");
///
/// Each value has a row in a table of reservations, which names its owner. A write that gives an entity a new value
/// first reserves the value, then writes the entity, then confirms the reservation. If the program ends in between, the
/// next writer of the value settles what it left. A value counts as taken if the entity that the reservation names has
/// it, and only then. `docs/patterns/unique-values-of-tables.md` describes the rows and what is guaranteed.
///
/// Writes through anything else, a `table<T>` too, can break the rule: `verify` finds what disagrees. Writes that do
/// not know the old value of an entity (upserts, unconditional ones, merges of chosen members) are not offered; use
/// `modify`.
///
/// Every operation blocks and comes in two forms, like those of `table<T>`. `async_table_with_unique_values` has the
/// same operations for callers that do not block.
///
/// \throws error from every write: those of `table<T>`; `library_errc::unique_value_taken` with the name of the value
/// as `member()`: nothing was applied. That is also the error if another write has reserved the value and is not done
/// by the call's deadline. The call waits `unique_options::reserved_for` at most, but anew for each of its values and
/// for each further write that reserves one meanwhile; a deadline limits the whole call. After 50 such writes it ends
/// with `library_errc::too_many_conflicts`. If the response to the write of the entity was lost, guard and reservation
/// usually show whether it was applied; if not, the error is `in_doubt`
/// \par Thread safety
/// Full. Copies share the store.
template <class T, class... Uniques> class table_with_unique_values {
    using operations = detail::unique_operations<T, Uniques...>;

public:
    using value_type = T;
    using key_type = key_of<T>;

    /// Names a table in a store, and that of its reservations; nothing is sent.
    ///
    /// \pre `s` is not null
    /// \throws error `library_errc::invalid_table_name`, `no_encryption_key`
    table_with_unique_values(store_ptr s, std::string name, unique_options unique = {}, table_options options = {})
        : operations_(std::move(s), std::move(name), std::move(unique), options) {}

    std::string const& name() const& noexcept { return operations_.state().entities->name; }
    std::string name() const&& { return operations_.state().entities->name; }

    /// The name of the table that holds the reservations.
    std::string const& reservations() const& noexcept { return operations_.state().reservations->name; }
    std::string reservations() const&& { return operations_.state().reservations->name; }

    /// The table of the entities, to read it. Writes through it can break the rule.
    table<T> entities() const {
        auto const& s = *operations_.state().entities;
        return {s.store, s.name, detail::options_used_by(s)};
    }

    /// Creates the table of reservations and that of the entities unless they exist.
    ///
    /// \par Round trips
    /// Two.
    void create_if_not_exists(call_options const& o = {}) const { value_or_throw(try_create_if_not_exists(o)); }
    result<void> try_create_if_not_exists(call_options const& o = {}) const {
        if (auto r = reservations_table().try_create_if_not_exists(o); !r) return failure{std::move(r).error()};
        if (auto r = entities().try_create_if_not_exists(o); !r) return failure{std::move(r).error()};
        return {};
    }

    /// Deletes both tables if they exist.
    ///
    /// \par Round trips
    /// Two.
    void delete_if_exists(call_options const& o = {}) const { value_or_throw(try_delete_if_exists(o)); }
    result<void> try_delete_if_exists(call_options const& o = {}) const {
        if (auto r = entities().try_delete_if_exists(o); !r) return failure{std::move(r).error()};
        if (auto r = reservations_table().try_delete_if_exists(o); !r) return failure{std::move(r).error()};
        return {};
    }

    /// Reads the entity that has a value: `find_by<"email">("don@contoso.com")`.
    ///
    /// \return the entity, which has the value; nothing if none has, or if the readable copy that is asked does not
    /// have the reservation yet
    /// \par Round trips
    /// Two; one if the value has no reservation; up to six while the value changes hands, and if the entity that the
    /// reservation names does not have the value.
    template <detail::fixed_string Name, class Value>
    std::optional<entity<T>> find_by(Value const& value, call_options const& o = {}) const {
        return value_or_throw(try_find_by<Name>(value, o));
    }
    template <detail::fixed_string Name, class Value>
    result<std::optional<entity<T>>> try_find_by(Value const& value, call_options const& o = {}) const {
        if constexpr (detail::check_unique_is_named<Name, Uniques...>())
            if constexpr (detail::check_key_argument<typename operations::template type_of<Name>, Value const&>())
                return run(operations_.template find_by<Name>(typename operations::template type_of<Name>{value}), o);
    }

    /// Stores a new entity.
    ///
    /// \return the entity with its etag; the etag is empty if a response was lost and only the reservation shows that
    /// the entity was stored
    /// \throws error `service_errc::entity_already_exists`
    /// \par Round trips
    /// Two, and two for each value; one if it has no value.
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
    /// Two; for new values as many as `modify`.
    void replace(entity<T>& e, call_options const& o = {}) const { value_or_throw(try_replace(e, o)); }
    result<void> try_replace(entity<T>& e, call_options const& o = {}) const { return run(operations_.replace(e), o); }

    /// Reads an entity, calls `change(T&)`, and stores the changes, as `table<T>::modify` does.
    ///
    /// \return the entity as it was stored
    /// \throws error as `table<T>::modify`
    /// \par Round trips
    /// Two if no unique value changes. A new value adds four, one that is given up adds two.
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

    /// Erases the version that was read, then releases its values.
    ///
    /// \throws error as `table<T>::erase`
    /// \par Round trips
    /// One, and two for each value.
    template <std::same_as<entity<T>> Entity> void erase(Entity const& e, call_options const& o = {}) const {
        value_or_throw(try_erase(e, o));
    }
    template <std::same_as<entity<T>> Entity>
    result<void> try_erase(Entity const& e, call_options const& o = {}) const {
        return run(operations_.erase(e), o);
    }

    /// Compares all reservations with the entities that they name, and all entities with their reservations. While
    /// others write, it may report what they change at that moment.
    ///
    /// \par Round trips
    /// One for each page of both tables (two for the entities' table), one for each reservation, one for each value of
    /// an entity, and up to four for each finding.
    unique_report verify(call_options const& o = {}) const { return value_or_throw(try_verify(o)); }
    result<unique_report> try_verify(call_options const& o = {}) const { return run(operations_.check(false), o); }

    /// The same, and settles what it finds: confirms and erases reservations, reserves values for the entities that
    /// have them, erases guards. Only values that two entities have are left as they are. Safe while others write.
    /// Makes reservations for a table that was written before without this class.
    ///
    /// \par Round trips
    /// As `verify`, and up to three for each finding.
    unique_report repair(call_options const& o = {}) const { return value_or_throw(try_repair(o)); }
    result<unique_report> try_repair(call_options const& o = {}) const { return run(operations_.check(true), o); }

private:
    table<dynamic_entity> reservations_table() const {
        auto const& s = *operations_.state().reservations;
        return {s.store, s.name};
    }

    template <class Call> static auto run(Call call, call_options const& o) {
        return detail::run(*call.store(), call, o);
    }

    operations operations_;
};

}  // namespace tablemap

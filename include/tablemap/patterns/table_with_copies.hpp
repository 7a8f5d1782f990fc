// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/patterns/copies_operations.hpp"
#include "tablemap/detail/store/task_run.hpp"
#include "tablemap/table/table.hpp"

#include <concepts>
#include <cstddef>
#include <string>
#include <utility>

namespace tablemap::inline v0_1 {

/// A table that keeps the copies which the mappings of its types declare (see `mapping/copies.hpp`): a row is written
/// together with all rows that hold copies of it, in one group transaction, so that no reader sees a stale one.
///
///     tmap::table_with_copies<employee, department> company{store, "Company"};
///     company.insert(department{.name = "Sales", .manager = 212});      // takes name and e-mail of employee 212
///     company.modify<employee>({"Sales", 212}, [](employee& e) { e.name = "Don"; });   // and changes them there
///
/// `Types` are the types that hold copies and those that they are copied from, told apart as in a `std::variant`. Rows
/// of a partition copy from rows of the same partition only. Writes through anything else leave copies as they are:
/// `verify_copies` finds stale ones, `refresh_copies` repairs them.
///
/// A write that meets a conflict reads again and repeats, with random waits; `modify` as often as `modify_options` say,
/// the others as their defaults say. A write that copies from a row gives that row a new etag, so writers that hold an
/// entity of it meet a conflict.
///
/// Every operation blocks and comes in two forms, like those of `table<T>`. `async_table_with_copies` has the same
/// operations for callers that do not block.
///
/// \throws error from every write: those of `table<T>`; `service_errc::resource_not_found` with the linked member if
/// its source is not there; `invalid_input` or `request_body_too_large` before anything is sent if more rows hold
/// copies than fit into a group transaction (99 beside the row itself); `library_errc::too_many_conflicts`. A lost
/// response is `in_doubt`, unless retries and operation ids tell the outcome.
/// \par Thread safety
/// Full. Copies share the store.
template <class... Types> class table_with_copies {
public:
    /// Names a table in a store; nothing is sent.
    ///
    /// \pre `s` is not null
    /// \throws error `library_errc::invalid_table_name`, `no_encryption_key`
    table_with_copies(store_ptr s, std::string name, table_options options = {})
        : operations_(std::move(s), std::move(name), options) {}

    std::string const& name() const& noexcept { return operations_.state().name; }
    std::string name() const&& { return operations_.state().name; }

    /// The table of one of the types, to read it. Writes through it leave copies as they are.
    template <class T> table<T> of() const {
        if constexpr (detail::check_type_with_copies<T, Types...>()) {
            auto const& s = operations_.state();
            return {s.store, s.name, detail::options_used_by(s)};
        }
    }

    /// Stores a new row with its copies filled in, whatever the value holds there.
    ///
    /// \return the row as it was stored
    /// \throws error `service_errc::entity_already_exists`
    /// \par Round trips
    /// One, and one more if it holds copies or is copied from; more if the rows that hold copies are more than a page.
    template <class T> entity<T> insert(T value, call_options const& o = {}) const {
        return value_or_throw(try_insert(std::move(value), o));
    }
    template <class T> result<entity<T>> try_insert(T value, call_options const& o = {}) const {
        if constexpr (detail::check_type_with_copies<T, Types...>())
            return run(operations_.insert(std::move(value), clock_of(o)), o);
    }

    /// Stores all of an entity that was read, under its etag, with its copies filled in, and the copies of it.
    /// Refreshes its etag and its copies.
    ///
    /// \throws error as `table<T>::replace`
    /// \par Round trips
    /// Two; more if the rows that hold copies are more than a page.
    template <class T> void replace(entity<T>& e, call_options const& o = {}) const {
        value_or_throw(try_replace(e, o));
    }
    template <class T> result<void> try_replace(entity<T>& e, call_options const& o = {}) const {
        if constexpr (detail::check_type_with_copies<T, Types...>()) return run(operations_.replace(e), o);
    }

    /// Reads an entity, calls `change(T&)`, and stores the changes, as `table<T>::modify` does; with them the copies of
    /// the changed members, and the row's own copies if it links elsewhere now.
    ///
    /// \return the entity as it was stored
    /// \throws error as `table<T>::modify`
    /// \par Round trips
    /// Two if no copy is concerned, else three; more if the rows that hold copies are more than a page.
    template <class T, std::invocable<T&> Change>
    entity<T> modify(key_of<T> const& key, Change&& change, call_options const& o = {}) const {
        return value_or_throw(try_modify<T>(key, std::forward<Change>(change), o));
    }
    template <class T, std::invocable<T&> Change>
    result<entity<T>> try_modify(key_of<T> const& key, Change&& change, call_options const& o = {}) const {
        return try_modify<T>(key, std::forward<Change>(change), modify_options{}, o);
    }
    template <class T, std::invocable<T&> Change>
    entity<T> modify(key_of<T> const& key, Change&& change, modify_options const& m, call_options const& o = {}) const {
        return value_or_throw(try_modify<T>(key, std::forward<Change>(change), m, o));
    }
    template <class T, std::invocable<T&> Change>
    result<entity<T>> try_modify(key_of<T> const& key, Change&& change, modify_options const& m,
                                 call_options const& o = {}) const {
        if constexpr (detail::check_type_with_copies<T, Types...>())
            return run(operations_.template modify<T>(key, std::forward<Change>(change), m), o);
    }
    template <class T, class... Arguments>
    requires detail::key_in_values<key_of<T>, Arguments...> entity<T> modify(Arguments&&... values)
    const {
        return detail::with_key<key_of<T>>(
            [&](auto const& key, auto&&... rest) -> decltype(auto) {
                return modify<T>(key, std::forward<decltype(rest)>(rest)...);
            },
            std::forward<Arguments>(values)...);
    }
    template <class T, class... Arguments>
    requires detail::key_in_values<key_of<T>, Arguments...> result<entity<T>> try_modify(Arguments&&... values)
    const {
        return detail::with_key<key_of<T>>(
            [&](auto const& key, auto&&... rest) -> decltype(auto) {
                return try_modify<T>(key, std::forward<decltype(rest)>(rest)...);
            },
            std::forward<Arguments>(values)...);
    }

    /// Erases the version that was read unless there are copies of it.
    ///
    /// \return false if there are copies; nothing is changed then
    /// \throws error as `table<T>::erase`
    /// \par Round trips
    /// One, and one before it if the type is copied from.
    template <class T> [[nodiscard]] bool erase_unless_copied(entity<T> const& e, call_options const& o = {}) const {
        return value_or_throw(try_erase_unless_copied(e, o));
    }
    template <class T> result<bool> try_erase_unless_copied(entity<T> const& e, call_options const& o = {}) const {
        if constexpr (detail::check_type_with_copies<T, Types...>())
            return run(operations_.template erase<detail::holders::counted>(e), o);
    }

    /// Erases the version that was read; in the rows that hold copies of it the linked members are emptied and the
    /// copies get their default initialisers.
    ///
    /// \return the number of rows that held copies
    /// \throws error as `table<T>::erase`
    /// \par Round trips
    /// As `erase_unless_copied`.
    template <class T> std::size_t erase_and_clear_copies(entity<T> const& e, call_options const& o = {}) const {
        return value_or_throw(try_erase_and_clear_copies(e, o));
    }
    template <class T>
    result<std::size_t> try_erase_and_clear_copies(entity<T> const& e, call_options const& o = {}) const {
        if constexpr (detail::check_type_with_copies<T, Types...>() && detail::check_unlinking<T, Types...>())
            return run(operations_.template erase<detail::holders::cleared>(e), o);
    }

    /// Compares all copies in a partition with their sources: `verify_copies(partition("Sales"))`. While others write,
    /// it may report copies as stale that they change at that moment.
    ///
    /// \par Round trips
    /// One for each page of rows that hold copies, and one for each source of them.
    template <class... Values>
    copies_report verify_copies(partition_values<Values...> const& p, call_options const& o = {}) const {
        return value_or_throw(try_verify_copies(p, o));
    }
    template <class... Values>
    result<copies_report> try_verify_copies(partition_values<Values...> const& p, call_options const& o = {}) const {
        return run(operations_.check(p, false), o);
    }

    /// The same, and refreshes those that differ, in groups of up to 99 rows, each on condition that neither the rows
    /// nor their sources were changed meanwhile. Another run after an error refreshes the copies that are still stale.
    ///
    /// \throws error `in_doubt` once any row may have been written
    /// \par Round trips
    /// As `verify_copies`, and one for each group.
    template <class... Values>
    copies_report refresh_copies(partition_values<Values...> const& p, call_options const& o = {}) const {
        return value_or_throw(try_refresh_copies(p, o));
    }
    template <class... Values>
    result<copies_report> try_refresh_copies(partition_values<Values...> const& p, call_options const& o = {}) const {
        return run(operations_.check(p, true), o);
    }

private:
    static clock& clock_of(call_options const& o) noexcept { return decltype(operations_)::clock_of(o); }

    template <class Call> static auto run(Call call, call_options const& o) {
        return detail::run(*call.store(), call, o);
    }

    detail::copies_operations<Types...> operations_;
};

}  // namespace tablemap

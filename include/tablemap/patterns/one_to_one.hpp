// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/patterns/row_pair.hpp"

#include <concepts>
#include <string>
#include <type_traits>
#include <utility>

namespace tablemap::inline v0_1 {

/// Two rows of one thing, of two types, in one partition, with keys of the same values: for example the public data of
/// an employee and the data for payroll.
///
///     tmap::one_to_one<profile, payroll> const people{store, "People"};
///     people.insert({.office = "Bonn", .id = 7, .name = "Don"}, {.office = "Bonn", .id = 7, .cents = 300'000});
///     auto don = people.find("Bonn", 7);                      // tmap::halves<profile, payroll>
///
/// Every operation blocks, and comes in two forms: the plain one throws, `try_…` returns a `result`. Writes are one
/// transaction: both rows or neither. One row alone is read and written by `table<First>` and `table<Second>`.
/// `async_one_to_one` has the same operations for callers that do not block.
///
/// \throws error from every operation: those of `table<T>`
/// \par Thread safety
/// As `table<T>`.
template <class First, class Second> class one_to_one {
public:
    using value_type = halves<First, Second>;

    /// Names a table in a store; nothing is sent.
    ///
    /// \pre `s` is not null
    /// \throws error as the constructor of `table<T>`
    one_to_one(store_ptr s, std::string table, table_options options = {})
        : operations_(std::move(s), std::move(table), options) {}

    std::string const& name() const& noexcept { return operations_.state().name; }
    std::string name() const&& { return operations_.state().name; }

    /// Both rows of a key, each if it is there. If a transaction is committed between the two reads, only one of them
    /// may see it; `replace` and `erase` detect that.
    ///
    /// \par Round trips
    /// One, of two point reads.
    value_type find(key_of<First> const& key, call_options const& o = {}) const {
        return value_or_throw(try_find(key, o));
    }
    template <class... Arguments>
    requires detail::key_in_values<key_of<First>, Arguments...> value_type find(Arguments&&... values)
    const {
        return detail::with_key<key_of<First>>(
            [&](auto const& key, auto&&... rest) -> decltype(auto) {
                return find(key, std::forward<decltype(rest)>(rest)...);
            },
            std::forward<Arguments>(values)...);
    }
    result<value_type> try_find(key_of<First> const& key, call_options const& o = {}) const {
        return run(operations_.find(key), o);
    }
    template <class... Arguments>
    requires detail::key_in_values<key_of<First>, Arguments...> result<value_type> try_find(Arguments&&... values)
    const {
        return detail::with_key<key_of<First>>(
            [&](auto const& key, auto&&... rest) -> decltype(auto) {
                return try_find(key, std::forward<decltype(rest)>(rest)...);
            },
            std::forward<Arguments>(values)...);
    }

    /// Stores two new rows.
    ///
    /// \return the rows with their etags
    /// \throws error those of `transaction::commit`, such as `service_errc::entity_already_exists`;
    /// `library_errc::invalid_key` if the values of their keys differ
    value_type insert(First first, Second second, call_options const& o = {}) const {
        return value_or_throw(try_insert(std::move(first), std::move(second), o));
    }
    result<value_type> try_insert(First first, Second second, call_options const& o = {}) const {
        return run(operations_.insert(std::move(first), std::move(second), o), o);
    }

    /// Stores all of the rows that were read, each under its etag, which is refreshed.
    ///
    /// \pre one of them is there
    /// \throws error those of `transaction::commit`; `service_errc::update_condition_not_satisfied` if either was
    /// changed; `library_errc::invalid_key`
    void replace(value_type& h, call_options const& o = {}) const { value_or_throw(try_replace(h, o)); }
    result<void> try_replace(value_type& h, call_options const& o = {}) const {
        return run(operations_.replace(h, o), o);
    }

    /// Erases the rows that were read, each under its etag.
    ///
    /// \pre one of them is there
    /// \throws error as `replace`
    void erase(value_type const& h, call_options const& o = {}) const { value_or_throw(try_erase(h, o)); }
    result<void> try_erase(value_type const& h, call_options const& o = {}) const {
        return run(operations_.erase(h, o), o);
    }

private:
    template <class Op> static auto run(Op op, call_options const& o) { return detail::run(*op.store(), op, o); }

    detail::row_pair_operations<First, Second> operations_;
};

}  // namespace tablemap

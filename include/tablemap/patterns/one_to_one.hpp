// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/store/run.hpp"
#include "tablemap/patterns/row_pair.hpp"

#include <concepts>
#include <string>
#include <type_traits>
#include <utility>

namespace tablemap {

/// Two rows of one thing, such as what everybody may read of an employee and what payroll alone may: of two types, in one
/// partition, with keys of the same values.
///
///     tmap::one_to_one<profile, payroll> const people{store, "People"};
///     people.insert({.office = "Bonn", .id = 7, .name = "Don"}, {.office = "Bonn", .id = 7, .cents = 300'000});
///     auto don = people.find("Bonn", 7);                      // tmap::halves<profile, payroll>
///
/// Every operation blocks, and comes in two forms: the plain one throws, `try_…` returns a `result`. Writes are one transaction:
/// both rows or neither. One row alone is read and written by `table<First>` and `table<Second>`. Errors of every operation: those of
/// `table<T>`. Thread safety: as `table<T>`. `async_one_to_one` has the same operations for callers that do not block.
template <class First, class Second> class one_to_one {
public:
    using value_type = halves<First, Second>;

    /// Names a table in a store; nothing is sent. Precondition: `s` is not null. Errors: as of `table<T>`.
    one_to_one(store_ptr s, std::string table, table_options options = {})
        : operations_(std::move(s), std::move(table), options) {}

    std::string const& name() const& noexcept { return operations_.state().name; }
    std::string name() const&& { return operations_.state().name; }

    /// Both rows of a key, each if it is there. A transaction that lies between the two reads may be seen in one of them alone;
    /// `replace` and `erase` notice that. Round trips: one, of two point reads.
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

    /// Stores two new rows. Returns them with their etags. Errors: those of `transaction::commit`,
    /// `service_errc::entity_already_exists` above all; `library_errc::invalid_key` if the values of their keys differ.
    value_type insert(First first, Second second, call_options const& o = {}) const {
        return value_or_throw(try_insert(std::move(first), std::move(second), o));
    }
    result<value_type> try_insert(First first, Second second, call_options const& o = {}) const {
        return run(operations_.insert(std::move(first), std::move(second), o), o);
    }

    /// Stores all of the rows that were read, each under its etag, which is refreshed. Precondition: one is there. Errors: those of
    /// `transaction::commit`, `service_errc::update_condition_not_satisfied` if either was changed; `library_errc::invalid_key`.
    void replace(value_type& h, call_options const& o = {}) const { value_or_throw(try_replace(h, o)); }
    result<void> try_replace(value_type& h, call_options const& o = {}) const {
        return run(operations_.replace(h, o), o);
    }

    /// Erases the rows that were read, each under its etag. Precondition and errors: as `replace`.
    void erase(value_type const& h, call_options const& o = {}) const { value_or_throw(try_erase(h, o)); }
    result<void> try_erase(value_type const& h, call_options const& o = {}) const {
        return run(operations_.erase(h, o), o);
    }

private:
    template <class Op> static auto run(Op op, call_options const& o) { return detail::run(*op.store(), op, o); }

    detail::row_pair_operations<First, Second> operations_;
};

}  // namespace tablemap

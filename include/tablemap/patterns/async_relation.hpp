// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/store/async_task.hpp"
#include "tablemap/detail/store/async_arguments.hpp"
#include "tablemap/patterns/relation.hpp"

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>

namespace tablemap::inline v0_1 {

/// The families that a query finds, asked for one after the other without blocking:
/// `async_family_range{company.query(…)}`.
///
/// \par Thread safety
/// One operation at a time.
/// \par Lifetime
/// It may be destroyed while an operation is under way.
template <class Parent, class... Children> class async_family_range {
    using state = detail::family_state<Parent, Children...>;

public:
    explicit async_family_range(family_range<Parent, Children...>&& range) : state_(std::move(range.state_)) {}

    // As of family_range.
    [[nodiscard]] async_family_range page_size(std::size_t rows) const {
        return async_family_range{range().page_size(rows)};
    }
    [[nodiscard]] async_family_range on_error(bad_row_policy policy) const {
        return async_family_range{range().on_error(std::move(policy))};
    }

    /// The next family, or nothing at the end: `void(std::exception_ptr, std::optional<family<Parent, Children...>>)`.
    template <class Token> auto next(Token&& token) {
        auto const& rows = state_->rows;
        return detail::start(rows->shared_store(),
                             detail::query_call{rows, state_->action, detail::next_family(state_)}, rows->options(),
                             std::forward<Token>(token));
    }

private:
    family_range<Parent, Children...> range() const { return family_range<Parent, Children...>{state_}; }

    std::shared_ptr<state> state_;
};

/// The operations of `relation` for callers that do not block: a completion token comes last, `call_options` before it
/// or not. Conditions, values and errors are those of `relation`.
///
///     auto sales = co_await company.find({"Sales"}, asio::use_awaitable);
///
/// \par Thread safety
/// As `relation`.
/// \par Lifetime
/// It may be destroyed while operations are under way.
template <class Parent, class... Children> class async_relation {
    using blocking = relation<Parent, Children...>;
    using state = detail::family_state<Parent, Children...>;

public:
    using family_type = family<Parent, Children...>;
    using range_type = async_family_range<Parent, Children...>;

    /// \throws error as the constructor of `relation`
    async_relation(store_ptr s, std::string table, table_options options = {})
        : relation_(std::move(s), std::move(table), options) {}

    std::string const& name() const& noexcept { return relation_.name(); }
    std::string name() const&& { return relation_.name(); }

    /// `void(std::exception_ptr, family<Parent, Children...>)`.
    template <class Token> auto find(key_of<Parent> const& key, call_options const& o, Token&& token) const {
        return detail::start(relation_.operations_.state().store, relation_.one_call(relation_.state_of(key, o)), o,
                             std::forward<Token>(token));
    }
    template <class Token> auto find(key_of<Parent> const& key, Token&& token) const {
        return find(key, detail::default_call_options(), std::forward<Token>(token));
    }
    template <class... Arguments>
    requires detail::key_in_values<key_of<Parent>, Arguments...>
    auto find(Arguments&&... values) const {
        return detail::with_key<key_of<Parent>>(
            [&](auto const& key, auto&&... rest) -> decltype(auto) {
                return find(key, std::forward<decltype(rest)>(rest)...);
            },
            std::forward<Arguments>(values)...);
    }

    /// A range of families; nothing is sent yet.
    ///
    /// \throws error as `relation::query`
    template <class Partitions>
    range_type query(Partitions const& p, call_options const& o = detail::default_call_options()) const {
        return range_type{relation_.query(p, o)};
    }
    template <class Partitions>
    range_type query(Partitions const& p, row_selection auto const& rows,
                     call_options const& o = detail::default_call_options()) const {
        return range_type{relation_.query(p, rows, o)};
    }
    range_type scan(call_options const& o = detail::default_call_options()) const {
        return range_type{relation_.scan(o)};
    }

    tablemap::transaction transaction() const { return relation_.transaction(); }

private:
    blocking relation_;
};

}  // namespace tablemap

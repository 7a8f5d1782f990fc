// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/store/async.hpp"
#include "tablemap/detail/table/async_arguments.hpp"
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
        return detail::start(state_->rows->shared_store(), next_family{state_}, state_->rows->options(),
                             std::forward<Token>(token));
    }

private:
    family_range<Parent, Children...> range() const { return family_range<Parent, Children...>{state_}; }

    class next_family {
    public:
        using value_type = std::optional<family<Parent, Children...>>;

        explicit next_family(std::shared_ptr<state> s) : state_(s), op_(std::move(s)) {}

        detail::step start(detail::environment const& env) { return op_.start(env); }
        detail::step resume(detail::environment const& env, std::span<response> answers) {
            return op_.resume(env, answers);
        }
        detail::operation_label label() const noexcept { return op_.label(); }
        result<value_type> take() {
            auto const more = op_.take();
            if (!more) return failure{more.error()};
            return *more ? value_type{state_->take_family()} : value_type{};
        }

    private:
        std::shared_ptr<state> state_;
        detail::family_operation<Parent, Children...> op_;
    };

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
        return detail::start(relation_.operations_.state().store, one_family{relation_.state_of(key, o), name()}, o,
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
    class one_family {
    public:
        using value_type = family_type;

        one_family(result<std::shared_ptr<state>> s, std::string const& table) : state_(std::move(s)), table_(table) {
            if (state_) op_.emplace(*state_);
        }

        detail::step start(detail::environment const& env) { return op_ ? op_->start(env) : detail::step::done(); }
        detail::step resume(detail::environment const& env, std::span<response> answers) {
            return op_->resume(env, answers);
        }
        detail::operation_label label() const noexcept { return {"find", table_}; }
        result<value_type> take() {
            if (!state_) return failure{state_.error()};
            if (auto r = op_->take(); !r) return failure{std::move(r).error()};
            return (*state_)->take_family();
        }

    private:
        result<std::shared_ptr<state>> state_;
        std::string table_;
        std::optional<detail::family_operation<Parent, Children...>> op_{};
    };

    blocking relation_;
};

}  // namespace tablemap

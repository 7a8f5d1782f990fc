// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/repository/query_range.hpp"
#include "tablemap/store/async.hpp"

#include <memory>
#include <optional>
#include <utility>

namespace tablemap {

/// The entities that a query finds, asked for one after the other without blocking. A round trip is made only where a page
/// ends. Thread safety: one operation at a time. Lifetime: may be destroyed while an operation is under way.
template <class T> class async_query_range {
public:
    /// Says what happens to rows that cannot be read, as `query_range::on_error`.
    async_query_range on_error(bad_row_policy policy) && {
        state_->policy = std::move(policy);
        return std::move(*this);
    }

    /// The next entity, or nothing at the end: `void(std::exception_ptr, std::optional<entity<T>>)`.
    template <class Token> auto next(Token&& token) {
        return detail::start(state_->store, next_entity{state_}, state_->options, std::forward<Token>(token));
    }

private:
    template <class> friend class async_table;

    using state = typename query_range<T>::state;

    class next_entity {
    public:
        using value_type = std::optional<entity<T>>;

        explicit next_entity(std::shared_ptr<state> s) : state_(std::move(s)) {}

        detail::step start(detail::environment const& env) {
            state_->current = nullptr;
            return go_on(env);
        }
        detail::step resume(detail::environment const& env, std::span<response> answers) {
            auto const next = state_->pages.resume(env, answers);
            return next.what() == detail::step::kind::done ? after_page(env) : next;
        }
        result<value_type> take() {
            if (fault_) return failure{std::move(*fault_)};
            return state_->current ? value_type{std::move(*state_->current)} : value_type{};
        }

    private:
        /// Takes what the pages at hand have, or asks for the next ones.
        detail::step go_on(detail::environment const& env) {
            auto const there = state_->take();
            if (!there) return fail_with(there.error());
            return *there ? detail::step::done() : state_->pages.start(env);
        }
        detail::step after_page(detail::environment const& env) {
            auto const more = state_->pages.take();
            return more ? go_on(env) : fail_with(more.error().in("query", state_->table));
        }
        detail::step fail_with(error e) {
            fault_ = std::move(e);
            return detail::step::done();
        }

        std::shared_ptr<state> state_;
        std::optional<error> fault_{};
    };

    explicit async_query_range(query_range<T>&& range) : state_(std::move(range.state_)) {}

    std::shared_ptr<state> state_;
};

}  // namespace tablemap

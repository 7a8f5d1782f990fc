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
            needs_page_ = state_->at_hand.ended();
            return needs_page_ ? state_->pages.start(env) : detail::step::done();
        }
        detail::step resume(detail::environment const& env, std::span<response> answers) {
            return state_->pages.resume(env, answers);
        }
        result<value_type> take() {
            if (needs_page_) {
                auto const more = state_->pages.take();
                if (!more) return failure{more.error().in("query", state_->table)};
            }
            state_->current = state_->at_hand.take();
            return state_->current ? value_type{std::move(*state_->current)} : value_type{};
        }

    private:
        std::shared_ptr<state> state_;
        bool needs_page_ = false;
    };

    explicit async_query_range(query_range<T>&& range) : state_(std::move(range.state_)) {}

    std::shared_ptr<state> state_;
};

}  // namespace tablemap

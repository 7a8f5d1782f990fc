// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/store/async.hpp"
#include "tablemap/table/async_table.hpp"
#include "tablemap/table/join.hpp"

#include <memory>
#include <optional>
#include <utility>

namespace tablemap::inline v0_1 {

/// Reads the pairs of a join one after the other without blocking: `async_joined_range{join(…)}`.
///
/// \par Thread safety
/// One operation at a time.
/// \par Lifetime
/// May be destroyed while an operation is under way.
template <class T, class U, class KeyOf> class async_joined_range {
    using state = detail::join_state<T, U, KeyOf>;

public:
    explicit async_joined_range(joined_range<T, U, KeyOf>&& range) : state_(std::move(range.state_)) {}
    async_joined_range(async_joined_range&&) noexcept = default;  // not copied
    async_joined_range& operator=(async_joined_range&&) noexcept = default;

    /// The next pair, or nothing at the end: `void(std::exception_ptr, std::optional<joined<T, U>>)`.
    template <class Token> auto next(Token&& token) {
        return detail::start(state_->left->shared_store(), next_pair{state_}, state_->left->options(),
                             std::forward<Token>(token));
    }

private:
    class next_pair {
    public:
        using value_type = std::optional<joined<T, U>>;

        explicit next_pair(std::shared_ptr<state> s) : state_(s), op_(std::move(s)) {}

        detail::step start(detail::environment const& env) { return op_.start(env); }
        detail::step resume(detail::environment const& env, std::span<response> answers) {
            return op_.resume(env, answers);
        }
        result<value_type> take() {
            auto const more = op_.take();
            if (!more) return failure{more.error()};
            if (!*more) return value_type{};
            value_type pair{std::move(state_->ready.front())};
            state_->ready.pop_front();
            return pair;
        }

    private:
        std::shared_ptr<state> state_;
        detail::join_operation<T, U, KeyOf> op_;
    };

    std::shared_ptr<state> state_;
};

}  // namespace tablemap

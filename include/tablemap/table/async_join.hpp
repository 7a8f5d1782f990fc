// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/store/async_task.hpp"
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
        auto const& left = state_->left();
        return detail::start(left.shared_store(), detail::plain_call{next_of(state_)}, left.options(),
                             std::forward<Token>(token));
    }

private:
    static detail::task<result<std::optional<joined<T, U>>>> next_of(std::shared_ptr<state> s) {
        auto const more = co_await s->read_on();
        if (!more) co_return failure{more.error()};
        co_return s->take_pair();
    }

    std::shared_ptr<state> state_;
};

}  // namespace tablemap

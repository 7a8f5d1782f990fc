// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/read/query_call.hpp"
#include "tablemap/detail/read/read_rows.hpp"
#include "tablemap/detail/store/async_task.hpp"
#include "tablemap/detail/base/right_use.hpp"
#include "tablemap/read/query_range.hpp"

#include <memory>
#include <optional>
#include <utility>

namespace tablemap::inline v0_1 {

/// The entities that a query finds, asked for one after the other without blocking. It is made from a `query_range`:
/// `async(table.query(…).where(…))`, or by `async_table::query`.
///
/// \par Round trips
/// One for each page.
/// \par Thread safety
/// One operation at a time.
/// \par Lifetime
/// It may be destroyed while an operation is under way.
template <class T, class Projection = detail::whole_entity<T>> class async_query_range {
    using state = detail::query_state;

public:
    using value_type = typename Projection::value_type;

    explicit async_query_range(query_range<T, Projection>&& range) : state_(range.fresh()) {}

    /// A copy is the same query from its beginning.
    async_query_range(async_query_range const& other) : state_(other.state_->again()) {}
    async_query_range(async_query_range&&) noexcept = default;
    async_query_range& operator=(async_query_range const& other) { return *this = async_query_range(other); }
    async_query_range& operator=(async_query_range&&) noexcept = default;
    ~async_query_range() = default;

    // As of query_range: each returns another query.
    template <class Condition> [[nodiscard]] async_query_range where(Condition const& c) const {
        return async_query_range{range().where(c)};
    }
    template <auto... Members, class... Slices> [[nodiscard]] auto select(Slices const&... slices) const {
        return again(range().template select<Members...>(slices...));
    }
    template <class U> [[nodiscard]] auto select_into() const { return again(range().template select_into<U>()); }
    [[nodiscard]] async_query_range top(std::size_t rows) const { return async_query_range{range().top(rows)}; }
    [[nodiscard]] async_query_range page_size(std::size_t rows) const {
        return async_query_range{range().page_size(rows)};
    }
    [[nodiscard]] async_query_range from(std::string cursor) const {
        return async_query_range{range().from(std::move(cursor))};
    }
    [[nodiscard]] async_query_range read_ahead() const { return async_query_range{range().read_ahead()}; }
    [[nodiscard]] async_query_range in_any_order() const { return async_query_range{range().in_any_order()}; }
    [[nodiscard]] async_query_range at_once(std::size_t pages) const {
        return async_query_range{range().at_once(pages)};
    }
    [[nodiscard]] async_query_range split_at(std::vector<std::string> partition_keys) const {
        return async_query_range{range().split_at(std::move(partition_keys))};
    }
    [[nodiscard]] async_query_range on_error(bad_row_policy policy) const {
        return async_query_range{range().on_error(std::move(policy))};
    }

    /// Refused: a loop would block.
    template <class None = value_type> None* begin() const { return refuse_loop<None>(); }
    template <class None = value_type> None* end() const { return refuse_loop<None>(); }

    /// The next entity, or nothing at the end: `void(std::exception_ptr, std::optional<value_type>)`.
    template <class Token> auto next(Token&& token) {
        return start(detail::query_call{state_, state_->label().action, next_of(state_)}, std::forward<Token>(token));
    }

    /// The first entity, or nothing.
    ///
    /// \par Round trips
    /// One, unless the store answers with empty pages.
    template <class Token> auto first(Token&& token) const {
        return top(state_->limit() == 0U ? 0 : 1).next(std::forward<Token>(token));
    }

    /// The number of entities: `void(std::exception_ptr, std::size_t)`.
    template <class Token> auto count(Token&& token) const {
        return start(detail::count_call(state_->again()), std::forward<Token>(token));
    }

    /// The position to go on from, as `query_range::cursor`. Call it between two operations.
    std::optional<std::string> cursor() const { return range().cursor(); }

    query_plan explain() const { return range().explain(); }

private:
    template <class None> static None* refuse_loop() {
        static_assert(detail::is_right_use<None*>,
                      "tablemap[Q9]: an asynchronous query is read with a completion token: while (auto e = co_await "
                      "range.next(asio::use_awaitable)) ...; or make it with a table<T>");
        return nullptr;
    }

    template <class, class> friend class async_query_range;
    template <class> friend class async_table;

    query_range<T, Projection> range() const { return query_range<T, Projection>{state_}; }
    template <class Other> static async_query_range<T, Other> again(query_range<T, Other>&& r) {
        return async_query_range<T, Other>{std::move(r)};
    }

    template <class Call, class Token> auto start(Call what, Token&& token) const {
        return detail::start(state_->shared_store(), std::move(what), state_->options(), std::forward<Token>(token));
    }

    static detail::task<result<std::optional<value_type>>> next_of(std::shared_ptr<state> query) {
        auto const moved = co_await detail::advance(*query);
        if (!moved) co_return failure{moved.error()};
        auto* const e = detail::current_of<T>(*query);
        if (!e) co_return std::nullopt;
        co_return Projection::take(*e);
    }

    std::shared_ptr<state> state_;
};

}  // namespace tablemap

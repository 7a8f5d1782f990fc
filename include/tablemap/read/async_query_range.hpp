// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/store/async.hpp"
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

    /// The next entity, or nothing at the end: `void(std::exception_ptr, std::optional<value_type>)`.
    template <class Token> auto next(Token&& token) {
        return detail::start(state_->shared_store(), next_row{state_}, state_->options(), std::forward<Token>(token));
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
        return detail::start(state_->shared_store(), counting{state_->again()}, state_->options(),
                             std::forward<Token>(token));
    }

    /// The position to go on from, as `query_range::cursor`. Call it between two operations.
    std::optional<std::string> cursor() const { return range().cursor(); }

    query_plan explain() const { return range().explain(); }

private:
    template <class, class> friend class async_query_range;
    template <class> friend class async_table;

    query_range<T, Projection> range() const { return query_range<T, Projection>{state_}; }
    template <class Other> static async_query_range<T, Other> again(query_range<T, Other>&& r) {
        return async_query_range<T, Other>{std::move(r)};
    }

    class next_row {
    public:
        using value_type = std::optional<typename Projection::value_type>;

        explicit next_row(std::shared_ptr<state> s) : state_(std::move(s)) {}

        detail::step start(detail::environment const& env) {
            if (auto r = state_->open(); !r) return fail_with(std::move(r).error());
            return go_on(env);
        }
        detail::step resume(detail::environment const& env, std::span<response> answers) {
            auto const next = state_->pages().resume(env, answers);
            return next.what() == detail::step::kind::done ? after_page(env) : next;
        }
        detail::operation_label label() const noexcept { return state_->label(); }
        result<value_type> take() {
            if (fault_) return failure{std::move(*fault_)};
            auto* const e = detail::current_of<T>(*state_);
            return e ? value_type{Projection::take(*e)} : value_type{};
        }

    private:
        /// Takes the next row of the pages at hand, or asks for further pages.
        detail::step go_on(detail::environment const& env) {
            auto const there = state_->take();
            if (!there) return fail_with(there.error());
            return *there ? detail::step::done() : state_->pages().start(env);
        }
        detail::step after_page(detail::environment const& env) {
            auto const more = state_->pages().take();
            return more ? go_on(env) : fail_with(state_->explain_error(more.error()));
        }
        detail::step fail_with(error const& e) {
            fault_ = e;
            return detail::step::done();
        }

        std::shared_ptr<state> state_;
        std::optional<error> fault_{};
    };

    /// Keeps the query alive while it is counted.
    class counting {
    public:
        using value_type = std::size_t;

        explicit counting(std::shared_ptr<state> s) : state_(std::move(s)), count_(*state_) {}

        detail::step start(detail::environment const& env) { return count_.start(env); }
        detail::step resume(detail::environment const& env, std::span<response> answers) {
            return count_.resume(env, answers);
        }
        result<std::size_t> take() { return count_.take(); }
        detail::operation_label label() const noexcept { return count_.label(); }

    private:
        std::shared_ptr<state> state_;
        detail::row_count_operation count_;
    };

    std::shared_ptr<state> state_;
};

}  // namespace tablemap

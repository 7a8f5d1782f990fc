// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/patterns/rolling_table.hpp"
#include "tablemap/table/async_table.hpp"

#include <concepts>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

namespace tablemap::inline v0_1 {

/// A `rolling_range` that is read without blocking; made by `async_rolling_table::query`, or of a blocking one.
///
/// \par Round trips
/// As `rolling_range`.
/// \par Thread safety
/// One operation at a time.
/// \par Lifetime
/// It may be destroyed while an operation is under way.
template <class T> class async_rolling_range {
    using query = detail::rolling_query;

public:
    using value_type = entity<T>;

    explicit async_rolling_range(rolling_range<T> const& range) : rows_(std::make_shared<query>(range.settings())) {}

    /// The next entity, or nothing at the end: `void(std::exception_ptr, std::optional<entity<T>>)`.
    template <class Token> auto next(Token&& token) {
        using call = detail::rolling_call<std::optional<entity<T>>>;
        return detail::start(rows_->how().table->store, call{rows_, next_of(rows_)}, rows_->how().options,
                             std::forward<Token>(token));
    }

    /// The position to go on from, as `rolling_range::cursor`. Call it between two operations.
    std::optional<std::string> cursor() const { return value_or_throw(rows_->cursor()); }

private:
    static detail::task<result<std::optional<entity<T>>>> next_of(std::shared_ptr<query> rows) {
        auto const moved = co_await rows->next();
        if (!moved) co_return failure{moved.error()};
        auto* const e = static_cast<entity<T>*>(rows->current());
        if (!e) co_return std::nullopt;
        co_return std::move(*e);
    }

    std::shared_ptr<query> rows_;
};

/// The operations of `rolling_table` for callers that do not block, with a completion token last, as those of
/// `async_table`: `sign_ins.insert(value, token)`, `sign_ins.at(day).find({"ana", id}, token)`. It has no
/// `insert_unless_late`, since `insert` fails with `library_errc::period_over` then, and no `tables()`. `by_table` and
/// `table_of` of the blocking one send nothing; of its `query_each` an `async_rolling_range` is made.
///
/// \throws error from a call, before it begins: `library_errc::value_out_of_range` for a time before 1601. All other
/// errors are those of the operation
/// \par Thread safety
/// As `rolling_table`.
/// \par Lifetime
/// May be destroyed while operations are under way.
template <class T, auto Time, table_per Per> class async_rolling_table {
public:
    using value_type = T;
    using key_type = key_of<T>;

    explicit async_rolling_table(rolling_table<T, Time, Per> of) : blocking_(std::move(of)) {}

    /// \throws error as the constructor of `rolling_table`
    async_rolling_table(store_ptr s, std::string prefix, rolling_options options = {})
        : blocking_(std::move(s), std::move(prefix), std::move(options)) {}

    /// The table of a time. It does not check the times of the values that are written by it.
    async_table<T> at(ticks time) const {
        auto const& s = *blocking_.state_;
        return async_table<T>{s.store, value_or_throw(s.names.table_of(time, blocking_.name_of_time())),
                              s.options.tables};
    }

    // ---- writing values ---------------------------------------------------------------------------------------------

    template <class Value, class... Last>
    requires std::same_as<std::remove_cvref_t<Value>, T>
    auto insert(Value&& value, Last&&... last) const {
        return of(value).insert(std::forward<Value>(value), std::forward<Last>(last)...);
    }
    template <class Value, class... Last>
    requires std::same_as<std::remove_cvref_t<Value>, T>
    auto upsert_replace(Value&& value, Last&&... last) const {
        return of(value).upsert_replace(std::forward<Value>(value), std::forward<Last>(last)...);
    }
    template <class Value, class... Last>
    requires std::same_as<std::remove_cvref_t<Value>, T>
    auto upsert_merge(Value&& value, Last&&... last) const {
        return of(value).upsert_merge(std::forward<Value>(value), std::forward<Last>(last)...);
    }
    template <class... Last> auto replace(entity<T>& e, Last&&... last) const {
        return of(e.value).replace(e, std::forward<Last>(last)...);
    }
    template <class... Last> auto merge(entity<T>& e, Last&&... last) const {
        return of(e.value).merge(e, std::forward<Last>(last)...);
    }
    template <std::same_as<entity<T>> Entity, class... Last> auto erase(Entity const& e, Last&&... last) const {
        return of(e.value).erase(e, std::forward<Last>(last)...);
    }

    /// See `rolling_table::modify` and `async_table::modify`.
    template <detail::change_of<T> Change, class... Last>
    auto modify(ticks time, key_type const& key, Change&& change, Last&&... last) const {
        detail::refuse_unsafe_function<Change>();
        auto const stays = blocking_.staying(time, detail::kept(std::forward<Change>(change)));
        return at(time).modify(key, stays, std::forward<Last>(last)...);
    }

    // ---- queries ----------------------------------------------------------------------------------------------------

    /// See `rolling_table`. Narrow the query of a blocking one, and make an `async_rolling_range` of it.
    template <class From, class To, class Partitions>
    async_rolling_range<T> query(period<From, To> const& when, Partitions const& p,
                                 call_options const& o = detail::default_call_options()) const {
        return async_rolling_range<T>{blocking_.query(when, p, o)};
    }
    template <class From, class To, class Partitions>
    async_rolling_range<T> query(period<From, To> const& when, Partitions const& p, row_selection auto const& rows,
                                 call_options const& o = detail::default_call_options()) const {
        return async_rolling_range<T>{blocking_.query(when, p, rows, o)};
    }
    template <class From, class To>
    async_rolling_range<T> scan(period<From, To> const& when,
                                call_options const& o = detail::default_call_options()) const {
        return async_rolling_range<T>{blocking_.scan(when, o)};
    }

    // ---- retention --------------------------------------------------------------------------------------------------

    /// See `rolling_table::retain`: `retain(days{30}, {}, token)`, and `retain({}, token)` with
    /// `rolling_options::keep`: `void(std::exception_ptr, retention_report)`.
    template <class... Last> auto retain(tick_duration keep, retain_options how, Last&&... last) const {
        return start(detail::retain_call(*blocking_.state_, keep, how), std::forward<Last>(last)...);
    }
    template <class... Last> auto retain(retain_options how, Last&&... last) const {
        return start(detail::retain_call(*blocking_.state_, std::nullopt, how), std::forward<Last>(last)...);
    }

private:
    async_table<T> of(T const& value) const { return at(ticks{value.*Time}); }

    template <class Call, class Token> static auto start(Call call, Token&& token) {
        return start(std::move(call), detail::default_call_options(), std::forward<Token>(token));
    }
    template <class Call, class Token> static auto start(Call call, call_options const& o, Token&& token) {
        auto where = call.store();
        return detail::start(std::move(where), std::move(call), o, std::forward<Token>(token));
    }

    rolling_table<T, Time, Per> blocking_;
};

}  // namespace tablemap

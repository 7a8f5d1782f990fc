// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/read/query_call.hpp"
#include "tablemap/detail/read/read_rows.hpp"
#include "tablemap/detail/store/async_start.hpp"
#include "tablemap/patterns/unexpired_table.hpp"
#include "tablemap/table/async_table.hpp"

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace tablemap::inline v0_1 {

/// An `unexpired_range` that is read without blocking; made by `async_unexpired_table::query`, or of a blocking one.
///
/// \par Round trips
/// As `unexpired_range`.
/// \par Thread safety
/// One operation at a time.
/// \par Lifetime
/// It may be destroyed while an operation is under way.
template <class T> class async_unexpired_range {
    using state = detail::query_state;
    using shared_now = std::shared_ptr<detail::expiry_clock const>;

public:
    using value_type = entity<T>;

    explicit async_unexpired_range(unexpired_range<T> const& range)
        : range_(range), query_(detail::table_internals::query(range_.all_)) {}

    /// A copy is the same query from its beginning.
    async_unexpired_range(async_unexpired_range const& other) : async_unexpired_range(other.range_) {}
    async_unexpired_range(async_unexpired_range&&) noexcept = default;
    async_unexpired_range& operator=(async_unexpired_range const& other) {
        return *this = async_unexpired_range(other);
    }
    async_unexpired_range& operator=(async_unexpired_range&&) noexcept = default;
    ~async_unexpired_range() = default;

    /// Only entities that meet a condition, too; as `unexpired_range::where`.
    template <class Condition> [[nodiscard]] async_unexpired_range where(Condition const& c) const {
        return async_unexpired_range{range_.where(c)};
    }

    /// The next entity, or nothing at the end: `void(std::exception_ptr, std::optional<entity<T>>)`.
    template <class Token> auto next(Token&& token) {
        return detail::start(query_->shared_store(),
                             detail::query_call{query_, query_->label().action, next_of(query_, range_.now_)},
                             query_->options(), std::forward<Token>(token));
    }

    /// The first entity, or nothing; as `unexpired_range::first`.
    template <class Token> auto first(Token&& token) const {
        return async_unexpired_range{range_}.next(std::forward<Token>(token));
    }

private:
    static detail::task<result<std::optional<entity<T>>>> next_of(std::shared_ptr<state> query, shared_now now) {
        for (;;) {
            auto const moved = co_await detail::advance(*query);
            if (!moved) co_return failure{moved.error()};
            auto* const e = detail::current_of<T>(*query);
            if (!e) co_return std::nullopt;
            if (!detail::is_expired(e->value, *now)) co_return std::move(*e);
        }
    }

    unexpired_range<T> range_;  ///< from its beginning
    std::shared_ptr<state> query_;
};

/// The operations of `unexpired_table` for callers that do not block. Each takes a Boost.Asio completion token last,
/// which may be preceded by `call_options`. Values and errors are those of `unexpired_table`; signatures, handlers and
/// the rules for temporaries on g++ 12 are those of `async_table`.
///
///     tablemap::async_unexpired_table const live{sessions};
///     auto const found = co_await live.find({"ana", id}, asio::use_awaitable);
///
/// \par Round trips
/// As the operation of `async_table`.
/// \par Thread safety
/// As `unexpired_table`.
/// \par Lifetime
/// May be destroyed while operations are under way.
template <class T> class async_unexpired_table {
public:
    using key_type = key_of<T>;

    /// `now` is called from every thread on which operations end, several at once, and must not throw.
    explicit async_unexpired_table(async_table<T> const& of, std::function<ticks()> now = &ticks::now)
        : async_unexpired_table(unexpired_table<T>{detail::async_table_access::blocking(of), std::move(now)}) {}
    explicit async_unexpired_table(unexpired_table<T> of) : blocking_(std::move(of)) {}

    template <class... Last> auto find(key_type const& key, Last&&... last) const {
        return start(operations().find(key), std::forward<Last>(last)...);
    }
    template <class... Arguments>
    requires detail::key_in_values<key_type, Arguments...>
    auto find(Arguments&&... values) const {
        return detail::with_key<key_type>(
            [&](auto const& key, auto&&... rest) -> decltype(auto) {
                return find(key, std::forward<decltype(rest)>(rest)...);
            },
            std::forward<Arguments>(values)...);
    }
    template <class... Last>
    auto find_many(std::vector<key_type> const& keys, std::size_t at_once, Last&&... last) const {
        return start(operations().find_many(keys, at_once), std::forward<Last>(last)...);
    }

    /// See `unexpired_table`.
    template <class Partitions>
    async_unexpired_range<T> query(Partitions const& p, call_options const& o = detail::default_call_options()) const {
        return async_unexpired_range<T>{blocking_.query(p, o)};
    }
    template <class Partitions>
    async_unexpired_range<T> query(Partitions const& p, row_selection auto const& rows,
                                   call_options const& o = detail::default_call_options()) const {
        return async_unexpired_range<T>{blocking_.query(p, rows, o)};
    }
    async_unexpired_range<T> scan(call_options const& o = detail::default_call_options()) const {
        return async_unexpired_range<T>{blocking_.scan(o)};
    }

private:
    detail::table_operations<T> operations() const {
        return detail::table_operations<T>{detail::table_internals::shared_state(blocking_.all_)};
    }

    template <class Read, class... Last> auto start(Read read, Last&&... last) const {
        auto where = read.store();
        return detail::start_with(std::move(where), detail::unexpired_call{std::move(read), blocking_.now_},
                                  std::forward<Last>(last)...);
    }

    unexpired_table<T> blocking_;
};

}  // namespace tablemap

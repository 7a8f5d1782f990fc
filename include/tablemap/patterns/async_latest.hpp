// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/patterns/latest.hpp"
#include "tablemap/table/async_table.hpp"

#include <cstddef>
#include <type_traits>
#include <utility>
#include <vector>

namespace tablemap::inline v0_1 {

namespace detail {

/// A `partition(…)` of plain values is safe in every co_await expression.
template <class Partitions> constexpr void refuse_unsafe_partitions() {
    if constexpr (!std::is_trivially_destructible_v<std::remove_cvref_t<Partitions>>)
        refuse_unsafe_temporary<Partitions>();
}

}  // namespace detail

/// The same as `newest_first` of a `table<T>`, read without blocking.
///
/// \throws error as there
template <class T, class Partitions, class From, class To>
async_query_range<T> newest_first(async_table<T> const& log, Partitions const& p, period<From, To> const& when,
                                  call_options const& o = detail::default_call_options()) {
    return async_query_range<T>{newest_first(detail::async_table_access::blocking(log), p, when, o)};
}
template <class T, class Partitions>
async_query_range<T> newest_first(async_table<T> const& log, Partitions const& p,
                                  call_options const& o = detail::default_call_options()) {
    return newest_first(log, p, period<>{}, o);
}

/// `latest` for callers that do not block, with `call_options` before the token or not.
/// The signature is `void(std::exception_ptr, std::vector<entity<T>>)`.
///
///     auto ten = co_await latest(claims, partition("u1"), 10, asio::use_awaitable);
///
/// On g++ 12 a partition that holds a `std::string` needs a name.
template <class T, class Partitions, class From, class To, class Token>
auto latest(async_table<T> const& log, Partitions&& p, std::size_t n, period<From, To> const& when,
            call_options const& o, Token&& token) {
    detail::refuse_unsafe_partitions<Partitions>();
    auto const blocking = detail::async_table_access::blocking(log);
    auto call = detail::latest_call(blocking, detail::latest_of(blocking, p, n, when, o));
    auto where = call.store();
    return detail::start(std::move(where), std::move(call), o, std::forward<Token>(token));
}
template <class T, class Partitions, class From, class To, class Token>
auto latest(async_table<T> const& log, Partitions&& p, std::size_t n, period<From, To> const& when, Token&& token) {
    return latest(log, std::forward<Partitions>(p), n, when, detail::default_call_options(),
                  std::forward<Token>(token));
}
template <class T, class Partitions, class Token>
auto latest(async_table<T> const& log, Partitions&& p, std::size_t n, call_options const& o, Token&& token) {
    return latest(log, std::forward<Partitions>(p), n, period<>{}, o, std::forward<Token>(token));
}
template <class T, class Partitions, class Token>
auto latest(async_table<T> const& log, Partitions&& p, std::size_t n, Token&& token) {
    return latest(log, std::forward<Partitions>(p), n, period<>{}, detail::default_call_options(),
                  std::forward<Token>(token));
}

}  // namespace tablemap

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/store/async_task.hpp"
#include "tablemap/detail/store/async_arguments.hpp"
#include "tablemap/patterns/async_relay.hpp"
#include "tablemap/patterns/moves.hpp"
#include "tablemap/table/async_table.hpp"

#include <utility>

namespace tablemap::inline v0_1 {

/// `on_move` for an asynchronous table.
template <class To, class Function> move_handler_of<To, Function> on_move(async_table<To> const& to, Function make) {
    return {detail::async_table_access::blocking(to), std::move(make)};
}

/// The operations of `moves` for callers that do not block. Each takes a Boost.Asio completion token last, which may be
/// preceded by `call_options`. Values and errors are those of `moves`; signatures and handlers are those of
/// `async_table`.
///
///     auto const don = co_await moves.find({"Sales", 212}, {212}, asio::use_awaitable);
///
/// \par Thread safety
/// Full.
/// \par Lifetime
/// May be destroyed while operations are under way.
template <class From, class To> class async_moves {
public:
    /// \throws error as the constructor of `moves`
    async_moves(async_table<From> const& from, async_table<To> const& to)
        : operations_(detail::async_table_access::blocking(from), detail::async_table_access::blocking(to)) {}

    template <class Token> auto find(key_of<From> const& from, key_of<To> const& to, Token&& token) const {
        return find(from, to, call_options{}, std::forward<Token>(token));
    }
    template <class Token>
    auto find(key_of<From> const& from, key_of<To> const& to, call_options const& o, Token&& token) const {
        auto call = operations_.find(from, to);
        auto where = call.store();
        return detail::start(std::move(where), std::move(call), o, std::forward<Token>(token));
    }

private:
    detail::moves_operations<From, To> operations_;
};

}  // namespace tablemap

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/store/async_task.hpp"
#include "tablemap/detail/write/commit.hpp"
#include "tablemap/write/transaction.hpp"

#include <utility>
#include <vector>

namespace tablemap::inline v0_1 {

/// `transaction::commit` for callers that do not block; the signature is `void(std::exception_ptr, std::vector<etag>)`.
///
///     auto etags = co_await async_commit(hire, asio::use_awaitable);
///     async_commit(hire, options, asio::bind_executor(io, [](std::exception_ptr e, std::vector<etag> etags) {}));
///
/// \par Thread safety
/// Neither the transaction nor an entity in it may be touched until the handler runs.
/// \par Lifetime
/// The transaction may be destroyed before; the entities may not.
template <class Token> auto async_commit(transaction& t, call_options const& o, Token&& token) {
    auto const& core = detail::transaction_access::core(t);
    return detail::start(core->store(), detail::commit_call(core), o, std::forward<Token>(token));
}
template <class Token> auto async_commit(transaction& t, Token&& token) {
    return async_commit(t, call_options{}, std::forward<Token>(token));
}

}  // namespace tablemap

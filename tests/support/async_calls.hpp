// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/base/result.hpp"

#include <boost/asio/bind_executor.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/use_future.hpp>

#include <exception>
#include <future>
#include <type_traits>
#include <utility>

/// Calls that do not block, and waiting for them.
namespace tablemap::test {

namespace asio = boost::asio;

inline constexpr auto awaited = asio::use_awaitable;
inline constexpr auto future = asio::use_future;

/// Runs a coroutine to its end on this thread; throws what it throws.
inline void run(asio::awaitable<void> work) {
    asio::io_context io;
    std::exception_ptr thrown;
    asio::co_spawn(io, std::move(work), [&](std::exception_ptr e) { thrown = e; });
    io.run();
    if (thrown) std::rethrow_exception(thrown);
}

/// Waits for a future and turns its `error` into that of a result.
template <class V> result<V> outcome_of(std::future<V> came) {
    try {
        if constexpr (std::is_void_v<V>) {
            came.get();
            return {};
        } else {
            return came.get();
        }
    } catch (error const& e) {
        return failure{e};
    }
}

}  // namespace tablemap::test

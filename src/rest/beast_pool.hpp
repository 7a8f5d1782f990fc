// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "rest/beast_connection.hpp"

#include "tablemap/store/clock.hpp"

#include <chrono>
#include <cstddef>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <vector>

namespace tablemap::inline v0_1::detail {

/// Limits the connections at once, and serves waiting requests in their order. A request that has entered may use one
/// connection, an idle one or a new one, until it gives back its place. Thread safety: full.
class connection_pool {
public:
    using connection_ptr = std::unique_ptr<beast_connection>;

    class waiter {
    public:
        /// Its turn has come; null: make a new connection. Called with the pool locked.
        virtual void granted(connection_ptr idle) noexcept = 0;

    protected:
        ~waiter() = default;

    private:
        friend connection_pool;
        std::optional<std::list<waiter*>::iterator> place_{};
    };

    connection_pool(std::size_t most, std::chrono::milliseconds idle_limit);

    /// True if there is a place at once, else it waits.
    bool enter(waiter& w, connection_ptr& idle);

    /// Waits no longer. False if its turn has come meanwhile.
    bool leave(waiter& w) noexcept;

    enum class turn { come, late, stopped, closed };

    /// Blocks until there is a place, until then at most.
    turn wait(time_point until, std::stop_token const& stop, connection_ptr& idle);

    /// Gives back a place, with a connection that may be used again or null.
    void release(connection_ptr c) noexcept;

    /// Closes connections that were idle for too long. Returns when the next one will be; nothing if none is left.
    std::optional<time_point> close_old(time_point now) noexcept;

    /// Closes idle connections, and those that are released from now on. Only requests that wait already get a place.
    void close() noexcept;

private:
    std::vector<connection_ptr> take_old(time_point now);
    bool take_place(connection_ptr& idle);

    std::size_t const most_;
    std::chrono::milliseconds const idle_limit_;

    std::mutex mutex_;
    std::list<waiter*> waiting_;
    std::vector<connection_ptr> idle_;  // the last one was used last
    std::size_t busy_ = 0;
    bool closed_ = false;
};

}  // namespace tablemap::detail

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "rest/cpprest_exchange.hpp"

#include "tablemap/rest/transport.hpp"

#include <utility>  // Asio of Boost 1.74 needs it first

#include <cpprest/http_client.h>

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

namespace tablemap::inline v0_1::detail {

struct socket_name {
    std::string host;
    std::string port;
};

/// The queue, and at most `connections` connections. Thread safe.
class cpprest_core : public std::enable_shared_from_this<cpprest_core> {
public:
    cpprest_core(http_origin const& origin, transport_options options);

    void submit(std::shared_ptr<cpprest_exchange> const& x);

    /// Completes every outstanding request and waits for receivers that are being called by other threads.
    void close() noexcept;

    /// Calls the receiver.
    void complete(std::shared_ptr<cpprest_exchange> const& x, http_receiver& to, http_result&& result) noexcept;

    /// Takes a connection back, null for one that failed, and begins what waits for it.
    void release(std::shared_ptr<cpprest_connection> c) noexcept;

    /// The name and the port to look up for a new connection; none if that needs no address.
    std::optional<socket_name> const& looked_up() const noexcept { return looked_up_; }
    std::shared_ptr<cpprest_connection> new_connection(peer_address const& at) const {
        return std::make_shared<cpprest_connection>(origin_, options_, at);
    }
    http_origin const& origin() const noexcept { return origin_; }
    transport_options const& options() const noexcept { return options_; }

    /// A proxy that sees the requests may answer them.
    bool proxy_may_answer() const { return !options_.proxy.empty() && origin_.scheme == "http"; }

private:
    /// One call of a receiver on this thread; a receiver may end the transport.
    struct call {
        cpprest_core const* of;
        call const* outer;
    };
    static thread_local call const* innermost_call;
    static thread_local cpprest_core const* pumped;

    void pump() noexcept;
    std::vector<std::shared_ptr<cpprest_connection>> take_old();

    http_origin const origin_;
    transport_options const options_;
    std::optional<socket_name> looked_up_;

    std::mutex mutex_;
    std::condition_variable call_returned_;
    std::deque<std::shared_ptr<cpprest_exchange>> waiting_;
    std::unordered_set<std::shared_ptr<cpprest_exchange>> outstanding_;
    std::vector<std::shared_ptr<cpprest_connection>> idle_;  // the last one was used last
    std::size_t busy_ = 0;
    std::size_t calls_ = 0;
    bool closed_ = false;
};

}  // namespace tablemap::detail

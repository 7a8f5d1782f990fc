// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "serve/table_service.hpp"

#include <utility>  // Asio of Boost 1.74 needs it first

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/context.hpp>

#include <atomic>
#include <chrono>
#include <memory>
#include <optional>

namespace tablemap::inline v0_1::detail::serve {

/// The state that all connections of a server share. It outlives them.
struct session_context {
    table_service const& service;
    std::chrono::milliseconds idle_limit;
    std::chrono::milliseconds longest_request;
    std::atomic<bool> stopping{false};
};

/// A connection: reads requests one after the other, those too that are sent before the response to the one before,
/// and writes their responses. Keeps itself alive while it is open.
class session {
public:
    virtual ~session() = default;

    virtual void start() = 0;

    /// Closes the connection if it waits for a request, else behind the response that is under way.
    /// \par Thread safety
    /// May be called on any thread.
    virtual void finish() = 0;

    /// Closes the connection if it waits for its client, unless a sender who has signed is behind it.
    /// \par Thread safety
    /// May be called on any thread.
    virtual void give_way() = 0;

    /// The time since when it waits for its client: for a request, for the rest of one, or for the end of a response to
    /// be taken. Nothing if it is at work, or if the sender is known to have signed.
    /// \par Thread safety
    /// May be called on any thread.
    virtual std::optional<std::chrono::steady_clock::time_point> waits_since() const noexcept = 0;
};

/// Makes a connection over plain TCP, or over TLS if there is a context for it. Keeps `place` until it ends.
std::shared_ptr<session> make_session(boost::asio::ip::tcp::socket socket, session_context& context,
                                      boost::asio::ssl::context* tls, std::shared_ptr<void> place);

}  // namespace tablemap::detail::serve

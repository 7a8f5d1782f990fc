// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "serve/table_service.hpp"

#include <utility>  // Asio of Boost 1.74 needs it first

#include <boost/asio/basic_stream_socket.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/context.hpp>

#include <atomic>
#include <chrono>
#include <memory>
#include <optional>

namespace tablemap::inline v0_1::detail::serve {

/// A session needs no strand: it makes one call at a time.
using session_socket = boost::asio::basic_stream_socket<boost::asio::ip::tcp, boost::asio::io_context::executor_type>;

/// The state that all connections of a server share. It is there while they run.
struct session_context {
    table_service const& service;
    boost::asio::io_context::executor_type workers;  ///< carries out requests that may wait for something
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

    /// Closes the connection if it waits for its client, and nothing that the client sent waits for a thread.
    /// \par Thread safety
    /// May be called on any thread.
    virtual void give_way() = 0;

    /// The time since when it waits for its client: for a request, for the rest of one that nobody is known to have
    /// signed, or for the end of a refusal to be taken. Nothing if it is at work, or a request waits for a thread.
    /// \par Thread safety
    /// May be called on any thread.
    virtual std::optional<std::chrono::steady_clock::time_point> waits_since() const noexcept = 0;

    /// Cuts the connection off if its client has taken longer than it may. Call it every now and then: a timer for each
    /// step of each request would cost more than a read.
    /// \par Thread safety
    /// May be called on any thread.
    virtual void end_if_late(std::chrono::steady_clock::time_point now) noexcept = 0;
};

/// Makes a connection over plain TCP, or over TLS if there is a context for it. Keeps `place` until it ends.
std::shared_ptr<session> make_session(session_socket socket, session_context& context, boost::asio::ssl::context* tls,
                                      std::shared_ptr<void> place);

}  // namespace tablemap::detail::serve

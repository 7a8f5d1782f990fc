// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "rest/cpprest_watch.hpp"

#include "tablemap/rest/transport.hpp"

#include <utility>  // Asio of Boost 1.74 needs it first

#include <boost/asio/ip/address.hpp>
#include <cpprest/http_client.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <optional>

namespace tablemap::inline v0_1::detail {

struct idle_connection_was_closed {};

/// The address that a socket connects to. cpprestsdk looks up a name and goes from one of its addresses to the next, on
/// sockets that it does not expose.
using peer_address = std::optional<boost::asio::ip::address>;

/// An http_client for one request at a time.
class cpprest_connection {
public:
    /// `at` is the address of the proxy if there is one, else that of the server; none if TLS watches the connection.
    cpprest_connection(http_origin const& origin, transport_options const& options, peer_address const& at);

    /// True if cpprestsdk asks a proxy for a way to the server, on every new socket: the handle that it shows is that
    /// of the socket or of TLS then, without a word which, so that such a connection is used once.
    static bool is_tunnelled(http_origin const& origin, transport_options const& options) {
        return origin.scheme == "https" && !options.proxy.empty();
    }

    /// True if a connection needs an address: TLS from end to end needs the name.
    static bool needs_address(http_origin const& origin, transport_options const& options) {
        return origin.scheme != "https" || !options.proxy.empty();
    }

    std::chrono::steady_clock::time_point idle_since{};

    web::http::client::http_client& client() noexcept { return client_; }

    /// True if the last request found an open socket.
    bool reused() const noexcept { return state_->reused; }

    /// Shared with the sockets, which may outlive the connection.
    std::shared_ptr<cpprest_watch> watch() const noexcept { return {state_, &state_->watch}; }

private:
    struct state {
        explicit state(std::size_t largest_response) : watch(largest_response) {}
        std::atomic<bool> reused{false};
        cpprest_watch watch;
    };
    using state_ptr = std::shared_ptr<state>;

    static web::http::client::http_client_config configuration(http_origin const& origin,
                                                               transport_options const& options, peer_address const& at,
                                                               state_ptr const& s);
    static void look_at(web::http::client::native_handle handle, bool tls, peer_address const& at, state_ptr const& s);

    state_ptr const state_;
    web::http::client::http_client client_;
};

}  // namespace tablemap::detail

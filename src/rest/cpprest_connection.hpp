// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/rest/transport.hpp"

#include <utility>  // Asio of Boost 1.74 needs it first

#include <cpprest/http_client.h>

#include <atomic>
#include <chrono>
#include <memory>

namespace tablemap::detail {

struct idle_connection_was_closed {};

/// An http_client for one request at a time.
class cpprest_connection {
public:
    cpprest_connection(web::uri const& base, transport_options const& options)
        : client_(base, configuration(base.scheme() == "https", options, state_)) {}

    /// True if cpprestsdk asks a proxy for a way to the server, on every new socket: the handle that it shows is that of
    /// the socket or of TLS then, without a word which, so that such a connection is used once.
    static bool is_tunnelled(web::uri const& base, transport_options const& options) {
        return base.scheme() == "https" && !options.proxy.empty();
    }

    std::chrono::steady_clock::time_point idle_since{};

    web::http::client::http_client& client() noexcept { return client_; }

    /// True if the last request found an open socket.
    bool reused() const noexcept { return state_->reused; }

private:
    struct state {
        std::atomic<bool> reused{false};
    };

    static web::http::client::http_client_config configuration(bool tls, transport_options const& options,
                                                               std::shared_ptr<state> const& s);
    static void look_at(web::http::client::native_handle handle, bool tls, state& s);

    std::shared_ptr<state> const state_ = std::make_shared<state>();
    web::http::client::http_client client_;
};

}  // namespace tablemap::detail

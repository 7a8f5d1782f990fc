// SPDX-License-Identifier: Apache-2.0
#include "rest/cpprest_connection.hpp"

#include "rest/cpprest_tls.hpp"
#include "rest/transport_settings.hpp"

#include <utility>  // Asio of Boost 1.74 needs it first

#include <boost/asio/execution.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl.hpp>
#include <pplx/threadpool.h>

#include <sys/socket.h>

#include <cerrno>

namespace tablemap::inline v0_1::detail {
namespace {

namespace http = web::http;
namespace asio = boost::asio;
using socket_type = asio::ip::tcp::socket;

constexpr std::size_t chunk_size = 1024 * 1024;

/// The executor of a socket: its watch looks before cpprestsdk goes on after a read, which takes 64 KiB at most.
struct watching_executor {
    asio::io_context::executor_type inner;
    std::shared_ptr<cpprest_watch> watch;

    template <typename F> void execute(F&& f) const {
        watch->look();
        inner.execute(std::forward<F>(f));
    }
    asio::execution_context& query(asio::execution::context_t) const noexcept { return inner.context(); }
    static constexpr asio::execution::blocking_t query(asio::execution::blocking_t) noexcept {
        return asio::execution::blocking.possibly;
    }
    watching_executor require(asio::execution::blocking_t::never_t) const { return *this; }

    friend bool operator==(watching_executor const&, watching_executor const&) noexcept = default;
};

std::string as_host(std::string const& name, peer_address const& at) { return at ? at->to_string() : name; }

web::web_proxy as_cpprest(http_proxy const& p, peer_address const& at) {
    web::web_proxy proxy{"http://" + as_host(p.host, at) + ':' + p.port};
    if (!p.user.empty()) proxy.set_credentials({p.user, p.password});
    return proxy;
}

web::uri base_of(http_origin const& o, transport_options const& options, peer_address const& at) {
    return web::uri{o.scheme + "://" + as_host(o.host, options.proxy.empty() ? at : std::nullopt) + ':' + o.port};
}

}  // namespace

cpprest_connection::cpprest_connection(http_origin const& origin, transport_options const& options,
                                       peer_address const& at)
    : state_(std::make_shared<state>(options.largest_response)),
      client_(base_of(origin, options, at), configuration(origin, options, at, state_)) {}

http::client::http_client_config cpprest_connection::configuration(http_origin const& origin,
                                                                   transport_options const& options,
                                                                   peer_address const& at, state_ptr const& s) {
    http::client::http_client_config c;
    c.set_chunksize(chunk_size);
    c.set_timeout(std::chrono::hours{24});
    c.set_max_redirects(0);
    bool const tls = origin.scheme == "https";
    if (auto const proxy = proxy_in(options.proxy)) c.set_proxy(as_cpprest(*proxy, at));
    c.set_nativehandle_options([s, at, shows_tls = tls && options.proxy.empty()](http::client::native_handle handle) {
        look_at(handle, shows_tls, at, s);
    });
    if (tls)
        c.set_ssl_context_callback([s, host = origin.host, ca_file = options.ca_file](asio::ssl::context& context) {
            context.set_options(asio::ssl::context::no_sslv2 | asio::ssl::context::no_sslv3 |
                                asio::ssl::context::no_tlsv1 | asio::ssl::context::no_tlsv1_1);
            if (!ca_file.empty()) context.load_verify_file(ca_file);
            watch_tls(context.native_handle(), host, {s, &s->watch});
        });
    return c;
}

/// Called with the socket of a request before anything is sent on it. A new one becomes one that is watched. An idle
/// socket has nothing to read: if it has, the server closed it, or speaks out of turn, and throwing here ends the
/// request with nothing sent.
void cpprest_connection::look_at(http::client::native_handle handle, bool tls, peer_address const& at,
                                 state_ptr const& s) {
    auto& socket =
        tls ? static_cast<asio::ssl::stream<socket_type&>*>(handle)->next_layer() : *static_cast<socket_type*>(handle);
    // cpprestsdk sends a request again, on a new socket, if the old one has ended; also if that was the watch's doing.
    if (s->watch.exceeded()) throw idle_connection_was_closed{};
    s->watch.response_begins();
    s->reused = socket.is_open();
    if (!s->reused) {
        if (!at) return;
        auto& pool = crossplat::threadpool::shared_instance().service();
        socket = socket_type{watching_executor{pool.get_executor(), {s, &s->watch}}};
        socket.open(at->is_v4() ? asio::ip::tcp::v4() : asio::ip::tcp::v6());
        return s->watch.watch(socket.native_handle());
    }
    char c = 0;
    auto const n = ::recv(socket.native_handle(), &c, 1, MSG_PEEK | MSG_DONTWAIT);
    if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR)) return;
    throw idle_connection_was_closed{};
}

}  // namespace tablemap::detail

// SPDX-License-Identifier: Apache-2.0
#include "rest/cpprest_connection.hpp"

#include "rest/transport_settings.hpp"

#include <utility>  // Asio of Boost 1.74 needs it first

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl.hpp>

#include <sys/socket.h>

#include <cerrno>

namespace tablemap::detail {
namespace {

namespace http = web::http;
namespace asio = boost::asio;

constexpr std::size_t chunk_size = 1024 * 1024;

web::web_proxy as_cpprest(http_proxy const& p) {
    web::web_proxy proxy{"http://" + p.host + ':' + p.port};
    if (!p.user.empty()) proxy.set_credentials({p.user, p.password});
    return proxy;
}

}  // namespace

http::client::http_client_config cpprest_connection::configuration(bool tls, transport_options const& options,
                                                                   std::shared_ptr<state> const& s) {
    http::client::http_client_config c;
    c.set_chunksize(chunk_size);
    c.set_timeout(std::chrono::hours{24});
    c.set_max_redirects(0);
    if (auto const proxy = proxy_in(options.proxy)) c.set_proxy(as_cpprest(*proxy));
    if (!tls || options.proxy.empty())
        c.set_nativehandle_options([s, tls](http::client::native_handle handle) { look_at(handle, tls, *s); });
    if (tls)
        c.set_ssl_context_callback([ca_file = options.ca_file](asio::ssl::context& context) {
            context.set_options(asio::ssl::context::no_sslv2 | asio::ssl::context::no_sslv3 |
                                asio::ssl::context::no_tlsv1 | asio::ssl::context::no_tlsv1_1);
            if (!ca_file.empty()) context.load_verify_file(ca_file);
        });
    return c;
}

/// Called with the socket of a request before anything is sent on it. An idle socket has nothing to read: if it
/// has, the server closed it, or speaks out of turn, and throwing here ends the request with nothing sent.
void cpprest_connection::look_at(http::client::native_handle handle, bool tls, state& s) {
    using socket_type = asio::ip::tcp::socket;
    auto& socket =
        tls ? static_cast<asio::ssl::stream<socket_type&>*>(handle)->next_layer() : *static_cast<socket_type*>(handle);
    s.reused = socket.is_open();
    if (!s.reused) return;
    char c = 0;
    auto const n = ::recv(socket.native_handle(), &c, 1, MSG_PEEK | MSG_DONTWAIT);
    if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR)) return;
    throw idle_connection_was_closed{};
}

}  // namespace tablemap::detail

// SPDX-License-Identifier: Apache-2.0
#include "bare_beast.hpp"

#include <utility>  // Asio of Boost 1.74 needs it first

#include <boost/asio/connect.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http.hpp>

#include <optional>
#include <thread>
#include <vector>

namespace bench {
namespace {

namespace asio = boost::asio;
namespace http = boost::beast::http;
using message = http::request<http::string_body>;
using parser = http::response_parser<http::string_body>;

message message_of(tablemap::http_request const& r, std::string const& host) {
    message m{http::string_to_verb(r.method), r.target, 11};
    m.set(http::field::host, host);
    for (auto const& [name, value] : r.headers) m.insert(name, value);
    m.body() = r.body;
    m.prepare_payload();
    return m;
}

bare_beast::answer answer_of(parser& p) {
    auto& m = p.get();
    return {static_cast<int>(m.result_int()), std::string{m[http::field::etag]}, std::move(m.body())};
}

}  // namespace

struct bare_beast::client {
    struct connection {
        explicit connection(asio::io_context& io) : socket(io) {}
        asio::ip::tcp::socket socket;
        boost::beast::flat_buffer buffer{};
        std::optional<parser> reading{};
        message request{};
        handler then{};
    };

    client(tablemap::http_origin const& origin, std::size_t n) : host(origin.host + ':' + origin.port) {
        auto const at = asio::ip::tcp::resolver{io}.resolve(origin.host, origin.port);
        for (std::size_t i = 0; i < n; ++i) {
            auto c = std::make_unique<connection>(io);
            asio::connect(c->socket, at);
            c->socket.set_option(asio::ip::tcp::no_delay{true});
            idle.push_back(std::move(c));
        }
    }

    void begin(tablemap::http_request const& r, handler h) {
        auto c = std::move(idle.back());
        idle.pop_back();
        c->request = message_of(r, host);
        c->then = std::move(h);
        c->reading.emplace();
        auto& at = *c;
        http::async_write(at.socket, at.request, [this, c = std::move(c)](auto ec, std::size_t) mutable {
            if (ec) return c->then({});
            auto& on = *c;
            http::async_read(on.socket, on.buffer, *on.reading,
                             [this, c = std::move(c)](auto failed, std::size_t) mutable {
                                 auto a = failed ? answer{} : answer_of(*c->reading);
                                 auto const then = std::move(c->then);
                                 idle.push_back(std::move(c));
                                 then(std::move(a));
                             });
        });
    }

    std::string const host;
    asio::io_context io{1};
    asio::executor_work_guard<asio::io_context::executor_type> work{io.get_executor()};
    std::vector<std::unique_ptr<connection>> idle;
    std::thread thread;
};

bare_beast::bare_beast(tablemap::http_origin const& origin, std::size_t connections)
    : client_(std::make_unique<client>(origin, connections)) {}

bare_beast::~bare_beast() {
    client_->io.stop();
    if (client_->thread.joinable()) client_->thread.join();
}

void bare_beast::send(tablemap::http_request r, handler h) {
    if (!client_->thread.joinable()) client_->thread = std::thread{[c = client_.get()] { c->io.run(); }};
    asio::post(client_->io,
               [c = client_.get(), r = std::move(r), h = std::move(h)]() mutable { c->begin(r, std::move(h)); });
}

bare_beast::answer bare_beast::send(tablemap::http_request const& r) {
    auto& c = *client_->idle.back();
    c.request = message_of(r, client_->host);
    c.reading.emplace();
    boost::system::error_code ec;
    http::write(c.socket, c.request, ec);
    if (!ec) http::read(c.socket, c.buffer, *c.reading, ec);
    return ec ? answer{} : answer_of(*c.reading);
}

}  // namespace bench

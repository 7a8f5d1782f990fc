// SPDX-License-Identifier: Apache-2.0
#include "serve/beast_listener.hpp"

#include "serve/option_check.hpp"

#include <boost/asio/strand.hpp>

#include <exception>
#include <utility>

namespace tablemap::inline v0_1 {
namespace {

namespace asio = boost::asio;
using boost::system::error_code;

std::optional<asio::ssl::context> tls_context_of(serve_options const& o) {
    if (o.certificate_file.empty()) return std::nullopt;
    try {
        asio::ssl::context c{asio::ssl::context::tls_server};
        c.set_options(asio::ssl::context::default_workarounds | asio::ssl::context::no_sslv2 |
                      asio::ssl::context::no_sslv3 | asio::ssl::context::no_tlsv1 | asio::ssl::context::no_tlsv1_1);
        c.use_certificate_chain_file(o.certificate_file);
        c.use_private_key_file(o.private_key_file, asio::ssl::context::pem);
        return c;
    } catch (std::exception const& e) {
        throw error{transport_errc::tls_failed,
                    {.reason = "certificate_file and private_key_file must be a certificate and its key in PEM: " +
                               std::string{e.what()},
                     .action = "serve"}};
    }
}

[[noreturn]] void refuse_address(serve_options const& o, error_code const& why) {
    throw error{transport_errc::cannot_connect,
                {.reason = "port " + std::to_string(o.port) + " of " + o.address +
                           " cannot be listened on: " + why.message() + "; choose another port, or 0 for a free one",
                 .action = "serve"}};
}

}  // namespace

server::listener::listener(store_ptr store, serve_options options)
    : options_(detail::serve::checked(std::move(options))),
      service_(std::move(store), detail::serve::service_settings{.account = options_.account,
                                                                 .key = options_.key,
                                                                 .now = options_.now,
                                                                 .pages = options_.pages,
                                                                 .longest_request = options_.longest_request}),
      sessions_context_{service_, options_.idle_limit, options_.longest_request},
      tls_(tls_context_of(options_)),
      acceptor_(io_) {
    listen();
}

server::listener::~listener() { stop(); }

void server::listener::listen() {
    error_code ec;
    tcp::endpoint const at{asio::ip::make_address(options_.address, ec), options_.port};
    if (ec) refuse_address(options_, ec);
    acceptor_.open(at.protocol(), ec);
    if (!ec) acceptor_.set_option(tcp::acceptor::reuse_address{true}, ec);
    if (!ec) acceptor_.bind(at, ec);
    if (!ec) acceptor_.listen(asio::socket_base::max_listen_connections, ec);
    if (ec) refuse_address(options_, ec);
    port_ = acceptor_.local_endpoint().port();
}

void server::listener::start() {
    accept();
    try {
        for (std::size_t i = 0; i < options_.threads; ++i) threads_.emplace_back([this] { run(); });
    } catch (...) {
        stop();
        throw;
    }
}

/// A handler that throws, for lack of memory, ends its own connection and no thread.
void server::listener::run() noexcept {
    for (;;) try {
            io_.run();
            return;
        } catch (std::exception const&) {
            continue;
        }
}

std::string server::listener::url() const {
    bool const is_v6 = options_.address.find(':') != std::string::npos;
    auto const host = is_v6 ? "[" + options_.address + "]" : options_.address;
    return (tls_ ? "https://" : "http://") + host + ":" + std::to_string(port_) + "/" + options_.account;
}

/// Accepts the next connection when there is room for it: until then clients wait in the system's queue.
void server::listener::accept() {
    std::lock_guard const lock{mutex_};
    if (stopped_ || accepts_ || open_ >= options_.connections) return;
    accepts_ = true;
    acceptor_.async_accept(asio::make_strand(io_), [this](error_code ec, tcp::socket socket) {
        {
            std::lock_guard const guard{mutex_};
            accepts_ = false;
        }
        if (!ec) take(std::move(socket));
        if (ec == asio::error::operation_aborted) return;
        accept();
    });
}

void server::listener::take(tcp::socket socket) try {
    error_code ignored;
    socket.set_option(tcp::no_delay{true}, ignored);
    {
        std::lock_guard const lock{mutex_};
        ++open_;
        sessions_.remove_if([](auto& s) { return s.expired(); });
    }
    std::shared_ptr<void> place{this, [](void* of) { static_cast<listener*>(of)->ended(); }};
    auto const made =
        detail::serve::make_session(std::move(socket), sessions_context_, tls_ ? &*tls_ : nullptr, std::move(place));
    {
        std::lock_guard const lock{mutex_};
        sessions_.push_back(made);
    }
    made->start();
} catch (std::exception const&) {
    // There is no memory for this connection, which is closed.
}

void server::listener::ended() {
    {
        std::lock_guard const lock{mutex_};
        --open_;
        changed_.notify_all();
    }
    accept();
}

void server::listener::finish_all() {
    std::list<std::weak_ptr<detail::serve::session>> all;
    {
        std::lock_guard const lock{mutex_};
        all = sessions_;
    }
    for (auto const& weak : all)
        if (auto const s = weak.lock()) s->finish();
}

void server::listener::wait_for_sessions() {
    std::unique_lock lock{mutex_};
    changed_.wait_for(lock, options_.stop_limit, [this] { return open_ == 0; });
}

void server::listener::stop() noexcept {
    {
        std::lock_guard const lock{mutex_};
        if (std::exchange(stopped_, true)) return;
        error_code ignored;
        acceptor_.close(ignored);
    }
    sessions_context_.stopping = true;
    try {
        finish_all();
        wait_for_sessions();
    } catch (std::exception const&) {
        // Out of memory: the connections end without their responses.
    }
    io_.stop();
    for (auto& t : threads_) t.join();
}

// --- the server ------------------------------------------------------------------------------------------------------

server::server(store_ptr store, serve_options options)
    : listener_(std::make_unique<listener>(std::move(store), std::move(options))) {
    listener_->start();
}

server::~server() = default;

std::uint16_t server::port() const noexcept { return listener_->port(); }
std::string server::url() const { return listener_->url(); }
void server::stop() noexcept { listener_->stop(); }

}  // namespace tablemap

// SPDX-License-Identifier: Apache-2.0
#include "serve/beast_listener.hpp"

#include "serve/option_check.hpp"

#include <algorithm>
#include <chrono>
#include <exception>
#include <utility>

namespace tablemap::inline v0_1 {
namespace {

namespace asio = boost::asio;
using boost::system::error_code;

constexpr std::chrono::milliseconds pause_before_next{100};
constexpr std::chrono::seconds shortest_idleness{1};  // of a connection that gives way to another one
constexpr std::chrono::milliseconds shortest_watch{10}, longest_watch{1'000};

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

/// The time between two looks at the limits of sessions, which end up to so much later.
std::chrono::milliseconds watch_of(serve_options const& o) {
    return std::clamp(std::min(o.idle_limit, o.longest_request) / 4, shortest_watch, longest_watch);
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
                                                                 .longest_request = options_.longest_request,
                                                                 .local = detail::serve::is_local(options_)}),
      tls_(tls_context_of(options_)),
      sessions_context_{service_, work_.get_executor(), options_.idle_limit, options_.longest_request},
      acceptor_(io_),
      pause_(io_),
      watch_(io_) {
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
        threads_.emplace_back([this] { run(io_); });
        for (std::size_t i = 0; i < options_.threads; ++i) threads_.emplace_back([this] { run(work_); });
    } catch (...) {
        stop();
        throw;
    }
}

/// Accepts the next connection as soon as there is memory for that: nothing else would ever begin it.
void server::listener::accept_again() noexcept {
    for (;;) try {
            return accept();
        } catch (...) {
            std::this_thread::sleep_for(pause_before_next);
        }
}

/// A handler that throws, for lack of memory, ends its own connection and no thread.
void server::listener::run(boost::asio::io_context& loop) noexcept {
    for (;;) try {
            loop.run();
            return;
        } catch (...) {
            accept_again();
        }
}

std::string server::listener::url() const {
    bool const is_v6 = options_.address.find(':') != std::string::npos;
    auto const host = is_v6 ? "[" + options_.address + "]" : options_.address;
    return (tls_ ? "https://" : "http://") + host + ":" + std::to_string(port_) + "/" + options_.account;
}

/// Accepts the next connection if there is room for it. Else it waits for a client, whom it leaves in the system's
/// queue until there is.
void server::listener::accept() {
    std::lock_guard const lock{mutex_};
    if (stopped_) return;  // the timer may be destroyed by then
    if (!accepts_) accept_next();
    watch();
}

void server::listener::accept_next() {
    if (is_full())
        acceptor_.async_wait(tcp::acceptor::wait_read, [this](error_code ec) { client_waits(ec); });
    else
        acceptor_.async_accept(
            io_, [this](error_code ec, detail::serve::session_socket socket) { accepted(ec, std::move(socket)); });
    accepts_ = true;
}

/// Called for a client for whom there was no place.
void server::listener::client_waits(error_code ec) {
    if (ec == asio::error::operation_aborted) return;
    if (auto const idle = longest_idle()) idle->give_way();
    {
        std::lock_guard const lock{mutex_};
        accepts_ = false;
        if (is_full()) pause();
    }
    accept();
}

/// To be looked at without the mutex, which the end of a session takes.
server::listener::sessions server::listener::all_sessions() {
    std::lock_guard const lock{mutex_};
    return sessions_;
}

/// Goes on while the server stops. Called before each wait for a connection, too, so that a look that found no memory
/// for the next one is not the last.
void server::listener::watch() {
    if (watches_ || sessions_.empty()) return;
    watch_.expires_after(watch_of(options_));
    watch_.async_wait([this](error_code) { look_at_limits(); });
    watches_ = true;
}

void server::listener::look_at_limits() {
    end_late_ones();
    std::lock_guard const lock{mutex_};
    watches_ = false;
    watch();
}

void server::listener::end_late_ones() try {
    auto const now = std::chrono::steady_clock::now();
    for (auto const& weak : all_sessions())
        if (auto const s = weak.lock()) s->end_if_late(now);
} catch (...) {
    // There is no memory for the list. The next look ends them.
}

/// The session that has waited longest for its client, if it has for a while and there is no place for another one.
std::shared_ptr<detail::serve::session> server::listener::longest_idle() {
    sessions all;  // looked at without the mutex, which the end of a session takes
    {
        std::lock_guard const lock{mutex_};
        if (is_full()) all = sessions_;
    }
    std::shared_ptr<detail::serve::session> longest;
    auto since = std::chrono::steady_clock::now() - shortest_idleness;
    for (auto const& weak : all) {
        auto const s = weak.lock();
        auto const waits = s ? s->waits_since() : std::nullopt;
        if (waits && *waits <= since) longest = s, since = *waits;
    }
    return longest;
}

void server::listener::accepted(error_code ec, detail::serve::session_socket socket) {
    if (ec == asio::error::operation_aborted) return;
    {
        std::lock_guard const lock{mutex_};
        accepts_ = false;
        if (ec && ec != asio::error::connection_aborted) pause();
    }
    if (!ec) take(std::move(socket));
    accept();
}

/// Tries again later. A client waits, so without a pause another call would end at once, and so on without end: the
/// system has no descriptor or no memory for the connection, or the server has no place.
void server::listener::pause() {
    if (stopped_) return;
    pause_.expires_after(pause_before_next);
    pause_.async_wait([this](error_code) {
        {
            std::lock_guard const guard{mutex_};
            accepts_ = false;
        }
        accept();
    });
    accepts_ = true;
}

void server::listener::take(detail::serve::session_socket socket) try {
    error_code ignored;
    socket.set_option(tcp::no_delay{true}, ignored);
    sessions::iterator one;
    auto place = new_place(one);
    auto const made =
        detail::serve::make_session(std::move(socket), sessions_context_, tls_ ? &*tls_ : nullptr, std::move(place));
    {
        std::lock_guard const lock{mutex_};
        *one = made;
        watch();
    }
    made->start();
} catch (...) {
    // There is no memory for this connection, which is closed.
}

/// A place among the sessions, which whoever drops it gives back.
std::shared_ptr<void> server::listener::new_place(sessions::iterator& of) {
    {
        std::lock_guard const lock{mutex_};
        of = sessions_.emplace(sessions_.end());
    }
    return {this, [one = of](void* all) { static_cast<listener*>(all)->ended(one); }};
}

void server::listener::ended(sessions::iterator one) noexcept try {
    {
        std::lock_guard const lock{mutex_};
        sessions_.erase(one);
        changed_.notify_all();
        if (!stopped_) pause_.cancel();  // it may be destroyed by then
    }
    accept_again();
} catch (...) {
    // The time that is waited for does not end early.
}

void server::listener::finish_all() {
    for (auto const& weak : all_sessions())
        if (auto const s = weak.lock()) s->finish();
}

void server::listener::wait_for_sessions() {
    std::unique_lock lock{mutex_};
    changed_.wait_for(lock, options_.stop_limit, [this] { return sessions_.empty(); });
}

void server::listener::stop() noexcept {
    {
        std::lock_guard const lock{mutex_};
        if (std::exchange(stopped_, true)) return;
        error_code ignored;
        acceptor_.close(ignored);
        pause_.cancel();
    }
    sessions_context_.stopping = true;
    try {
        finish_all();
        wait_for_sessions();
    } catch (std::exception const&) {
        // Out of memory: the connections end without their responses.
    }
    io_.stop();
    work_.stop();
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

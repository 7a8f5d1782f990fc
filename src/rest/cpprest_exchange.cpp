// SPDX-License-Identifier: Apache-2.0
#include "rest/cpprest_exchange.hpp"

#include "rest/cpprest_core.hpp"

#include <utility>  // Asio of Boost 1.74 needs it first

#include <boost/asio/post.hpp>
#include <pplx/threadpool.h>

#include <algorithm>
#include <string>

namespace tablemap::inline v0_1::detail {
namespace {

namespace http = web::http;
namespace streams = concurrency::streams;
namespace asio = boost::asio;

/// The time that a cancelled request may take to report its result; only a look-up of a name takes longer than an
/// instant.
constexpr std::chrono::milliseconds grace{250};

asio::io_service& pool() { return crossplat::threadpool::shared_instance().service(); }

bool breaks_line(std::string const& text) noexcept {
    return std::any_of(text.begin(), text.end(), [](char c) { return c == '\r' || c == '\n' || c == '\0'; });
}

}  // namespace

void cpprest_exchange::stop_requested::operator()() const noexcept {
    // On another thread, so that request_stop() calls no receiver.
    try {
        asio::post(pool(), [weak = weak] {
            if (auto const x = weak.lock()) x->abort({library_errc::cancelled});
        });
    } catch (...) {
        // Out of memory: the request ends at its deadline.
    }
}

http::http_request cpprest_exchange::message() const {
    auto const& r = *request_;
    http::http_request m{r.method};

    // cpprestsdk parses the target and writes it anew: a target that it would change is refused, because a signature
    // covers these bytes.
    web::uri target{r.target};
    if (!r.target.starts_with('/') || r.target.starts_with("//") || !target.fragment().empty() ||
        target.to_string() != r.target)
        throw error_of({transport_errc::invalid_request, "the target would be changed"}, outcome::not_applied);
    m.set_request_uri(target);

    auto& headers = m.headers();
    // With https cpprestsdk would demand certificates for this text, so it writes the header itself.
    if (auto const& o = core_->origin(); o.scheme == "http" && core_->options().proxy.empty())
        headers.add(http::header_names::host, o.host + ':' + o.port);
    for (auto const& [name, value] : r.headers) {
        if (breaks_line(name) || breaks_line(value))
            throw error_of({transport_errc::invalid_request, "a header holds a line break"}, outcome::not_applied);
        headers.add(name, value);
    }
    if (r.changes_state() || !r.body.empty()) {
        bool const typed = headers.has(http::header_names::content_type);
        m.set_body(streams::istream{streams::streambuf<std::uint8_t>{std::make_shared<sent_body>(r.body)}},
                   r.body.size(), "application/json");
        if (!typed) headers.remove(http::header_names::content_type);
    }
    return m;
}

void cpprest_exchange::watch(call_options const& o, std::chrono::nanoseconds left) {
    std::lock_guard const lock{mutex_};
    if (finished_) return;
    if (!o.deadline) at_deadline_ = {transport_errc::timed_out};
    timer_.emplace(pool());
    deadline_ =
        std::chrono::steady_clock::now() + std::min<std::chrono::nanoseconds>(left, std::chrono::hours{24 * 365});
    set_timer(std::min<std::chrono::nanoseconds>(left, core_->options().connect_timeout),
              &cpprest_exchange::time_is_up);
    if (o.stop.stop_possible())
        stop_ = std::make_unique<std::stop_callback<stop_requested>>(o.stop, stop_requested{weak_from_this()});
}

void cpprest_exchange::set_timer(std::chrono::nanoseconds after, void (cpprest_exchange::*then)()) {
    timer_->expires_after(std::chrono::duration_cast<asio::steady_timer::duration>(after));
    timer_->async_wait([weak = weak_from_this(), then](boost::system::error_code const& ec) {
        if (ec) return;
        if (auto const x = weak.lock()) ((*x).*then)();
    });
}

/// When to look again whether time is up; nothing if the attempt should have made its connection by now.
std::optional<std::chrono::steady_clock::time_point>
cpprest_exchange::next_look(std::chrono::steady_clock::time_point now) const {
    if (running_ && running_->head_sent()) return deadline_;
    auto const connected_by = begun_.value_or(now) + core_->options().connect_timeout;
    if (connected_by <= now) return std::nullopt;
    return std::min(deadline_, connected_by);
}

void cpprest_exchange::time_is_up() {
    auto const now = std::chrono::steady_clock::now();
    if (now >= deadline_) return abort(at_deadline_);
    {
        std::lock_guard const lock{mutex_};
        if (finished_ || why_) return;
        if (auto const at = next_look(now)) return set_timer(*at - now, &cpprest_exchange::time_is_up);
    }
    abort({transport_errc::cannot_connect, "no connection was made within transport_options::connect_timeout"});
}

void cpprest_exchange::begin(std::shared_ptr<cpprest_connection> on) noexcept try {
    {
        std::lock_guard const lock{mutex_};
        if (!begun_) begun_ = std::chrono::steady_clock::now();
    }
    on ? start(std::move(on)) : connect();
} catch (error const& e) {
    core_->release(nullptr);
    finish({.failure = e});
} catch (web::uri_exception const&) {
    end_of_start({transport_errc::invalid_request, "the target is no encoded path and query"});
} catch (std::exception const& e) {
    end_of_start({transport_errc::failed, e.what()});
}

void cpprest_exchange::end_of_start(cpprest_fault const& why) noexcept {
    core_->release(nullptr);
    finish(why, outcome::not_applied);
}

/// Begins an attempt on a new connection, at the next address.
void cpprest_exchange::connect() {
    if (!core_->looked_up()) return start(core_->new_connection(std::nullopt));
    if (addresses_.empty()) return look_up();
    auto const at = addresses_.back();
    addresses_.pop_back();
    start(core_->new_connection(at));
}

void cpprest_exchange::look_up() {
    auto const& [host, port] = *core_->looked_up();
    boost::system::error_code no_address;
    auto const address = asio::ip::make_address(host, no_address);
    if (!no_address) return start(core_->new_connection(address));
    auto const resolver = std::make_shared<resolver_type>(pool());
    resolver->async_resolve(
        host, port, [self = shared_from_this(), resolver](auto const&, auto const& found) { self->found(found); });
}

void cpprest_exchange::found(resolver_type::results_type const& found) noexcept try {
    for (auto const& f : found) addresses_.insert(addresses_.begin(), f.endpoint().address());
    if (addresses_.empty()) return end_of_start(name_not_found(!core_->options().proxy.empty()));
    begin(nullptr);
} catch (std::exception const& e) {
    end_of_start({transport_errc::failed, e.what()});
}

void cpprest_exchange::start(std::shared_ptr<cpprest_connection> on) {
    std::shared_ptr<cpprest_attempt> a;
    http::http_request m;
    {
        std::unique_lock lock{mutex_};
        if (finished_ || why_) {
            lock.unlock();
            return core_->release(std::move(on));
        }
        m = message();
        a = std::make_shared<cpprest_attempt>(shared_from_this(), std::move(on), core_->options().largest_response,
                                              core_->proxy_may_answer());
        running_ = a;
    }
    cpprest_attempt::send(a, m);
}

void cpprest_exchange::settle(cpprest_attempt& a) noexcept {
    auto const self = shared_from_this();
    http_result result;
    auto wrong = a.take(result.response);
    bool again = false;
    {
        std::lock_guard const lock{mutex_};
        if (wrong && why_) {
            wrong = why_;
        } else if (wrong && !a.head_sent() && (a.found_dead_socket() || a.found_open_socket()) && !tried_again_) {
            // The socket had died in the pool before the request's head was out, so that the server has no request.
            again = tried_again_ = true;
        } else if (wrong && wrong->no_connection) {
            again = !addresses_.empty();
        }
        // Else it stays until finish(): abort() takes a request without an attempt for one that was not sent.
        if (again) running_.reset();
    }
    if (again) return begin(nullptr);
    core_->release(wrong ? nullptr : a.used_connection());
    if (wrong)
        finish(*wrong, changes_state_ && a.head_sent() && !wrong->at_proxy ? outcome::in_doubt : outcome::not_applied);
    else
        finish(std::move(result));
}

void cpprest_exchange::abort(cpprest_fault why, bool at_once) noexcept {
    std::shared_ptr<cpprest_attempt> running;
    {
        std::lock_guard const lock{mutex_};
        if (finished_) return;
        if (!why_) why_ = std::move(why);
        running = running_;
        if (running && !at_once) set_timer(grace, &cpprest_exchange::give_up);
    }
    if (running) running->cancel();
    if (!running)
        finish(*why_, outcome::not_applied);
    else if (at_once)
        give_up();
}

void cpprest_exchange::give_up() { finish(*why_, changes_state_ ? outcome::in_doubt : outcome::not_applied); }

void cpprest_exchange::finish(http_result&& result) noexcept {
    std::unique_ptr<std::stop_callback<stop_requested>> stop;
    std::shared_ptr<cpprest_attempt> ended;
    http_receiver* to = nullptr;
    {
        std::lock_guard const lock{mutex_};
        if (finished_) return;
        finished_ = true;
        to = std::exchange(to_, nullptr);
        request_ = nullptr;
        stop = std::move(stop_);
        ended = std::move(running_);
        timer_.reset();
    }
    stop.reset();
    core_->complete(shared_from_this(), *to, std::move(result));
}

}  // namespace tablemap::detail

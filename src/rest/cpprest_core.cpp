// SPDX-License-Identifier: Apache-2.0
#include "rest/cpprest_core.hpp"

#include "rest/transport_settings.hpp"

#include <algorithm>
#include <exception>
#include <iterator>
#include <utility>

namespace tablemap::inline v0_1::detail {

thread_local cpprest_core::call const* cpprest_core::innermost_call = nullptr;
thread_local cpprest_core const* cpprest_core::pumped = nullptr;

cpprest_core::cpprest_core(http_origin const& origin, transport_options options)
    : origin_(origin), options_(bounded(std::move(options))) {
    auto const check = [](std::string const& host, char const* reason) {
        if (host.find(':') != std::string::npos) throw error{library_errc::unsupported, {.reason = reason}};
    };
    check(origin.host, "cpprestsdk cannot connect to an IPv6 address, only to a name");
    auto const proxy = proxy_in(options_.proxy);
    if (proxy) check(proxy->host, "cpprestsdk cannot connect to a proxy by its IPv6 address, only by a name");
    if (cpprest_connection::needs_address(origin, options_))
        looked_up_ = proxy ? socket_name{proxy->host, proxy->port} : socket_name{origin.host, origin.port};
    try {
        web::uri{origin.scheme + "://" + origin.host + ':' + origin.port};
    } catch (web::uri_exception const&) {
        throw error{library_errc::invalid_connection_string, {.reason = "the endpoint is no URL"}};
    }
    if (options_.ca_file.empty()) return;
    boost::system::error_code ec;
    boost::asio::ssl::context{boost::asio::ssl::context::tls_client}.load_verify_file(options_.ca_file, ec);
    if (ec) throw error{transport_errc::tls_failed, {.reason = "the CA file holds no certificates or cannot be read"}};
}

void cpprest_core::submit(std::shared_ptr<cpprest_exchange> const& x) {
    {
        std::lock_guard const lock{mutex_};
        if (closed_) throw error_of({library_errc::cancelled, "the transport was closed"}, outcome::not_applied);
        outstanding_.insert(x);
        waiting_.push_back(x);
    }
    pump();
}

/// Connections that were idle for too long. Called with the lock held.
std::vector<std::shared_ptr<cpprest_connection>> cpprest_core::take_old() {
    auto const now = std::chrono::steady_clock::now();
    auto const young = std::find_if(idle_.begin(), idle_.end(),
                                    [&](auto const& c) { return now - c->idle_since <= options_.idle_limit; });
    std::vector<std::shared_ptr<cpprest_connection>> old{std::move_iterator{idle_.begin()}, std::move_iterator{young}};
    idle_.erase(idle_.begin(), young);
    return old;
}

void cpprest_core::pump() noexcept {
    if (pumped == this) return;  // the loop below goes on
    auto const outer = std::exchange(pumped, this);
    for (;;) {
        std::shared_ptr<cpprest_exchange> x;
        std::shared_ptr<cpprest_connection> c;
        std::vector<std::shared_ptr<cpprest_connection>> old;  // closed without the lock
        {
            std::lock_guard const lock{mutex_};
            if (waiting_.empty() || busy_ >= std::max<std::size_t>(options_.connections, 1)) break;
            x = std::move(waiting_.front());
            waiting_.pop_front();
            ++busy_;
            old = take_old();
            if (!idle_.empty()) {
                c = std::move(idle_.back());
                idle_.pop_back();
            }
        }
        x->begin(std::move(c));
    }
    pumped = outer;
}

void cpprest_core::release(std::shared_ptr<cpprest_connection> c) noexcept {
    {
        std::lock_guard const lock{mutex_};
        --busy_;
        if (c && !closed_ && !cpprest_connection::is_tunnelled(origin_, options_)) {
            c->idle_since = std::chrono::steady_clock::now();
            idle_.push_back(std::move(c));
        }
    }
    pump();
}

void cpprest_core::complete(std::shared_ptr<cpprest_exchange> const& x, http_receiver& to,
                            http_result&& result) noexcept {
    {
        std::lock_guard const lock{mutex_};
        outstanding_.erase(x);
        ++calls_;
    }
    call const here{this, innermost_call};
    innermost_call = &here;
    to.complete(std::move(result));
    innermost_call = here.outer;
    {
        std::lock_guard const lock{mutex_};
        --calls_;
    }
    call_returned_.notify_all();
}

void cpprest_core::close() noexcept {
    decltype(outstanding_) outstanding;
    decltype(idle_) idle;
    {
        std::lock_guard const lock{mutex_};
        closed_ = true;
        outstanding = outstanding_;
        waiting_.clear();
        idle.swap(idle_);
    }
    for (auto const& x : outstanding) x->abort({library_errc::cancelled, "the transport was closed"}, true);
    idle.clear();

    std::size_t own = 0;
    for (auto const* c = innermost_call; c; c = c->outer) own += c->of == this ? 1 : 0;
    std::unique_lock lock{mutex_};
    call_returned_.wait(lock, [&] { return calls_ <= own; });
}

}  // namespace tablemap::detail

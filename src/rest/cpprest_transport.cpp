// SPDX-License-Identifier: Apache-2.0
#include "tablemap/rest/cpprest_transport.hpp"

#include "rest/cpprest_core.hpp"

#include <utility>  // Asio of Boost 1.74 needs it first

#include <boost/asio/ssl.hpp>
#include <pplx/threadpool.h>

#include <algorithm>
#include <exception>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <vector>

// The parts that a request passes:
//
//   core       the queue, and at most `connections` connections
//   exchange   a request from send() until its receiver was called; may outlive its call by a deadline
//   attempt    one try of an exchange on one connection; an exchange has a second one only if the server cannot have
//              the first one's request
//   connection one http_client, which is used by one attempt at a time and therefore holds one socket at most
//
// Behaviour of cpprestsdk 2.10 that this code depends on:
//
// - On a reused socket that dies before the response it sends the request again, whatever the method, if the body's
//   stream can seek or there is none. Writes go out with a stream that cannot, and then it fails instead.
// - In that case it also puts a socket that was never connected into its pool, where the next request finds it. A
//   client that failed is therefore thrown away.
// - A socket goes back to the pool when the last reference to the request's context is gone, which may be after the
//   response was reported. An attempt ends with both, so that the next request finds the socket.
// - A cancelled request reports nothing but the cancellation, so errors do not tell how far it came. The progress
//   handler does: it is called for the first time once the request's head was handed to the socket entirely. Until then
//   the server cannot have a request that it could carry out.
// - Its time-out starts anew with each step, so deadlines are timers of the exchange.

namespace tablemap::inline v0_1 {
namespace {

namespace asio = boost::asio;
using detail::cpprest_core;
using detail::cpprest_exchange;
using detail::error_of;

/// The transports of this process. Constructed behind cpprestsdk's thread pool and therefore destroyed before it: what
/// a program leaves to its last static destructors must not find the pool gone.
class living_transports {
public:
    static living_transports& instance() {
        // OpenSSL is first for the same reason: it must be there until the pool's threads, which hold state of it, have
        // ended.
        static asio::ssl::context const openssl{asio::ssl::context::tls_client};
        auto const threads = std::clamp<std::size_t>(std::thread::hardware_concurrency(), 2, 4);
        try {
            crossplat::threadpool::initialize_with_threads(threads);
        } catch (std::runtime_error const&) {
            // The program has set its own, or uses cpprestsdk already.
        }
        static living_transports all;
        return all;
    }
    ~living_transports() {
        for (auto const& weak : all_)
            if (auto const c = weak.lock()) c->close();
    }
    void add(std::weak_ptr<cpprest_core> c) {
        std::lock_guard const lock{mutex_};
        std::erase_if(all_, [](auto const& weak) { return weak.expired(); });
        all_.push_back(std::move(c));
    }

private:
    std::mutex mutex_;
    std::vector<std::weak_ptr<cpprest_core>> all_;
};

class cpprest_transport final : public transport {
public:
    cpprest_transport(http_origin const& origin, transport_options const& options)
        : core_(std::make_shared<cpprest_core>(origin, options)) {}
    ~cpprest_transport() override { core_->close(); }
    cpprest_transport(cpprest_transport const&) = delete;
    cpprest_transport& operator=(cpprest_transport const&) = delete;

    void send(http_request const& r, call_options const& o, http_receiver& to) override {
        // Once there is an exchange, it alone may call the receiver.
        std::shared_ptr<cpprest_exchange> x;
        http_result result;
        try {
            std::call_once(registered_, [&] { living_transports::instance().add(core_); });
            x = std::make_shared<cpprest_exchange>(core_, r, to);
            if (o.stop.stop_requested()) throw error_of({library_errc::cancelled}, outcome::not_applied);
            auto const left = time_left(o);
            if (left <= std::chrono::nanoseconds::zero())
                throw error_of({library_errc::deadline_exceeded}, outcome::not_applied);
            x->watch(o, left);
            core_->submit(x);
            return;
        } catch (error const& e) {
            result.failure = e;
        } catch (std::exception const& e) {
            result.failure = error_of({transport_errc::failed, e.what()}, outcome::not_applied);
        }
        x ? x->finish(std::move(result)) : to.complete(std::move(result));
    }

private:
    std::chrono::nanoseconds time_left(call_options const& o) const {
        if (!o.deadline) return core_->options().longest_request;
        return *o.deadline - (o.clock ? *o.clock : clock::system()).now();
    }

    std::shared_ptr<cpprest_core> const core_;
    std::once_flag registered_;
};

}  // namespace

std::shared_ptr<transport> make_cpprest_transport(http_origin const& origin, transport_options const& options) {
    return std::make_shared<cpprest_transport>(origin, options);
}

}  // namespace tablemap

// SPDX-License-Identifier: Apache-2.0
#include "tablemap/rest/beast_transport.hpp"

#include "rest/beast_core.hpp"
#include "rest/beast_loop.hpp"

#include <mutex>
#include <utility>
#include <vector>

// The parts that a request passes:
//
//   beast_exchange    a request from its connection to its response, without waiting: its driver waits for it
//   beast_blocking    the driver of blocking calls: poll() on the calling thread
//   beast_loop        the driver of all other requests: Asio on one thread
//   beast_pool        idle connections, and the requests that wait for one; shared by both drivers
//   beast_connection  a socket that never blocks, with beast_tls on it if need be
//   beast_parser      Beast's parser, which writes into the response
//   beast_addresses   the look-up of the server's name
//
// Connections belong to no driver: between two requests a connection only lies in the pool, and a blocking call takes
// one out of the loop's epoll before it uses it.

namespace tablemap::inline v0_1 {
namespace {

using namespace detail;

/// The transports over TLS. Constructed once OpenSSL is in use and therefore destroyed before OpenSSL cleans up: what a
/// program leaves to its last static destructors must neither run with it gone nor give connections back to it.
class living_loops {
public:
    static living_loops& instance() {
        static living_loops all;
        return all;
    }
    ~living_loops() {
        for (auto const& weak : all_)
            if (auto const loop = weak.lock()) loop->close();
    }
    void add(std::weak_ptr<beast_loop> loop) {
        std::lock_guard const lock{mutex_};
        std::erase_if(all_, [](auto const& weak) { return weak.expired(); });
        all_.push_back(std::move(loop));
    }

private:
    std::mutex mutex_;
    std::vector<std::weak_ptr<beast_loop>> all_;
};

class beast_transport final : public transport {
public:
    beast_transport(http_origin const& origin, transport_options const& options)
        : core_(std::make_shared<beast_core>(origin, options)), loop_(std::make_shared<beast_loop>(core_)) {
        if (core_->settings.tls) living_loops::instance().add(loop_);
    }
    ~beast_transport() override { loop_->close(); }
    beast_transport(beast_transport const&) = delete;
    beast_transport& operator=(beast_transport const&) = delete;

    void send(http_request const& r, call_options const& o, http_receiver& to) override {
        time_limit until;
        auto refused = refusal(r, o, until);
        try {
            if (!refused) return loop_->send(r, until, o.stop, to);
        } catch (error const& e) {
            refused = e;
        } catch (std::exception const& e) {
            refused.emplace(transport_errc::failed, error_details{.reason = e.what()});
        }
        to.complete({.failure = std::move(refused)});
    }

    http_result call(http_request const& r, call_options const& o) override {
        time_limit until;
        if (auto refused = refusal(r, o, until)) return {.failure = std::move(refused)};
        return call_blocking(*core_, r, until, o.stop);
    }

private:
    /// Why nothing is sent at all; else until when it may take.
    std::optional<error> refusal(http_request const& r, call_options const& o, time_limit& until) const {
        if (o.stop.stop_requested()) return error{library_errc::cancelled};
        auto const now = std::chrono::steady_clock::now();
        if (o.deadline) {
            auto const left = *o.deadline - (o.clock ? o.clock->now() : now);
            if (left <= std::chrono::nanoseconds::zero()) return error{library_errc::deadline_exceeded};
            until = {left > time_point::max() - now ? time_point::max() : now + left, library_errc::deadline_exceeded};
        } else {
            until = {now + core_->settings.options.longest_request, transport_errc::timed_out};
        }
        return unsendable(r);
    }

    std::shared_ptr<beast_core> const core_;
    std::shared_ptr<beast_loop> const loop_;
};

}  // namespace

std::shared_ptr<transport> make_beast_transport(http_origin const& origin, transport_options const& options) {
    return std::make_shared<beast_transport>(origin, options);
}

}  // namespace tablemap

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "rest/cpprest_attempt.hpp"

#include "tablemap/rest/transport.hpp"

#include <utility>  // Asio of Boost 1.74 needs it first

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <cpprest/http_client.h>

#include <chrono>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <vector>

namespace tablemap::inline v0_1::detail {

class cpprest_core;

/// A request from send() until its receiver was called; may outlive its call by a deadline.
class cpprest_exchange : public std::enable_shared_from_this<cpprest_exchange> {
public:
    cpprest_exchange(std::shared_ptr<cpprest_core> c, http_request const& r, http_receiver& to)
        : core_(std::move(c)), changes_state_(r.changes_state()), request_(&r), to_(&to) {}

    /// Ends the request at its deadline or when a stop is requested.
    void watch(call_options const& o, std::chrono::nanoseconds left);

    /// Begins an attempt, on a new connection if there is none, unless the request has ended.
    void begin(std::shared_ptr<cpprest_connection> on) noexcept;

    /// The attempt has ended.
    void settle(cpprest_attempt& a) noexcept;

    /// Ends the request for this reason. `at_once` does not let a running attempt say what became of it.
    void abort(cpprest_fault why, bool at_once = false) noexcept;

    /// The receiver gets the first of several results.
    void finish(http_result&& result) noexcept;
    void finish(cpprest_fault const& why, outcome o) noexcept { finish({.failure = error_of(why, o)}); }

private:
    using resolver_type = boost::asio::ip::tcp::resolver;

    struct stop_requested {
        std::weak_ptr<cpprest_exchange> weak;
        void operator()() const noexcept;
    };

    void connect();
    void look_up();
    void found(resolver_type::results_type const& found) noexcept;
    void start(std::shared_ptr<cpprest_connection> on);
    void end_of_start(cpprest_fault const& why) noexcept;
    web::http::http_request message() const;
    void set_timer(std::chrono::nanoseconds after, void (cpprest_exchange::*then)());
    void time_is_up();
    std::optional<std::chrono::steady_clock::time_point> next_look(std::chrono::steady_clock::time_point now) const;
    void give_up();

    std::shared_ptr<cpprest_core> const core_;
    bool const changes_state_;
    cpprest_fault at_deadline_{library_errc::deadline_exceeded};
    std::chrono::steady_clock::time_point deadline_{};

    std::mutex mutex_;
    http_request const* request_;  // until finished
    http_receiver* to_;            // until finished
    std::optional<boost::asio::steady_timer> timer_;
    std::unique_ptr<std::stop_callback<stop_requested>> stop_;
    std::shared_ptr<cpprest_attempt> running_;
    std::optional<std::chrono::steady_clock::time_point> begun_;
    std::vector<boost::asio::ip::address> addresses_;  // to connect to, the last one next
    std::optional<cpprest_fault> why_;
    bool tried_again_ = false;
    bool finished_ = false;
};

}  // namespace tablemap::detail

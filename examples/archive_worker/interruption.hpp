// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>

#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>

#include <csignal>
#include <stop_token>
#include <thread>

/// During its lifetime Ctrl+C requests a stop, and a second Ctrl+C ends the program.
class interruption {
public:
    interruption() {
        signals_.async_wait([this](boost::system::error_code const& e, int) {
            if (e) return;
            signals_.clear();
            stop_.request_stop();
        });
        waiting_ = std::thread{[this] { io_.run(); }};
    }
    ~interruption() {
        io_.stop();
        waiting_.join();
    }
    interruption(interruption const&) = delete;
    interruption& operator=(interruption const&) = delete;

    std::stop_token token() const { return stop_.get_token(); }

private:
    std::stop_source stop_;
    boost::asio::io_context io_;
    boost::asio::signal_set signals_{io_, SIGINT, SIGTERM};
    std::thread waiting_;
};

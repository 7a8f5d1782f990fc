// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "serve/beast_session.hpp"
#include "serve/table_service.hpp"
#include "tablemap/serve/server.hpp"

#include <utility>  // Asio of Boost 1.74 needs it first

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/context.hpp>

#include <condition_variable>
#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

namespace tablemap::inline v0_1 {

/// Accepts connections, and runs them on its threads.
class server::listener {
public:
    listener(store_ptr store, serve_options options);
    ~listener();

    void start();
    void stop() noexcept;

    std::uint16_t port() const noexcept { return port_; }
    std::string url() const;

private:
    using tcp = boost::asio::ip::tcp;

    void listen();
    void accept();
    void take(tcp::socket socket);
    void run() noexcept;
    void wait_for_sessions();
    void ended();
    void finish_all();

    serve_options const options_;
    detail::serve::table_service const service_;
    detail::serve::session_context sessions_context_;
    std::optional<boost::asio::ssl::context> tls_;
    // Sessions that the loop still holds when it goes give back their places, so these are destroyed after it.
    std::mutex mutex_;
    std::condition_variable changed_;
    std::list<std::weak_ptr<detail::serve::session>> sessions_;  // some may have ended
    std::size_t open_ = 0;
    bool accepts_ = false;  // a call to accept is pending
    bool stopped_ = false;

    boost::asio::io_context io_;
    tcp::acceptor acceptor_;  // used under the mutex once there are threads
    std::uint16_t port_ = 0;
    std::vector<std::thread> threads_;
};

}  // namespace tablemap

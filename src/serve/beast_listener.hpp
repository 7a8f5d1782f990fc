// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "serve/beast_session.hpp"
#include "serve/table_service.hpp"
#include "tablemap/serve/server.hpp"

#include <utility>  // Asio of Boost 1.74 needs it first

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/steady_timer.hpp>

#include <condition_variable>
#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

namespace tablemap::inline v0_1 {

/// Accepts connections, and runs them on a thread of its own. Requests that may wait for something are carried out by
/// workers, so that they hold up no others.
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

    using sessions = std::list<std::weak_ptr<detail::serve::session>>;

    void listen();
    void accept();
    void accept_next();  // under the mutex
    void accept_again() noexcept;
    void accepted(boost::system::error_code ec, detail::serve::session_socket socket);
    void client_waits(boost::system::error_code ec);
    void pause();  // under the mutex
    bool is_full() const noexcept { return sessions_.size() >= options_.connections; }
    sessions all_sessions();
    std::shared_ptr<detail::serve::session> longest_idle();
    void watch();  // under the mutex
    void look_at_limits();
    void end_late_ones();
    void take(detail::serve::session_socket socket);
    std::shared_ptr<void> new_place(sessions::iterator& of);
    void run(boost::asio::io_context& loop) noexcept;
    void wait_for_sessions();
    void ended(sessions::iterator one) noexcept;
    void finish_all();

    serve_options const options_;
    detail::serve::table_service const service_;
    std::optional<boost::asio::ssl::context> tls_;
    // Sessions that the loop still holds when it goes give back their places, so these are destroyed after it.
    std::mutex mutex_;
    std::condition_variable changed_;
    sessions sessions_;     // those that are open, one without an object until that is made
    bool accepts_ = false;  // a call to accept is pending, or a wait before it
    bool watches_ = false;  // a look at the limits of the sessions is to come
    bool stopped_ = false;

    boost::asio::io_context io_{1};  // one thread runs it, so that it wakes no other
    boost::asio::io_context work_;   // the workers run it
    using keeps_running = boost::asio::executor_work_guard<boost::asio::io_context::executor_type>;
    keeps_running const io_runs_{io_.get_executor()}, work_runs_{work_.get_executor()};
    detail::serve::session_context sessions_context_;
    tcp::acceptor acceptor_;           // used under the mutex once there are threads
    boost::asio::steady_timer pause_;  // and so are these
    boost::asio::steady_timer watch_;
    std::uint16_t port_ = 0;
    std::vector<std::thread> threads_;
};

}  // namespace tablemap

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <list>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

namespace tablemap::test {

/// A request that arrived whole.
struct seen_request {
    std::string method;
    std::string target;
    std::vector<std::pair<std::string, std::string>> headers;  // names in lower case
    std::string body;
    std::size_t connection = 0;     // from 0, in the order in which they were accepted
    std::size_t on_connection = 0;  // from 0

    /// The value of this header; "" if there is none.
    std::string header(std::string_view lower_case_name) const;
};

/// The server's reaction to a request.
struct reply {
    std::string bytes{};                         // sent as they are
    std::size_t repeat = 1;                      // so many times
    std::chrono::milliseconds between_bytes{0};  // trickle instead
    bool close = false;                          // when all is sent
    bool stall = false;                          // when all is sent: neither read nor close

    /// An ordinary answer with its length.
    static reply answer(int status, std::string const& body = {}, std::string const& more_headers = {});
    static reply hang_up() { return {.close = true}; }
    static reply silence() { return {.stall = true}; }
};

/// A local server of HTTP 1.1 that does what a test asks of it, wrong things above all. One thread for each connection;
/// no limits, no security. Thread safety: the script is called by several threads.
class http_server {
public:
    using script = std::function<reply(seen_request const&)>;

    explicit http_server(script s);
    ~http_server();
    http_server(http_server const&) = delete;
    http_server& operator=(http_server const&) = delete;

    std::uint16_t port() const noexcept { return port_; }

    std::vector<seen_request> seen() const;
    std::size_t times_seen(std::string_view method, std::string_view target) const;

    /// Connections since the begin, and the most that were open together.
    std::size_t accepted() const;
    std::size_t most_open() const;

    /// Closes what is open, as a server does with idle connections.
    void close_connections();

private:
    struct connection {
        int socket;
        bool open = true;
        std::thread thread{};
    };

    void accept();
    void serve(connection& c, std::size_t number);
    bool send(connection const& c, reply const& r);
    bool pause(std::chrono::milliseconds d);

    script const script_;
    int listener_ = -1;
    std::uint16_t port_ = 0;

    mutable std::mutex mutex_;
    std::condition_variable changed_;
    std::list<connection> connections_;
    std::vector<seen_request> seen_;
    std::size_t accepted_ = 0;
    std::size_t open_ = 0;
    std::size_t most_open_ = 0;
    bool ending_ = false;
    std::thread acceptor_;
};

}  // namespace tablemap::test

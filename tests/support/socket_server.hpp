// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace tablemap::test {

/// The server's side of a connection.
class served_socket {
public:
    explicit served_socket(int s) : socket_(s) {}

    /// Reads at least so far; false if the peer ends before.
    bool read_to(std::string_view mark) const;
    /// False once the peer is gone.
    bool send(std::string_view bytes) const;
    /// Ends the connection in good order, or as a process does that dies.
    void close() const;
    void reset() const;

private:
    int socket_;
};

/// A local server that says what a test wants, to one connection after another, in no protocol. Connections stay open
/// until its end.
class socket_server {
public:
    explicit socket_server(std::function<void(served_socket)> serve);
    ~socket_server();
    socket_server(socket_server const&) = delete;
    socket_server& operator=(socket_server const&) = delete;

    std::uint16_t port() const noexcept { return port_; }

private:
    void accept();

    std::function<void(served_socket)> const serve_;
    int listener_ = -1;
    std::uint16_t port_ = 0;
    std::mutex mutex_;
    std::vector<int> open_;
    std::thread thread_;
};

}  // namespace tablemap::test

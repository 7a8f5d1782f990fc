// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdint>
#include <stdexcept>
#include <vector>

namespace tablemap::test {

/// A port of this machine on which nobody listens: bound for as long as this lives.
class closed_port {
public:
    closed_port() : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
        address_.sin_family = AF_INET;
        address_.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        socklen_t size = sizeof address_;
        if (::bind(socket_, address(), size) != 0 || ::getsockname(socket_, address(), &size) != 0)
            throw std::runtime_error{"no local port can be bound"};
        number = ntohs(address_.sin_port);
    }
    ~closed_port() { ::close(socket_); }
    closed_port(closed_port const&) = delete;
    closed_port& operator=(closed_port const&) = delete;

    std::uint16_t number = 0;

protected:
    sockaddr* address() noexcept { return reinterpret_cast<sockaddr*>(&address_); }

    int const socket_;
    sockaddr_in address_{};
};

/// A listener of this machine that takes no connection: its queue is full, and further attempts are left unanswered.
class deaf_listener : public closed_port {
public:
    deaf_listener() {
        ::listen(socket_, 0);
        for (int i = 0; i < 8; ++i) {
            fill_.push_back(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
            (void)::connect(fill_.back(), address(), sizeof address_);
        }
    }
    ~deaf_listener() {
        for (int const s : fill_) ::close(s);
    }

private:
    std::vector<int> fill_;
};

}  // namespace tablemap::test

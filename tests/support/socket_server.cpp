// SPDX-License-Identifier: Apache-2.0
#include "support/socket_server.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <stdexcept>
#include <utility>

namespace tablemap::test {

bool served_socket::read_to(std::string_view mark) const {
    std::string all;
    for (char c = 0; ::recv(socket_, &c, 1, 0) == 1;) {
        all += c;
        if (all.ends_with(mark)) return true;
    }
    return false;
}

bool served_socket::send(std::string_view bytes) const {
    while (!bytes.empty()) {
        auto const n = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
        if (n <= 0) return false;
        bytes.remove_prefix(static_cast<std::size_t>(n));
    }
    return true;
}

void served_socket::close() const { ::shutdown(socket_, SHUT_RDWR); }

void served_socket::reset() const {
    sockaddr const nobody{.sa_family = AF_UNSPEC, .sa_data = {}};
    linger const at_once{.l_onoff = 1, .l_linger = 0};
    ::setsockopt(socket_, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
    ::connect(socket_, &nobody, sizeof nobody);
}

socket_server::socket_server(std::function<void(served_socket)> serve)
    : serve_(std::move(serve)), listener_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    auto* const any = reinterpret_cast<sockaddr*>(&address);
    if (::bind(listener_, any, size) != 0 || ::listen(listener_, 16) != 0 || ::getsockname(listener_, any, &size) != 0)
        throw std::runtime_error{"no local server can be made"};
    port_ = ntohs(address.sin_port);
    thread_ = std::thread{[this] { accept(); }};
}

socket_server::~socket_server() {
    ::shutdown(listener_, SHUT_RDWR);  // ends accept()
    {
        std::lock_guard const lock{mutex_};
        for (int const s : open_) ::shutdown(s, SHUT_RDWR);
    }
    thread_.join();
    for (int const s : open_) ::close(s);
    ::close(listener_);
}

void socket_server::accept() {
    for (int s = 0; (s = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC)) >= 0;) {
        {
            std::lock_guard const lock{mutex_};
            open_.push_back(s);
        }
        serve_(served_socket{s});
    }
}

}  // namespace tablemap::test

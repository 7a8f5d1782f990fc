// SPDX-License-Identifier: Apache-2.0
#include "support/free_port.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <stdexcept>

namespace tablemap::test {

std::uint16_t free_port() {
    int const socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    auto* const any = reinterpret_cast<sockaddr*>(&address);
    bool const found = ::bind(socket, any, size) == 0 && ::getsockname(socket, any, &size) == 0;
    ::close(socket);
    if (!found) throw std::runtime_error{"there is no free port"};
    return ntohs(address.sin_port);
}

}  // namespace tablemap::test

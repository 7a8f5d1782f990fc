// SPDX-License-Identifier: Apache-2.0
#include "rest/cpprest_watch.hpp"

#include "rest/transport_settings.hpp"

#include <fcntl.h>
#include <linux/tcp.h>  // its tcp_info has what glibc's has not
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <limits>
#include <optional>
#include <system_error>

namespace tablemap::inline v0_1::detail {
namespace {

constexpr int level_of_tcp = 6;  // IPPROTO_TCP, whose header and linux/tcp.h exclude each other

/// A head, and what is read at once behind it: the first part of a body of known length is 1 MiB.
constexpr std::size_t most_before_a_body = 1280 * 1024;

std::uint64_t in_all(std::size_t largest_response) noexcept {
    constexpr auto most = std::numeric_limits<std::uint64_t>::max() / 2 / most_around_a_body;
    return most_before_a_body + std::min<std::uint64_t>(largest_response, most) * most_around_a_body;
}

/// The number of bytes that a socket received since it was made; nothing if the system does not tell.
std::optional<std::uint64_t> received_by(int socket) noexcept {
    tcp_info info{};
    socklen_t size = sizeof info;
    if (::getsockopt(socket, level_of_tcp, TCP_INFO, &info, &size) != 0 ||
        size < offsetof(tcp_info, tcpi_bytes_received) + sizeof info.tcpi_bytes_received)
        return std::nullopt;
    return info.tcpi_bytes_received;
}

/// Bytes read from a socket since it was made: both are the same unless more came while they were counted.
struct bytes_read {
    std::uint64_t at_least;
    std::uint64_t at_most;
};

/// Nothing if the system does not tell.
std::optional<bytes_read> read_from(int socket) noexcept {
    constexpr int tries = 3;
    for (int i = 1;; ++i) {
        int unread = 0;
        auto const before = received_by(socket);
        if (::ioctl(socket, FIONREAD, &unread) != 0) return std::nullopt;
        auto const after = received_by(socket);
        if (!before || !after) return std::nullopt;
        if (*before != *after && i < tries) continue;
        auto const read = [n = static_cast<std::uint64_t>(std::max(unread, 0))](std::uint64_t received) {
            return received - std::min(received, n);
        };
        return bytes_read{read(*before), read(*after)};
    }
}

/// Ends the connection and discards the bytes that have come, so that none of them is read.
void end(int socket) noexcept {
    ::shutdown(socket, SHUT_RDWR);
    while (::recv(socket, nullptr, std::numeric_limits<int>::max(), MSG_TRUNC | MSG_DONTWAIT) > 0) {
    }
}

}  // namespace

cpprest_watch::cpprest_watch(std::size_t largest_response) noexcept
    : most_held_(std::min(largest_response, most_of_a_chunk - most_before_a_body) + most_before_a_body),
      most_in_all_(in_all(largest_response)) {}

void cpprest_watch::watch(int socket) {
    forget();
    socket_ = ::fcntl(socket, F_DUPFD_CLOEXEC, 0);
    if (socket_ < 0) throw std::system_error{errno, std::generic_category(), "no descriptor for a connection"};
    if (!read_from(socket_))
        throw std::system_error{ENOTSUP, std::generic_category(), "the system does not tell what a socket received"};
    read_ = counted_ = 0;
    response_begins();
}

/// Not counted anew, which would cost calls of the system: what followed the body of the response before, such as the
/// line of its last chunk, counts for this one, too.
void cpprest_watch::response_begins() noexcept {
    begin_ = delivered_ = counted_;
    head_is_read_ = false;
}

void cpprest_watch::head_ended() noexcept {
    delivered();
    head_is_read_ = true;
}

void cpprest_watch::delivered() noexcept {
    count();
    delivered_ = counted_;
}

void cpprest_watch::count() noexcept {
    if (socket_ < 0) return;
    auto const n = read_from(socket_).value_or(bytes_read{read_, read_});
    counted_ = std::max(counted_, n.at_least);
    read_ = std::max(counted_, n.at_most);
}

char const* cpprest_watch::excess(std::uint64_t read) const noexcept {
    if (!head_is_read_ && read - delivered_ > most_before_a_body) return "its head is larger than 32 KiB";
    if (read - delivered_ > most_held_) return "a chunk of it is larger than 8 MiB";
    if (read - begin_ > most_in_all_) return "there is too much around its body";
    return nullptr;
}

void cpprest_watch::look() noexcept {
    if (socket_ < 0) return;
    read_ += most_of_a_step;
    if (!exceeded_ && excess(read_)) {
        count();
        exceeded_ = excess(counted_);
    }
    if (exceeded_) end(socket_);
}

bool cpprest_watch::add(std::size_t bytes) noexcept {
    if (socket_ >= 0) return true;  // look() counts them
    counted_ += bytes;
    if (!exceeded_) exceeded_ = excess(counted_);
    return !exceeded_;
}

void cpprest_watch::forget() noexcept {
    if (socket_ >= 0) ::close(socket_);
    socket_ = -1;
}

}  // namespace tablemap::detail

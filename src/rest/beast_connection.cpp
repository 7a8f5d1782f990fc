// SPDX-License-Identifier: Apache-2.0
#include "rest/beast_connection.hpp"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cerrno>

namespace tablemap::inline v0_1::detail {
namespace {

iovec part(std::string_view text) noexcept {
    return {.iov_base = const_cast<char*>(text.data()), .iov_len = text.size()};
}

}  // namespace

io_status beast_connection::connect(socket_address const& to) noexcept {
    close();
    socket_ = ::socket(to.bytes.ss_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (socket_ < 0) {
        why_ = errno;
        return io_status::failed;
    }
    int const on = 1;
    ::setsockopt(socket_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    if (::connect(socket_, reinterpret_cast<sockaddr const*>(&to.bytes), to.size) == 0) return io_status::done;
    why_ = errno;
    return why_ == EINPROGRESS || why_ == EINTR ? io_status::want_write : io_status::failed;
}

io_status beast_connection::connected() noexcept {
    socklen_t size = sizeof why_;
    if (::getsockopt(socket_, SOL_SOCKET, SO_ERROR, &why_, &size) != 0) why_ = errno;
    return why_ == 0 ? io_status::done : io_status::failed;
}

void beast_connection::start_tls(tls_context const& context, std::string const& host) {
    tls_ = std::make_unique<tls_session>(context, socket_, host);
}

io_result beast_connection::write(std::string_view first, std::string_view second) noexcept {
    if (tls_) return tls_->write(first.data(), first.size());
    iovec parts[2] = {part(first), part(second)};
    msghdr message{};
    message.msg_iov = first.empty() ? parts + 1 : parts;
    message.msg_iovlen = first.empty() || second.empty() ? 1 : 2;
    auto const n = ::sendmsg(socket_, &message, MSG_NOSIGNAL);
    if (n >= 0) {
        socket_took_ += static_cast<std::size_t>(n);
        return {io_status::done, static_cast<std::size_t>(n)};
    }
    why_ = errno;
    return {is_passing(why_) ? io_status::want_write : io_status::failed};
}

io_result beast_connection::read(char* to, std::size_t n) noexcept {
    if (tls_) return tls_->read(to, n);
    auto const got = ::recv(socket_, to, n, 0);
    if (got > 0) return {io_status::done, static_cast<std::size_t>(got)};
    if (got == 0) return {io_status::ended};
    why_ = errno;
    return {is_passing(why_) ? io_status::want_read : io_status::failed};
}

bool beast_connection::is_quiet() const noexcept {
    char c = 0;
    return ::recv(socket_, &c, 1, MSG_PEEK | MSG_DONTWAIT) < 0 && is_passing(errno);
}

boost::asio::posix::stream_descriptor& beast_connection::watched_by(boost::asio::io_context& loop, bool to_write) {
    // After a wait for writing, each later wait for a response would find the socket ready to be written, and wake the
    // loop for nothing.
    if (is_watched_to_write_ && !to_write) unwatch();
    if (!watched_) watched_.emplace(loop, socket_);
    is_watched_to_write_ = to_write;
    return *watched_;
}

void beast_connection::unwatch() noexcept {
    if (!watched_) return;
    watched_->release();
    watched_.reset();
    is_watched_to_write_ = false;
}

void beast_connection::close() noexcept {
    tls_.reset();
    unwatch();
    if (socket_ >= 0) ::close(socket_);
    socket_ = -1;
    socket_took_ = 0;
}

}  // namespace tablemap::detail

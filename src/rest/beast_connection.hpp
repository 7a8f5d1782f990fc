// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "rest/beast_addresses.hpp"
#include "rest/beast_tls.hpp"

#include "tablemap/store/clock.hpp"

#include <utility>  // Asio of Boost 1.74 needs it first

#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>

#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace tablemap::inline v0_1::detail {

/// A socket that never blocks, maybe with TLS on it, and its buffers. Used by one thread at a time.
class beast_connection {
public:
    beast_connection() = default;
    ~beast_connection() { close(); }
    beast_connection(beast_connection const&) = delete;
    beast_connection& operator=(beast_connection const&) = delete;

    /// Begins to connect, on a new socket: `done`, `want_write` or `failed`. `connected` tells the result after
    /// `want_write`.
    io_status connect(socket_address const& to) noexcept;
    io_status connected() noexcept;

    /// From here on everything is encrypted, once the hands are shaken.
    void start_tls(tls_context const& context, std::string const& host);
    tls_session* tls() const noexcept { return tls_.get(); }

    /// Writes a part of both, one behind the other. Encrypted, `second` is empty.
    io_result write(std::string_view first, std::string_view second) noexcept;
    io_result read(char* to, std::size_t n) noexcept;

    /// False if the peer has closed, or spoken out of turn, while nothing was asked of it.
    bool is_quiet() const noexcept;

    int socket() const noexcept { return socket_; }

    /// The number of bytes that the socket took since it was opened.
    std::size_t socket_took() const noexcept { return tls_ ? tls_->socket_took() : socket_took_; }

    /// The errno of the last failure; 0 if the peer ended in the middle of TLS.
    int why() const noexcept { return why_; }

    /// The socket for waits in this loop, to which it stays bound until `unwatch`. `to_write`: one of them waits until
    /// it can be written. If only waits before did so, it is bound anew, which cancels those that have not ended.
    boost::asio::posix::stream_descriptor& watched_by(boost::asio::io_context& loop, bool to_write);
    void unwatch() noexcept;

    /// Kept from one request to the next.
    static constexpr std::size_t buffer_size = 64 * 1024;
    std::unique_ptr<char[]> const buffer{new char[buffer_size]};
    std::string head{};
    time_point idle_since{};

private:
    void close() noexcept;

    int socket_ = -1;
    int why_ = 0;
    std::size_t socket_took_ = 0;
    std::unique_ptr<tls_session> tls_;
    std::optional<boost::asio::posix::stream_descriptor> watched_;
    bool is_watched_to_write_ = false;
};

}  // namespace tablemap::detail

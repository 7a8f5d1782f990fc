// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <string>

struct ssl_ctx_st;
struct ssl_st;

namespace tablemap::inline v0_1::detail {

/// The result of an attempt to move bytes without waiting.
enum class io_status {
    done,
    want_read,   ///< once there is something to read
    want_write,  ///< once there is room to write
    ended,       ///< by the peer, in good order
    failed,
};

struct io_result {
    io_status status;
    std::size_t bytes = 0;
};

/// An errno that only says: not now.
bool is_passing(int e) noexcept;

/// Whom to trust. Thread safety: may be shared once made.
class tls_context {
public:
    /// Trusts the system's certificates and those of the file, unless its name is empty. Throws
    /// `transport_errc::tls_failed` if that file holds none.
    explicit tls_context(std::string const& ca_file);

    ssl_ctx_st* get() const noexcept { return context_.get(); }

private:
    struct deleter {
        void operator()(ssl_ctx_st* c) const noexcept;
    };
    std::unique_ptr<ssl_ctx_st, deleter> context_;
};

/// TLS 1.2 or newer over a socket that never blocks, with a server whose certificate names this host.
class tls_session {
public:
    /// Throws `std::bad_alloc`. The socket is borrowed.
    tls_session(tls_context const& context, int socket, std::string const& host);

    io_status shake_hands() noexcept;
    io_result write(char const* from, std::size_t n) noexcept;
    io_result read(char* to, std::size_t n) noexcept;

    /// The number of encrypted bytes that the socket took so far.
    std::size_t socket_took() const noexcept { return socket_took_; }

    /// After a failed handshake: true if the peer's certificate or its TLS is at fault, not the connection; and why.
    bool is_refused() const noexcept { return !why_.empty(); }
    std::string const& why() const noexcept { return why_; }

private:
    friend struct socket_bio;
    struct deleter {
        void operator()(ssl_st* s) const noexcept;
    };

    io_status status_of(int returned) noexcept;

    int socket_;
    std::size_t socket_took_ = 0;
    std::string why_;
    std::unique_ptr<ssl_st, deleter> session_;
};

}  // namespace tablemap::detail

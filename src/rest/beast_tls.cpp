// SPDX-License-Identifier: Apache-2.0
#include "rest/beast_tls.hpp"

#include "rest/tls_host.hpp"

#include "tablemap/base/error.hpp"

#include <openssl/err.h>
#include <openssl/ssl.h>

#include <sys/socket.h>

#include <cerrno>
#include <new>

namespace tablemap::inline v0_1::detail {

bool is_passing(int e) noexcept { return e == EAGAIN || e == EWOULDBLOCK || e == EINTR; }

/// OpenSSL's own way to a socket may raise SIGPIPE; this one does not, and counts.
struct socket_bio {
    static int write(BIO* b, char const* from, int n) {
        auto& s = *static_cast<tls_session*>(BIO_get_data(b));
        BIO_clear_retry_flags(b);
        auto const sent = ::send(s.socket_, from, static_cast<std::size_t>(n), MSG_NOSIGNAL);
        if (sent > 0) s.socket_took_ += static_cast<std::size_t>(sent);
        if (sent < 0 && is_passing(errno)) BIO_set_retry_write(b);
        return static_cast<int>(sent);
    }

    static int read(BIO* b, char* to, int n) {
        auto const& s = *static_cast<tls_session*>(BIO_get_data(b));
        BIO_clear_retry_flags(b);
        auto const got = ::recv(s.socket_, to, static_cast<std::size_t>(n), 0);
        if (got < 0 && is_passing(errno)) BIO_set_retry_read(b);
        return static_cast<int>(got);
    }

    static long control(BIO*, int command, long, void*) { return command == BIO_CTRL_FLUSH ? 1 : 0; }

    static BIO_METHOD const* method() {
        static BIO_METHOD* const m = [] {
            auto* const made = BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "tablemap socket");
            if (!made) throw std::bad_alloc{};
            BIO_meth_set_write(made, write);
            BIO_meth_set_read(made, read);
            BIO_meth_set_ctrl(made, control);
            return made;
        }();
        return m;
    }
};

namespace {

/// OpenSSL's text for the oldest error of this thread.
std::string oldest_error() {
    auto const code = ERR_get_error();
    auto const* const text = ERR_reason_error_string(code);
    return text ? text : "the handshake failed";
}

}  // namespace

void tls_context::deleter::operator()(ssl_ctx_st* c) const noexcept { SSL_CTX_free(c); }
void tls_session::deleter::operator()(ssl_st* s) const noexcept { SSL_free(s); }

tls_context::tls_context(std::string const& ca_file) : context_(SSL_CTX_new(TLS_client_method())) {
    if (!context_) throw std::bad_alloc{};
    auto* const c = context_.get();
    SSL_CTX_set_min_proto_version(c, TLS1_2_VERSION);
    SSL_CTX_set_verify(c, SSL_VERIFY_PEER, nullptr);
    SSL_CTX_set_default_verify_paths(c);
    SSL_CTX_set_mode(c, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER | SSL_MODE_RELEASE_BUFFERS);
    ERR_clear_error();
    if (!ca_file.empty() && SSL_CTX_load_verify_locations(c, ca_file.c_str(), nullptr) != 1) {
        ERR_clear_error();
        throw error{transport_errc::tls_failed, {.reason = "the CA file holds no certificates or cannot be read"}};
    }
}

tls_session::tls_session(tls_context const& context, int socket, std::string const& host)
    : socket_(socket), session_(SSL_new(context.get())) {
    auto* const bio = session_ ? BIO_new(socket_bio::method()) : nullptr;
    if (!bio) throw std::bad_alloc{};
    BIO_set_data(bio, this);
    BIO_set_init(bio, 1);
    auto* const s = session_.get();
    SSL_set_bio(s, bio, bio);
    SSL_set_connect_state(s);

    demand_host(SSL_get0_param(s), host);
    if (!is_address(host) && SSL_set_tlsext_host_name(s, host.c_str()) != 1) throw std::bad_alloc{};
}

io_status tls_session::status_of(int returned) noexcept {
    switch (SSL_get_error(session_.get(), returned)) {
    case SSL_ERROR_WANT_READ: return io_status::want_read;
    case SSL_ERROR_WANT_WRITE: return io_status::want_write;
    case SSL_ERROR_ZERO_RETURN: return io_status::ended;
    default: return io_status::failed;
    }
}

io_status tls_session::shake_hands() noexcept {
    ERR_clear_error();
    auto const n = SSL_do_handshake(session_.get());
    if (n == 1) return io_status::done;
    auto const status = status_of(n);
    if (status != io_status::failed) return status;
    auto const verified = SSL_get_verify_result(session_.get());
    auto const code = ERR_peek_error();
    if (verified != X509_V_OK)
        why_ = X509_verify_cert_error_string(verified);
    else if (ERR_GET_LIB(code) == ERR_LIB_SSL && ERR_GET_REASON(code) != SSL_R_UNEXPECTED_EOF_WHILE_READING)
        why_ = oldest_error();
    return status;
}

io_result tls_session::write(char const* from, std::size_t n) noexcept {
    ERR_clear_error();
    std::size_t written = 0;
    auto const r = SSL_write_ex(session_.get(), from, n, &written);
    return r == 1 ? io_result{io_status::done, written} : io_result{status_of(r)};
}

io_result tls_session::read(char* to, std::size_t n) noexcept {
    ERR_clear_error();
    std::size_t got = 0;
    auto const r = SSL_read_ex(session_.get(), to, n, &got);
    return r == 1 ? io_result{io_status::done, got} : io_result{status_of(r)};
}

}  // namespace tablemap::detail

// SPDX-License-Identifier: Apache-2.0
#include "rest/cpprest_tls.hpp"

#include "rest/tls_host.hpp"

#include <openssl/ssl.h>

#include <new>
#include <utility>

namespace tablemap::inline v0_1::detail {
namespace {

using watch_ptr = std::shared_ptr<cpprest_watch>;

void drop(void*, void* watch, CRYPTO_EX_DATA*, int, long, void*) { delete static_cast<watch_ptr*>(watch); }

/// The place of the watch among the data of a context.
int place() {
    static int const index = SSL_CTX_get_ex_new_index(0, nullptr, nullptr, nullptr, drop);
    return index;
}

/// Called by OpenSSL for the header of each record, among others. An end of the connection that the server did not send
/// makes the next read fail.
void count(int is_written, int, int kind, void const* bytes, std::size_t n, SSL* of, void*) {
    if (is_written || kind != SSL3_RT_HEADER || n != SSL3_RT_HEADER_LENGTH) return;
    auto const* const header = static_cast<unsigned char const*>(bytes);
    auto const* const watch = static_cast<watch_ptr*>(SSL_CTX_get_ex_data(SSL_get_SSL_CTX(of), place()));
    if (!(*watch)->add(n + header[3] * 256U + header[4])) SSL_set_shutdown(of, SSL_RECEIVED_SHUTDOWN);
}

}  // namespace

void watch_tls(ssl_ctx_st* context, std::string const& host, watch_ptr watch) {
    demand_host(SSL_CTX_get0_param(context), host);
    auto kept = std::make_unique<watch_ptr>(std::move(watch));
    if (SSL_CTX_set_ex_data(context, place(), kept.get()) != 1) throw std::bad_alloc{};
    static_cast<void>(kept.release());  // the context deletes it
    SSL_CTX_set_msg_callback(context, count);
}

}  // namespace tablemap::detail

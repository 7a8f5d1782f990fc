// SPDX-License-Identifier: Apache-2.0
#include "tablemap/crypto/hmac.hpp"

#include "tablemap/base/error.hpp"

#include <openssl/evp.h>
#include <openssl/hmac.h>

#include <climits>

namespace tablemap::detail {
namespace {

unsigned char const* as_chars(std::span<std::byte const> data) noexcept {
    return reinterpret_cast<unsigned char const*>(data.data());
}

[[noreturn]] void refused() {
    throw error{library_errc::unsupported, {.reason = "OpenSSL offers no SHA-256: check its configuration"}};
}

}  // namespace

sha256_digest sha256(std::span<std::byte const> data) {
    sha256_digest digest;
    auto* const to = reinterpret_cast<unsigned char*>(digest.data());
    if (EVP_Digest(data.data(), data.size(), to, nullptr, EVP_sha256(), nullptr) != 1) refused();
    return digest;
}

sha256_digest hmac_sha256(std::span<std::byte const> key, std::span<std::byte const> data) {
    sha256_digest hashed;
    if (key.size() > static_cast<std::size_t>(INT_MAX)) {  // which RFC 2104 hashes first, too
        hashed = sha256(key);
        key = hashed;
    }
    sha256_digest digest;
    auto* const to = reinterpret_cast<unsigned char*>(digest.data());
    constexpr unsigned char nothing = 0;  // OpenSSL takes a null key for "the one of before"
    void const* const k = key.empty() ? &nothing : static_cast<void const*>(key.data());
    if (!HMAC(EVP_sha256(), k, static_cast<int>(key.size()), as_chars(data), data.size(), to, nullptr)) refused();
    return digest;
}

}  // namespace tablemap::detail

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <span>

/// Hashes and message authentication codes: bytes in, bytes out.
namespace tablemap::inline v0_1::detail {

using sha256_digest = std::array<std::byte, 32>;

/// FIPS 180-4. Errors (thrown): `library_errc::unsupported` if OpenSSL offers no SHA-256.
sha256_digest sha256(std::span<std::byte const> data);

/// SHA-256 of data that comes in pieces. Thread safety: none.
class sha256_stream {
public:
    /// Errors (thrown): as `sha256`.
    sha256_stream();
    ~sha256_stream();
    sha256_stream(sha256_stream const&) = delete;
    sha256_stream& operator=(sha256_stream const&) = delete;

    /// Errors (thrown): as `sha256`.
    void add(std::span<std::byte const> piece);

    /// Of all pieces. Nothing is added after that. Errors (thrown): as `sha256`.
    sha256_digest finish();

private:
    struct context;
    std::unique_ptr<context> context_;
};

/// RFC 2104 over SHA-256, a key of any length. Errors: as `sha256`.
sha256_digest hmac_sha256(std::span<std::byte const> key, std::span<std::byte const> data);

/// A key of HMAC-SHA-256 for many messages: prepared once, a message costs less than half of `hmac_sha256`. Copies are
/// cheap and share the key, which is wiped when the last one is destroyed. Thread safety: immutable.
class hmac_key {
public:
    /// Errors (thrown): as `sha256`.
    explicit hmac_key(std::span<std::byte const> key);

    /// Errors (thrown): as `sha256`.
    sha256_digest sign(std::span<std::byte const> data) const;

private:
    friend void hkdf_expand(hmac_key const& prk, std::span<std::byte const> info, std::span<std::byte> out);

    struct contexts;
    std::shared_ptr<contexts const> contexts_;
};

/// HKDF-Extract of RFC 5869 over SHA-256: the pseudorandom key. Errors: as `sha256`.
hmac_key hkdf_extract(std::span<std::byte const> salt, std::span<std::byte const> key);

/// HKDF-Expand of RFC 5869 over SHA-256: fills `out`. Precondition: at most 8,160 bytes. Errors: as `sha256`.
void hkdf_expand(hmac_key const& prk, std::span<std::byte const> info, std::span<std::byte> out);

}  // namespace tablemap::detail

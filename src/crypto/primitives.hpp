// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/base/bytes.hpp"
#include "tablemap/base/result.hpp"

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

/// Ciphers, key unwrapping and random bytes of OpenSSL. Functions throw `library_errc::unsupported` if its
/// configuration lacks an algorithm. They leave nothing in its queue of errors. Thread safety: all may run at the same
/// time.
namespace tablemap::inline v0_1::detail {

/// Overwrites bytes in a way that no optimiser leaves out.
void wipe(std::span<std::byte> secret) noexcept;

/// Wipes bytes at the end of a block.
class wiped {
public:
    explicit wiped(std::span<std::byte> secret) noexcept : secret_(secret) {}
    ~wiped() { wipe(secret_); }
    wiped(wiped const&) = delete;
    wiped& operator=(wiped const&) = delete;

private:
    std::span<std::byte> secret_;
};

/// Takes a time that depends on the lengths only.
bool equal_in_constant_time(std::span<std::byte const> a, std::span<std::byte const> b) noexcept;

/// Fills `out` with bytes that nobody can guess. Errors (thrown): `library_errc::unsupported` if the system has none.
void fill_random(std::span<std::byte> out);

/// AES-256-GCM (NIST SP 800-38D) under keys that are used once or a few times. Keeps contexts for the next call, which
/// may hold the last key until the object is destroyed. Thread safety: all functions at the same time.
class aes_256_gcm {
public:
    static constexpr std::size_t nonce_size = 12;
    static constexpr std::size_t tag_size = 16;

    using key = std::span<std::byte const, 32>;
    using nonce = std::span<std::byte const, nonce_size>;
    using associated = std::span<std::byte const>;

    aes_256_gcm();
    ~aes_256_gcm();

    /// Writes the ciphertext to `out`, which is as long as `plain`, and the tag.
    void seal(key k, nonce n, associated data, std::span<std::byte const> plain, std::span<std::byte> out,
              std::span<std::byte, tag_size> tag) const;

    /// Writes the plain bytes to `out`, which is as long as `ciphertext`. False if the tag does not match; `out` is
    /// wiped then.
    bool open(key k, nonce n, associated data, std::span<std::byte const> ciphertext,
              std::span<std::byte const, tag_size> tag, std::span<std::byte> out) const;

private:
    struct contexts;
    std::unique_ptr<contexts> contexts_;
};

// ---- encryption of older clients: reading only ---------------------------------------------------------------------

/// AES key unwrapping of RFC 3394. Nothing for a key that is not 16, 24 or 32 bytes, or did not wrap these.
std::optional<bytes> aes_key_unwrap(std::span<std::byte const> key, std::span<std::byte const> wrapped);

/// AES-256-CBC with the padding of PKCS #7. Nothing for an invalid length or padding.
std::optional<bytes> aes_256_cbc_decrypt(std::span<std::byte const> key, std::span<std::byte const> iv,
                                         std::span<std::byte const> data);

enum class rsa_padding { oaep_sha1, oaep_sha256, pkcs1 };

/// A private key of RSA. Copies share it. Thread safety: immutable.
class rsa_private_key {
public:
    /// PKCS #8 or PKCS #1 in PEM, not encrypted. Nothing for any other text.
    static std::optional<rsa_private_key> from_pem(std::string_view pem);

    /// Nothing if this key's public half did not encrypt it.
    std::optional<bytes> decrypt(rsa_padding padding, std::span<std::byte const> data) const;

private:
    struct pair;
    explicit rsa_private_key(std::shared_ptr<pair const> p) : pair_(std::move(p)) {}

    std::shared_ptr<pair const> pair_;
};

}  // namespace tablemap::detail

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <span>

/// Hashes and message authentication codes: bytes in, bytes out.
namespace tablemap::detail {

using sha256_digest = std::array<std::byte, 32>;

/// FIPS 180-4. Errors (thrown): `library_errc::unsupported` where OpenSSL offers no SHA-256.
sha256_digest sha256(std::span<std::byte const> data);

/// RFC 2104 over SHA-256, a key of any length. Errors: as `sha256`.
sha256_digest hmac_sha256(std::span<std::byte const> key, std::span<std::byte const> data);

}  // namespace tablemap::detail

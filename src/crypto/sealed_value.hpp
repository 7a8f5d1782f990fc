// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/base/bytes.hpp"
#include "tablemap/crypto/encryption_key.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

/// One encrypted value: bytes in, bytes out, bound to the place where it is stored.
///
/// The format, never to be changed but under another version byte (docs/encryption.md says why it is as it is):
///
///     bytes  content
///     5      "tmenc"
///     1      version: 1
///     1      n, the length of the key's id: 1 to 64
///     n      the key's id, visible ASCII
///     1      type, as the caller gives it
///     12     nonce, random
///     16     key check, derived from the key and the place
///     m      ciphertext of AES-256-GCM, as long as the plain bytes
///     16     tag
///
///     field(x) = the length of x in 4 bytes, the highest first, and x
///     table    = the name of the table, A to Z as a to z
///     place    = field("value") field(table) field(partition key) field(row key) field(property) type
///     PRK      = HKDF-Extract(SHA-256, salt "tablemap property encryption v1", the key's 32 bytes)
///     OKM      = HKDF-Expand(SHA-256, PRK, place, 48): 32 bytes of AES key, 16 bytes of key check
///     AAD      = all bytes in front of the ciphertext, and place
namespace tablemap::inline v0_1::detail {

/// The place where a value is stored. A ciphertext can be read there and nowhere else. Borrows.
struct sealed_place {
    std::string_view table;  ///< in upper or lower case, which the service ignores
    std::string_view partition_key;
    std::string_view row_key;
    std::string_view property;
};

struct opened_value {
    std::uint8_t type{};  ///< the type that was given to `seal`
    bytes plain{};
};

/// Encrypts a value. Errors: `library_errc::unsupported` if OpenSSL lacks an algorithm or random numbers.
result<bytes> seal(encryption_key const& key, sealed_place const& where, std::uint8_t type,
                   std::span<std::byte const> plain);

/// Decrypts an output of `seal`. Errors: `library_errc::malformed_ciphertext` for bytes that are no sealed value,
/// `misplaced_ciphertext` for one of another place, type or key, `altered_ciphertext` for one that was changed; those
/// of the provider, such as `unknown_encryption_key`; those of `seal`.
result<opened_value> open_sealed(key_provider const& keys, sealed_place const& where,
                                 std::span<std::byte const> sealed);

/// The beginning of sealed values of every version, and below it of their base64: five bytes end within a character.
inline constexpr std::string_view sealed_name = "tmenc";
inline constexpr std::string_view sealed_name_base64 = "dG1lbm";

/// The beginning of sealed values of this version.
inline constexpr std::string_view sealed_prefix{"tmenc\x01", 6};

/// The id of the key that a sealed value names, a part of `sealed`; empty if it is none.
std::string_view key_id_of(std::span<std::byte const> sealed) noexcept;

/// The size of a sealed value of this many plain bytes under a key with an id of this many characters.
constexpr std::size_t sealed_size(std::size_t plain, std::size_t id) noexcept {
    return sealed_prefix.size() + 1 + id + 1 + 12 + 16 + plain + 16;
}

/// A keyed hash of 16 bytes by which equal values of one property can be found: the same for equal values in one
/// property of one table, whatever their row. Errors: as `seal`.
///
///     index key = HKDF-Expand(SHA-256, PRK, field("blind index"), 32)
///     hash      = HMAC-SHA-256(index key, field(table) field(property) type plain), the first 16 bytes
result<bytes> blind_hash(encryption_key const& key, std::string_view table, std::string_view property,
                         std::uint8_t type, std::span<std::byte const> plain);

}  // namespace tablemap::detail

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/base/bytes.hpp"
#include "tablemap/crypto/encryption_key.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

/// One encrypted value: bytes in, bytes out, bound to the place where it is stored.
namespace tablemap::detail {

/// Where a value is stored. A ciphertext can be read there and nowhere else. Borrows.
struct sealed_place {
    std::string_view table;
    std::string_view partition_key;
    std::string_view row_key;
    std::string_view property;
};

struct opened_value {
    std::uint8_t type{};  ///< as it was given to `seal`
    bytes plain{};
};

/// Encrypts a value. Errors: those of random numbers.
result<bytes> seal(encryption_key const& key, sealed_place const& where, std::uint8_t type,
                   std::span<std::byte const> plain);

/// Decrypts what `seal` made. Errors: `library_errc::malformed_ciphertext`, `unknown_encryption_key`, `misplaced_ciphertext`,
/// `altered_ciphertext`; those of the provider.
result<opened_value> open_sealed(key_provider const& keys, sealed_place const& where,
                                 std::span<std::byte const> sealed);

/// What every sealed value begins with, as it stands in base64: eight characters that six bytes make.
inline constexpr std::string_view sealed_prefix_base64 = "dG1lbmMB";
inline constexpr std::string_view sealed_prefix{"tmenc\x01", 6};

/// The id of the key that a sealed value names; empty if it is none.
std::string_view key_id_of(std::span<std::byte const> sealed) noexcept;

/// What a sealed value of so many plain bytes takes at most, with the longest key id.
std::size_t sealed_size(std::size_t plain, std::size_t id) noexcept;

/// A keyed hash by which values of one property can be found by equality: the same for equal values in one property of one
/// table, whatever their row.
result<bytes> blind_hash(encryption_key const& key, std::string_view table, std::string_view property,
                         std::uint8_t type, std::span<std::byte const> plain);

}  // namespace tablemap::detail

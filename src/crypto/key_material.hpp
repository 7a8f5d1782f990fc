// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/crypto/encryption_key.hpp"
#include "tablemap/detail/crypto/hmac.hpp"
#include "crypto/primitives.hpp"

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace tablemap::inline v0_1::detail {

inline constexpr std::size_t key_size = 32;
inline constexpr std::size_t longest_key_id = 64;

bool is_key_id(std::string_view id) noexcept;

/// The derived forms of a key. Its own bytes are only in the contexts of OpenSSL, which wipes memory that it frees.
struct key_material {
    std::string id;
    hmac_key prk;          ///< HKDF's pseudorandom key: each value's keys are expanded from it
    hmac_key blind_index;  ///< signs the input of `blind_hash`
    aes_256_gcm cipher{};

    key_material(std::string_view name, std::span<std::byte const> secret);
};

/// True if two keys are made of the same bytes, whatever their ids.
bool same_bytes(encryption_key const& a, encryption_key const& b);

/// Appends its length as 4 bytes, the highest first, and the text.
void append_field(std::string& out, std::string_view text);

}  // namespace tablemap::detail

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/crypto/legacy_keys.hpp"

#include <array>
#include <optional>
#include <string>

namespace tablemap::inline v0_1::detail {

/// The algorithms of the one format that tables had; texts in a row's metadata.
inline constexpr std::string_view legacy_protocol = "1.0";
inline constexpr std::string_view legacy_encryption = "AES_CBC_256";

/// The order in which row key, partition key and name make a property's initialisation vector.
enum class legacy_layout { dotnet, java };

/// The metadata of a row's encryption.
struct legacy_metadata {
    std::string key_id{};
    std::string algorithm{};  ///< algorithm of the wrapping
    bytes wrapped_key{};
    bytes iv{};
    legacy_layout layout{};
};

/// The only error once a key is used: anybody who can tell a wrong padding from wrong text can decrypt.
failure unreadable_legacy_row();

/// AES-256-CBC of one row, without protection against changes.
class legacy_cipher {
public:
    /// Errors: those of the keys. If the wrapped key does not unwrap, decrypting the first property fails.
    static result<legacy_cipher> make(legacy_keys const& keys, legacy_metadata const& m, std::string_view partition_key,
                                      std::string_view row_key);

    legacy_cipher(legacy_cipher&&) noexcept;
    legacy_cipher& operator=(legacy_cipher&&) = delete;
    ~legacy_cipher();

    /// The text of a property. Errors: `unreadable_legacy_row`, also for text that is not UTF-8.
    result<std::string> decrypt(std::string_view property, std::span<std::byte const> data) const;

private:
    legacy_cipher() = default;

    std::array<std::byte, 32> key_{};
    bytes iv_before_{};  // hashed in front of a property's name
};

}  // namespace tablemap::detail

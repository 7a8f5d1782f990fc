// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/base/bytes.hpp"
#include "tablemap/base/result.hpp"

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Reading of rows that older storage clients encrypted, version 1 of their format.
namespace tablemap::inline v0_1 {
class legacy_keys;
}

namespace tablemap::inline v0_1::detail {

/// A row is encrypted if it has both of these properties: a string and a binary.
inline constexpr std::string_view legacy_metadata1 = "_ClientEncryptionMetadata1";
inline constexpr std::string_view legacy_metadata2 = "_ClientEncryptionMetadata2";

inline constexpr char const* no_legacy_keys =
    "a client of before encrypted the row; give the table legacy_keys to read it";

/// An encrypted property, all of which are strings.
struct legacy_value {
    std::string property;
    std::string text;

    friend bool operator==(legacy_value const&, legacy_value const&) = default;
};

/// A row as it is stored. Borrows.
struct legacy_row {
    std::string_view partition_key;
    std::string_view row_key;
    std::string_view metadata1;
    bytes const& metadata2;
    std::function<std::optional<bytes>(std::string_view property)>
        stored;  ///< nothing for a property that is absent or no binary
};

/// The encrypted properties of a row, decrypted. Errors: `library_errc::unreadable_legacy_row`, those of the keys.
/// Their reasons hold no data of the row but the id of a key.
result<std::vector<legacy_value>> open_legacy_row(legacy_keys const& keys, legacy_row const& row);

}  // namespace tablemap::detail

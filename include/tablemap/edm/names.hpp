// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/base/result.hpp"

#include <cstddef>
#include <string_view>

namespace tablemap::inline v0_1 {

inline constexpr std::string_view partition_key_name = "PartitionKey";
inline constexpr std::string_view row_key_name = "RowKey";
inline constexpr std::string_view timestamp_name = "Timestamp";

/// The property that holds an operation id, as Edm.Guid.
inline constexpr std::string_view operation_id_property = "TablemapOperation";

/// Checks a table name: 3 to 63 letters and digits of ASCII, the first a letter, not "tables".
///
/// \return nothing, or error `library_errc::invalid_table_name`
result<void> check_table_name(std::string_view name);

/// Checks the name of a queue or a container: 3 to 63 of the characters a to z, 0 to 9 and hyphen, with a letter or
/// digit at both ends and on both sides of a hyphen.
///
/// \return nothing, or error `service_errc::invalid_resource_name`
result<void> check_resource_name(std::string_view name);

/// Checks a partition or row key: valid UTF-8, at most 512 UTF-16 code units, none of `/ \ # ?`, U+0000 to U+001F,
/// U+007F to U+009F. The empty key is legal.
///
/// \return nothing, or error `library_errc::invalid_key`, `key_too_large`
result<void> check_key(std::string_view key);

/// Checks a property name of the user: an identifier of at most 255 UTF-16 code units that is none of the system's
/// names. Letters beyond ASCII pass: the service decides whether it takes them.
///
/// \return nothing, or error `library_errc::invalid_property_name`
result<void> check_property_name(std::string_view name);

namespace detail {

constexpr bool is_system_name(std::string_view name) noexcept {
    return name == partition_key_name || name == row_key_name || name == timestamp_name;
}

/// True if a table name may begin with this text; the empty one begins all of them.
constexpr bool is_table_name_prefix(std::string_view text) noexcept {
    if (!text.empty() && text[0] >= '0' && text[0] <= '9') return false;
    for (char const c : text)
        if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9'))) return false;
    return true;
}

/// True for the letters, digits and underscores of a property name, and for all bytes beyond ASCII.
constexpr bool is_identifier_byte(char c) noexcept {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           static_cast<unsigned char>(c) >= 0x80;
}

/// The rule for the characters of a property name, usable at compile time.
constexpr bool is_identifier(std::string_view name) noexcept {
    if (name.empty() || (name[0] >= '0' && name[0] <= '9')) return false;
    for (char const c : name)
        if (!is_identifier_byte(c)) return false;
    return true;
}

/// The position of the first character that keys may not hold; `npos` if there is none. Usable at compile time.
constexpr std::size_t find_forbidden_in_key(std::string_view key) noexcept {
    for (std::size_t i = 0; i < key.size(); ++i) {
        auto const c = static_cast<unsigned char>(key[i]);
        if (c < 0x20 || c == 0x7F || c == '/' || c == '\\' || c == '#' || c == '?') return i;
        // U+0080 to U+009F are C2 80 to C2 9F in UTF-8.
        if (c == 0xC2 && i + 1 < key.size() && static_cast<unsigned char>(key[i + 1]) <= 0x9F) return i;
    }
    return std::string_view::npos;
}

}  // namespace detail
}  // namespace tablemap

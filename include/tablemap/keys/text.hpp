// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/base/guid.hpp"
#include "tablemap/base/result.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

/// Writing and reading the text of key parts: the ordinary functions below the templates of `key_codec.hpp`.
namespace tablemap::detail {

// Appends a part. False if the value does not fit `width` digits; width 0: as many as it takes.
bool append_key_part(std::string& out, std::string_view value, std::size_t width);
bool append_key_part(std::string& out, std::int64_t value, std::size_t width);
bool append_key_part(std::string& out, guid const& value, std::size_t width);

// Reads a whole part. False if the text is not what `append_key_part` writes for some value.
bool read_key_part(std::string_view text, std::size_t width, std::string& value);
bool read_key_part(std::string_view text, std::size_t width, std::int32_t& value);
bool read_key_part(std::string_view text, std::size_t width, std::int64_t& value);
bool read_key_part(std::string_view text, std::size_t width, guid& value);

/// The least text above every text that begins with `prefix`, in UTF-16 code unit order; nothing if there is none, because
/// the prefix is empty or all U+FFFF. It may hold characters that keys cannot: it is a bound, not a key.
/// Precondition: valid UTF-8.
std::optional<std::string> end_of_prefix(std::string_view prefix);

/// What is wrong with a string as a part of a key: a forbidden character, or no UTF-8. The key's length is not looked at.
std::optional<error> find_fault_in_part(std::string_view member, std::string_view text);

// Why a key cannot be made or read, with the member to blame.
error part_does_not_fit(std::string_view member, std::size_t width);
error part_holds_its_end(std::string_view member, std::string_view end);
error key_lacks_literal(std::string_view literal);
error part_unreadable(std::string_view member);

inline constexpr std::size_t guid_key_length = 36;

}  // namespace tablemap::detail

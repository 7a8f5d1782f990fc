// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstddef>
#include <optional>
#include <string_view>

namespace tablemap::inline v0_1::detail {

bool is_ascii(std::string_view text) noexcept;

/// The number of UTF-16 code units of UTF-8 text, or nothing if it is not valid UTF-8 (RFC 3629: no surrogates, no
/// overlong forms, at most U+10FFFF).
std::optional<std::size_t> utf16_length(std::string_view text) noexcept;

/// True for valid UTF-8 of characters that XML 1.0 can hold, some of them as references: tab, line feed, carriage
/// return and all from U+0020 on but U+FFFE and U+FFFF.
bool fits_xml(std::string_view text) noexcept;

/// True for valid UTF-8 that an XML document carries unchanged: no control characters, no U+FFFE and U+FFFF.
bool is_xml_text(std::string_view text) noexcept;

/// Compares valid UTF-8 texts by their UTF-16 code units, the service's order. It differs from byte order only where a
/// supplementary character meets one of U+E000 to U+FFFF.
std::strong_ordering compare_utf16(std::string_view a, std::string_view b) noexcept;

/// A byte that leads a UTF-8 sequence, moved so that byte order is UTF-16 code unit order: EE and EF (U+E000 to U+FFFF)
/// go above F4 (the last supplementary lead). The two moved values never occur in UTF-8, so the map is reversible.
constexpr unsigned char utf16_ordered_lead(unsigned char lead) noexcept {
    return lead == 0xEE || lead == 0xEF ? static_cast<unsigned char>(lead + 7) : lead;
}
constexpr unsigned char utf16_unordered_lead(unsigned char lead) noexcept {
    return lead == 0xF5 || lead == 0xF6 ? static_cast<unsigned char>(lead - 7) : lead;
}

}  // namespace tablemap::detail

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

/// Characters of ASCII, whatever the program's locale.
namespace tablemap::inline v0_1::detail {

/// The white space of JSON, of HTTP and of filters.
constexpr bool is_blank(char c) noexcept { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

constexpr bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }
constexpr bool is_lower(char c) noexcept { return c >= 'a' && c <= 'z'; }
constexpr char lower(char c) noexcept { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }
constexpr bool is_letter(char c) noexcept { return is_lower(lower(c)); }
constexpr bool is_letter_or_digit(char c) noexcept { return is_letter(c) || is_digit(c); }

/// The value of a hexadecimal digit, -1 if it is none.
constexpr int hex_value(char c) noexcept {
    if (is_digit(c)) return c - '0';
    return lower(c) >= 'a' && lower(c) <= 'f' ? lower(c) - 'a' + 10 : -1;
}
constexpr bool is_hex(char c) noexcept { return hex_value(c) >= 0; }

inline std::string lower_case(std::string_view text) {
    std::string out{text};
    for (char& c : out) c = lower(c);
    return out;
}

constexpr bool equal_ignoring_case(std::string_view a, std::string_view b) noexcept {
    if (a.size() != b.size()) return false;
    for (std::size_t i = 0; i < a.size(); ++i)
        if (lower(a[i]) != lower(b[i])) return false;
    return true;
}

/// True if one of these texts is equal.
template <class Texts> constexpr bool any_equal_ignoring_case(Texts const& texts, std::string_view text) noexcept {
    for (auto const& t : texts)
        if (equal_ignoring_case(t, text)) return true;
    return false;
}

constexpr bool starts_with_ignoring_case(std::string_view text, std::string_view start) noexcept {
    return equal_ignoring_case(text.substr(0, start.size()), start);
}

/// The text without blanks at its ends.
constexpr std::string_view trimmed(std::string_view text) noexcept {
    while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
    while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
    return text;
}

}  // namespace tablemap::detail

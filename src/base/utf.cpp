// SPDX-License-Identifier: Apache-2.0
#include "tablemap/detail/base/utf.hpp"

#include "base/words.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <functional>

namespace tablemap::inline v0_1::detail {
namespace {

struct sequence {
    unsigned length;  // in bytes; 0: not valid UTF-8
    unsigned units;   // in UTF-16
};

sequence next(unsigned char const* at, std::size_t left) noexcept {
    auto trail = [&](unsigned i) { return i < left && (at[i] & 0xC0) == 0x80; };
    unsigned char const b = at[0];
    if (b < 0x80) return {1, 1};
    if (b >= 0xC2 && b <= 0xDF) return trail(1) ? sequence{2, 1} : sequence{0, 0};
    if (b >= 0xE0 && b <= 0xEF) {
        if (!trail(1) || !trail(2)) return {0, 0};
        bool const overlong = b == 0xE0 && at[1] < 0xA0;
        bool const surrogate = b == 0xED && at[1] >= 0xA0;
        return overlong || surrogate ? sequence{0, 0} : sequence{3, 1};
    }
    if (b >= 0xF0 && b <= 0xF4) {
        if (!trail(1) || !trail(2) || !trail(3)) return {0, 0};
        bool const overlong = b == 0xF0 && at[1] < 0x90;
        bool const too_high = b == 0xF4 && at[1] >= 0x90;
        return overlong || too_high ? sequence{0, 0} : sequence{4, 2};
    }
    return {0, 0};
}

}  // namespace

bool is_ascii(std::string_view text) noexcept {
    if (text.size() >= sizeof(std::uint64_t)) return (bits_of<std::uint64_t>(text, std::identity{}) & high_bits) == 0;
    if (text.size() >= sizeof(std::uint32_t)) return (bits_of<std::uint32_t>(text, std::identity{}) & high_bits) == 0;
    return std::none_of(text.begin(), text.end(), [](char c) { return (c & 0x80) != 0; });
}

std::optional<std::size_t> utf16_length(std::string_view text) noexcept {
    if (is_ascii(text)) return text.size();
    auto const* at = reinterpret_cast<unsigned char const*>(text.data());
    std::size_t left = text.size();
    std::size_t units = 0;
    while (left > 0) {
        if (left >= 8 && (word_at<std::uint64_t>(at) & high_bits) == 0) {
            at += 8, left -= 8, units += 8;
            continue;
        }
        auto const s = next(at, left);
        if (s.length == 0) return std::nullopt;
        at += s.length;
        left -= s.length;
        units += s.units;
    }
    return units;
}

bool fits_xml(std::string_view text) noexcept {
    auto const is_excluded = [](char c) {
        return static_cast<unsigned char>(c) < 0x20 && c != '\t' && c != '\n' && c != '\r';
    };
    return std::none_of(text.begin(), text.end(), is_excluded) && text.find("\xEF\xBF\xBE") == std::string_view::npos &&
           text.find("\xEF\xBF\xBF") == std::string_view::npos && utf16_length(text).has_value();
}

bool is_xml_text(std::string_view text) noexcept {
    auto const is_control = [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; };
    return std::none_of(text.begin(), text.end(), is_control) && fits_xml(text);
}

std::strong_ordering compare_utf16(std::string_view a, std::string_view b) noexcept {
    auto const n = std::min(a.size(), b.size());
    // Mostly keys that are the same, or the beginning of the other, which memcmp finds faster.
    if (n == 0 || std::memcmp(a.data(), b.data(), n) == 0) return a.size() <=> b.size();
    auto const [x, y] = std::mismatch(a.begin(), a.begin() + static_cast<std::ptrdiff_t>(n), b.begin());
    // Trail bytes are never 0xEE or above, so mapping whichever byte differs is the same as mapping leads only.
    return utf16_ordered_lead(static_cast<unsigned char>(*x)) <=> utf16_ordered_lead(static_cast<unsigned char>(*y));
}

}  // namespace tablemap::detail

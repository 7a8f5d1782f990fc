// SPDX-License-Identifier: Apache-2.0
#include "edm/key_characters.hpp"
#include "tablemap/detail/base/utf.hpp"
#include "tablemap/detail/keys/text.hpp"

#include <array>

namespace tablemap::inline v0_1::detail {
namespace {

constexpr std::string_view base32_digits = "0123456789abcdefghijklmnopqrstuv";
constexpr std::string_view hex_digits = "0123456789abcdef";
constexpr std::uint32_t first_high_surrogate = 0xD800;
constexpr std::uint32_t first_low_surrogate = 0xDC00;
constexpr std::uint32_t after_surrogates = 0xE000;

struct escape {
    char32_t character;
    char lead;
    char suffix;
};

// In the order of characters, which shows that the code words are in order, too.
constexpr std::array<escape, 11> escapes{{{' ', ' ', 'z'},
                                          {'"', '"', '0'},
                                          {'#', '"', '1'},
                                          {'.', '.', '0'},
                                          {'/', '.', '1'},
                                          {'>', '>', '0'},
                                          {'?', '>', '1'},
                                          {'[', '[', '0'},
                                          {'\\', '[', '1'},
                                          {'~', '~', '0'},
                                          {0x7F, '~', '1'}}};

constexpr bool is_c0(std::uint32_t c) { return c < 0x20; }
constexpr bool is_c1(std::uint32_t c) { return c >= 0x80 && c <= 0x9F; }

void append_unit(std::string& out, std::uint32_t unit) {
    auto const inverted = 0xFFFFU - unit;
    for (int shift = 12; shift >= 0; shift -= 4) out += hex_digits[inverted >> static_cast<unsigned>(shift) & 0xFU];
}

bool take_unit(std::string_view& text, std::uint32_t& unit) {
    if (text.size() < 4) return false;
    std::uint32_t inverted = 0;
    for (char const c : text.substr(0, 4)) {
        auto const digit = hex_digits.find(c);
        if (digit == std::string_view::npos) return false;
        inverted = inverted << 4U | static_cast<std::uint32_t>(digit);
    }
    text.remove_prefix(4);
    unit = 0xFFFFU - inverted;
    return true;
}

}  // namespace

std::uint32_t take_code_point(std::string_view& text) noexcept {
    auto const lead = static_cast<unsigned char>(text.front());
    std::size_t const length = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    std::uint32_t c = length == 1 ? lead : lead & (0x7FU >> length);
    for (std::size_t i = 1; i < length; ++i) c = c << 6U | (static_cast<unsigned char>(text[i]) & 0x3FU);
    text.remove_prefix(length);
    return c;
}

void append_code_point(std::string& out, std::uint32_t c) {
    auto const put = [&](std::uint32_t byte) { out += static_cast<char>(byte); };
    if (c < 0x80) {
        put(c);
    } else if (c < 0x800) {
        put(0xC0 | c >> 6), put(0x80 | (c & 0x3F));
    } else if (c < first_supplementary) {
        put(0xE0 | c >> 12), put(0x80 | (c >> 6 & 0x3F)), put(0x80 | (c & 0x3F));
    } else {
        put(0xF0 | c >> 18), put(0x80 | (c >> 12 & 0x3F)), put(0x80 | (c >> 6 & 0x3F)), put(0x80 | (c & 0x3F));
    }
}

void append_escaped(std::string& out, std::string_view text) {
    while (!text.empty()) {
        auto const whole = text;
        auto const c = take_code_point(text);
        if (is_c0(c)) {
            out += ' ', out += base32_digits[c];
        } else if (is_c1(c)) {
            out += "~2", out += base32_digits[c - 0x80];
        } else {
            auto const* found = escapes.begin();
            while (found != escapes.end() && found->character != c) ++found;
            if (found == escapes.end())
                out += whole.substr(0, whole.size() - text.size());
            else
                out += found->lead, out += found->suffix;
        }
    }
}

bool read_escaped(std::string_view text, std::string& value) {
    if (auto const [units, forbidden] = look_at_key(text); !units || forbidden) return false;
    value.clear();
    while (!text.empty()) {
        auto const c = take_code_point(text);
        bool const leads = c == ' ' || c == '"' || c == '.' || c == '>' || c == '[' || c == '~';
        if (!leads) {
            append_code_point(value, c);
            continue;
        }
        if (text.empty()) return false;
        char const suffix = text.front();
        text.remove_prefix(1);
        if (auto const digit = base32_digits.find(suffix); c == ' ' && digit != std::string_view::npos) {
            value += static_cast<char>(digit);
        } else if (c == '~' && suffix == '2') {
            auto const low = text.empty() ? std::string_view::npos : base32_digits.find(text.front());
            if (low == std::string_view::npos) return false;
            text.remove_prefix(1);
            append_code_point(value, 0x80 + static_cast<std::uint32_t>(low));
        } else {
            auto const* found = escapes.begin();
            while (found != escapes.end() && (static_cast<std::uint32_t>(found->lead) != c || found->suffix != suffix))
                ++found;
            if (found == escapes.end()) return false;
            append_code_point(value, found->character);
        }
    }
    return true;
}

void append_inverted_units(std::string& out, std::string_view text) {
    while (!text.empty()) {
        auto const c = take_code_point(text);
        if (c < first_supplementary) {
            append_unit(out, c);
        } else {
            append_unit(out, first_high_surrogate + ((c - first_supplementary) >> 10U));
            append_unit(out, first_low_surrogate + ((c - first_supplementary) & 0x3FFU));
        }
    }
}

bool read_inverted_units(std::string_view text, std::string& value) {
    value.clear();
    while (!text.empty()) {
        std::uint32_t unit = 0, low = 0;
        if (!take_unit(text, unit)) return false;
        if (unit >= first_high_surrogate && unit < after_surrogates) {
            bool const pair = unit < first_low_surrogate && take_unit(text, low) && low >= first_low_surrogate &&
                              low < after_surrogates;
            if (!pair) return false;
            unit = first_supplementary + ((unit - first_high_surrogate) << 10U) + (low - first_low_surrogate);
        }
        append_code_point(value, unit);
    }
    return true;
}

std::uint64_t hash_of_text(std::string_view text) noexcept {
    std::uint64_t h = 14695981039346656037U;
    for (char const c : text) h = (h ^ static_cast<unsigned char>(c)) * 1099511628211U;
    // FNV's low bits depend on few of the last byte's bits; buckets are taken from them.
    h ^= h >> 33U;
    h *= 0xff51afd7ed558ccdU;
    h ^= h >> 33U;
    h *= 0xc4ceb9fe1a85ec53U;
    h ^= h >> 33U;
    return h;
}

}  // namespace tablemap::detail

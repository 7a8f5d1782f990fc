// SPDX-License-Identifier: Apache-2.0
#include "tablemap/base/bytes.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

namespace tablemap::inline v0_1::detail {
namespace {

constexpr std::string_view alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr std::uint8_t no_digit = 0xFF;

constexpr std::array<std::uint8_t, 256> make_digits() {
    std::array<std::uint8_t, 256> d{};
    d.fill(no_digit);
    for (std::size_t i = 0; i < alphabet.size(); ++i)
        d[static_cast<unsigned char>(alphabet[i])] = static_cast<std::uint8_t>(i);
    return d;
}
constexpr auto digit_of = make_digits();

/// The digits of three bytes. Written out, since the compiler keeps a loop.
void put_digits(char* to, std::byte a, std::byte b, std::byte c) noexcept {
    auto const word = std::to_integer<std::uint32_t>(a) << 16 | std::to_integer<std::uint32_t>(b) << 8 |
                      std::to_integer<std::uint32_t>(c);
    to[0] = alphabet[word >> 18];
    to[1] = alphabet[word >> 12 & 63];
    to[2] = alphabet[word >> 6 & 63];
    to[3] = alphabet[word & 63];
}

/// The bytes of four digits; false if one of them is none.
bool take_digits(char const* from, std::byte* to) noexcept {
    auto const value = [&](int i) -> std::uint32_t { return digit_of[static_cast<unsigned char>(from[i])]; };
    auto const a = value(0), b = value(1), c = value(2), d = value(3);
    auto const word = a << 18 | b << 12 | c << 6 | d;
    to[0] = std::byte(word >> 16 & 0xFF);
    to[1] = std::byte(word >> 8 & 0xFF);
    to[2] = std::byte(word & 0xFF);
    return (a | b | c | d) < 64;
}

}  // namespace

void append_base64(std::string& out, std::span<std::byte const> data) {
    auto const at = out.size();
    out.resize(at + (data.size() + 2) / 3 * 4);
    char* to = out.data() + at;
    for (; data.size() >= 3; data = data.subspan(3), to += 4) put_digits(to, data[0], data[1], data[2]);
    if (data.empty()) return;
    put_digits(to, data.front(), data.size() == 2 ? data.back() : std::byte{}, {});
    std::fill(to + data.size() + 1, to + 4, '=');
}

bool parse_base64(std::string_view text, bytes& out) {
    if (text.size() % 4 != 0) return false;
    std::size_t const padding = text.ends_with("==") ? 2 : text.ends_with('=') ? 1 : 0;
    out.resize(text.size() / 4 * 3 - padding);
    auto* to = out.data();
    for (auto groups = out.size() / 3; groups > 0; --groups, to += 3, text.remove_prefix(4))
        if (!take_digits(text.data(), to)) return false;
    if (padding == 0) return true;
    char const last[] = {text[0], text[1], padding == 1 ? text[2] : 'A', 'A'};
    std::array<std::byte, 3> group{};
    if (!take_digits(last, group.data())) return false;
    auto const rest = group.begin() + static_cast<std::ptrdiff_t>(3 - padding);
    std::copy(group.begin(), rest, to);
    // Bits that no byte takes must be zero, or two texts would mean one value.
    return std::all_of(rest, group.end(), [](std::byte b) { return b == std::byte{}; });
}

}  // namespace tablemap::detail

// SPDX-License-Identifier: Apache-2.0
#include "tablemap/base/bytes.hpp"

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

}  // namespace

void append_base64(std::string& out, std::span<std::byte const> data) {
    auto const at = out.size();
    out.resize(at + (data.size() + 2) / 3 * 4);
    char* to = out.data() + at;
    std::size_t i = 0;
    auto byte = [&](std::size_t n) { return std::to_integer<std::uint32_t>(data[n]); };
    auto put = [&](std::uint32_t word, int digits) {
        for (int d = 0; d < 4; ++d) *to++ = d < digits ? alphabet[(word >> (18 - 6 * d)) & 63] : '=';
    };
    for (; i + 3 <= data.size(); i += 3) put(byte(i) << 16 | byte(i + 1) << 8 | byte(i + 2), 4);
    if (data.size() - i == 2) put(byte(i) << 16 | byte(i + 1) << 8, 3);
    if (data.size() - i == 1) put(byte(i) << 16, 2);
}

bool parse_base64(std::string_view text, bytes& out) {
    if (text.size() % 4 != 0) return false;
    std::size_t const padding = text.ends_with("==") ? 2 : text.ends_with('=') ? 1 : 0;
    out.resize(text.size() / 4 * 3 - padding);
    std::size_t to = 0;
    for (std::size_t i = 0; i < text.size(); i += 4) {
        std::size_t const digits = i + 4 == text.size() ? 4 - padding : 4;
        std::uint32_t word = 0;
        for (std::size_t d = 0; d < 4; ++d) {
            auto const value = d < digits ? digit_of[static_cast<unsigned char>(text[i + d])] : std::uint8_t{0};
            if (value == no_digit) return false;
            word = word << 6 | value;
        }
        for (std::size_t d = 0; d + 1 < digits; ++d) out[to++] = static_cast<std::byte>(word >> (16 - 8 * d) & 0xFF);
        // Bits that no byte takes must be zero, or two texts would mean one value.
        if (digits == 3 && (word & 0xFF) != 0) return false;
        if (digits == 2 && (word & 0xFFFF) != 0) return false;
    }
    return true;
}

}  // namespace tablemap::detail

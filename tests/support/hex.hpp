// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/base/bytes.hpp"

#include <charconv>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

namespace tablemap::test {

inline std::span<std::byte const> bytes_of(std::string_view text) { return std::as_bytes(std::span{text}); }

inline std::string hex(std::span<std::byte const> data) {
    constexpr std::string_view digits = "0123456789abcdef";
    std::string text;
    for (auto const b : data) {
        text += digits[std::to_integer<unsigned>(b) >> 4];
        text += digits[std::to_integer<unsigned>(b) & 15];
    }
    return text;
}

/// Throws for text that is no pairs of digits.
inline bytes from_hex(std::string_view text) {
    bytes data;
    for (; !text.empty(); text.remove_prefix(2)) {
        unsigned char b = 0;
        auto const pair = text.substr(0, 2);
        auto const [end, code] = std::from_chars(pair.data(), pair.data() + pair.size(), b, 16);
        if (code != std::errc{} || end != pair.data() + 2) throw std::invalid_argument{"not hexadecimal"};
        data.push_back(std::byte{b});
    }
    return data;
}

}  // namespace tablemap::test

// SPDX-License-Identifier: Apache-2.0
#include "edm/key_characters.hpp"

#include "base/words.hpp"

#include "tablemap/detail/base/utf.hpp"
#include "tablemap/edm/names.hpp"

namespace tablemap::inline v0_1::detail {
namespace {

/// The upper bits of the bytes that are not ASCII or that keys may not hold.
std::uint64_t unusual_bytes(std::uint64_t word) noexcept {
    auto const ascii = word & ~high_bits;
    // Sums of two bytes below 128 do not carry into the next one.
    auto const differ_from = [](std::uint64_t bytes, unsigned char c) {
        return (bytes ^ in_each_byte(c)) + in_each_byte(0x7F);
    };
    auto const no_slash_or_question_mark = differ_from(ascii | in_each_byte('/' ^ '?'), '?');
    auto const no_control = differ_from(ascii, 0x7F) & (ascii + in_each_byte(0x80 - 0x20));
    auto const usual = no_slash_or_question_mark & differ_from(ascii, '\\') & differ_from(ascii, '#') & no_control;
    return (word | ~usual) & high_bits;
}

}  // namespace

key_characters look_at_key(std::string_view key) noexcept {
    if (key.size() >= sizeof(std::uint64_t) && bits_of<std::uint64_t>(key, unusual_bytes) == 0)
        return {.units = key.size(), .forbidden = false};
    return {.units = utf16_length(key), .forbidden = find_forbidden_in_key(key) != std::string_view::npos};
}

}  // namespace tablemap::detail

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>

/// Texts that are looked at by several bytes at a time.
namespace tablemap::inline v0_1::detail {

/// The upper bit of each byte.
inline constexpr std::uint64_t high_bits = 0x8080808080808080u;

constexpr std::uint64_t in_each_byte(unsigned char c) noexcept { return c * 0x0101010101010101u; }

template <class Word> Word word_at(void const* at) noexcept {
    Word word;
    std::memcpy(&word, at, sizeof word);
    return word;
}

/// The bits that `bits_in` gives for any word of the text; the last word overlaps the one before. Without an end at the
/// first one with bits, so that the compiler takes several words at a time. Precondition: the text holds a word.
template <class Word, class Function> Word bits_of(std::string_view text, Function bits_in) noexcept {
    auto const last = text.size() - sizeof(Word);
    auto bits = bits_in(word_at<Word>(text.data() + last));
    for (std::size_t i = 0; i < last; i += sizeof(Word)) bits |= bits_in(word_at<Word>(text.data() + i));
    return bits;
}

}  // namespace tablemap::detail

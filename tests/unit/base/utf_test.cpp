// SPDX-License-Identifier: Apache-2.0
#include "tablemap/detail/base/utf.hpp"

#include "support/random.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <compare>
#include <optional>
#include <string>
#include <string_view>

namespace {

using namespace tablemap;
using detail::compare_utf16;
using detail::utf16_length;
using test::utf8;

// ---- the model: code points to UTF-16 -------------------------------------------------------------------------------

std::u16string utf16(std::u32string_view text) {
    std::u16string out;
    for (char32_t const c : text) {
        if (c < 0x10000) {
            out += static_cast<char16_t>(c);
        } else {
            out += static_cast<char16_t>(0xD800 + ((c - 0x10000) >> 10));
            out += static_cast<char16_t>(0xDC00 + ((c - 0x10000) & 0x3FF));
        }
    }
    return out;
}

std::u32string random_text(test::random_source& random, std::size_t end) {
    std::u32string s;
    for (auto n = random.below(end); n > 0; --n) s += random.code_point();
    return s;
}

std::strong_ordering sign(int order) {
    return order < 0   ? std::strong_ordering::less
           : order > 0 ? std::strong_ordering::greater
                       : std::strong_ordering::equal;
}

/// True if the text is refused wherever it stands: alone, behind and before ASCII, at each place in a word of eight
/// bytes.
bool is_refused_everywhere(std::string const& bad) {
    for (std::size_t before = 0; before < 9; ++before)
        for (std::size_t after = 0; after < 9; ++after)
            if (utf16_length(std::string(before, 'x') + bad + std::string(after, 'y'))) return false;
    return true;
}

// ---- length ---------------------------------------------------------------------------------------------------------

TEST(utf16_length, counts_code_units) {
    EXPECT_EQ(utf16_length(""), 0u);
    EXPECT_EQ(utf16_length("a"), 1u);
    EXPECT_EQ(utf16_length("\xC3\xA9"), 1u);          // U+00E9
    EXPECT_EQ(utf16_length("\xE2\x82\xAC"), 1u);      // U+20AC
    EXPECT_EQ(utf16_length("\xF0\x9F\x98\x80"), 2u);  // U+1F600
    EXPECT_EQ(utf16_length(std::string_view{"\0\0", 2}), 2u);
}

TEST(utf16_length, takes_the_first_and_last_of_every_sequence_length) {
    for (char32_t const c : {0x7Fu, 0x80u, 0x7FFu, 0x800u, 0xFFFu, 0x1000u, 0xCFFFu, 0xD7FFu, 0xE000u, 0xFFFFu})
        EXPECT_EQ(utf16_length(utf8({&c, 1})), 1u) << std::hex << static_cast<unsigned>(c);
    for (char32_t const c : {0x10000u, 0x3FFFFu, 0x40000u, 0xFFFFFu, 0x100000u, 0x10FFFFu})
        EXPECT_EQ(utf16_length(utf8({&c, 1})), 2u) << std::hex << static_cast<unsigned>(c);
}

TEST(utf16_length, refuses_overlong_forms) {
    for (std::string const bad :
         {"\xC0\x80", "\xC1\xBF", "\xE0\x80\x80", "\xE0\x9F\xBF", "\xF0\x80\x80\x80", "\xF0\x8F\xBF\xBF"})
        EXPECT_TRUE(is_refused_everywhere(bad)) << ::testing::PrintToString(bad);
}

TEST(utf16_length, refuses_surrogates) {
    for (char32_t const c : {0xD800u, 0xDBFFu, 0xDC00u, 0xDFFFu})
        EXPECT_TRUE(is_refused_everywhere(utf8({&c, 1}))) << std::hex << static_cast<unsigned>(c);
    EXPECT_TRUE(is_refused_everywhere(utf8(U"\x0D83D\x0DE00"))) << "a pair in CESU-8";
}

TEST(utf16_length, refuses_what_lies_beyond_the_last_code_point) {
    for (std::string const bad :
         {"\xF4\x90\x80\x80", "\xF5\x80\x80\x80", "\xF7\xBF\xBF\xBF", "\xF8\x88\x80\x80\x80", "\xFE", "\xFF"})
        EXPECT_TRUE(is_refused_everywhere(bad)) << ::testing::PrintToString(bad);
}

TEST(utf16_length, refuses_sequences_that_are_cut_or_have_no_lead) {
    for (std::string const bad : {"\xC3", "\xE2\x82", "\xE2", "\xF0\x9F\x98", "\xF0\x9F", "\xF0", "\x80", "\xBF",
                                  "\xC3\xC3", "\xE2\x82\xC3", "\xF0\x9F\x98\xC3"})
        EXPECT_TRUE(is_refused_everywhere(bad)) << ::testing::PrintToString(bad);
}

TEST(utf16_length, agrees_with_the_model_on_random_text) {
    test::random_source random;
    for (int i = 0; i < 2000; ++i) {
        auto const text = random_text(random, 40);
        EXPECT_EQ(utf16_length(utf8(text)), utf16(text).size());
    }
}

TEST(utf16_length, reads_nothing_behind_the_text) {
    std::string const text = "\xF0\x9F\x98\x80";
    for (std::size_t n = 1; n < 4; ++n) EXPECT_EQ(utf16_length(std::string_view{text}.substr(0, n)), std::nullopt) << n;
}

// ---- order ----------------------------------------------------------------------------------------------------------

TEST(compare_utf16, puts_supplementary_characters_below_the_private_use_area) {
    EXPECT_TRUE(compare_utf16(utf8(U"\U0001F600"), utf8(U"\uE000")) < 0);
    EXPECT_TRUE(compare_utf16(utf8(U"\U0010FFFF"), utf8(U"\uFFFF")) < 0);
    EXPECT_TRUE(compare_utf16(utf8(U"\uD7FF"), utf8(U"\U00010000")) < 0);
    EXPECT_TRUE(compare_utf16(utf8(U"\uE000"), utf8(U"\uFFFF")) < 0);
    EXPECT_TRUE(compare_utf16(utf8(U"x\uFFFF"), utf8(U"x\U0001F600y")) > 0);
}

TEST(compare_utf16, is_byte_order_for_everything_else) {
    EXPECT_TRUE(compare_utf16("", "") == 0);
    EXPECT_TRUE(compare_utf16("", "a") < 0);
    EXPECT_TRUE(compare_utf16("ab", "a") > 0);
    EXPECT_TRUE(compare_utf16("Z", "a") < 0);
    EXPECT_TRUE(compare_utf16("a", "\xC3\xA9") < 0);
    EXPECT_TRUE(compare_utf16(std::string_view{"a\0b", 3}, std::string_view{"a\0c", 3}) < 0);
}

TEST(compare_utf16, agrees_with_the_model_on_random_text) {
    test::random_source random;
    for (int i = 0; i < 20'000; ++i) {
        // A common beginning, so that the first difference comes anywhere.
        auto const common = random_text(random, 4);
        auto const a = common + random_text(random, 4);
        auto const b = common + random_text(random, 4);
        EXPECT_EQ(compare_utf16(utf8(a), utf8(b)), sign(utf16(a).compare(utf16(b)))) << utf8(a) << " | " << utf8(b);
    }
}

TEST(compare_utf16, is_the_order_of_bytes_with_moved_leads) {
    auto const moved = [](std::string text) {
        for (char& c : text) c = static_cast<char>(detail::utf16_ordered_lead(static_cast<unsigned char>(c)));
        return text;
    };
    test::random_source random;
    for (int i = 0; i < 5000; ++i) {
        auto const a = random.text(4);
        auto const b = random.text(4);
        EXPECT_EQ(compare_utf16(a, b), sign(moved(a).compare(moved(b)))) << a << " | " << b;
    }
}

TEST(utf16_ordered_lead, can_be_taken_back_for_every_byte_of_utf8) {
    for (unsigned b = 0; b < 0xF5; ++b) {
        auto const lead = static_cast<unsigned char>(b);
        EXPECT_EQ(detail::utf16_unordered_lead(detail::utf16_ordered_lead(lead)), lead) << b;
    }
}

TEST(xml_text, fits_with_line_breaks_and_tabs) {
    for (auto const* text : {"", " \t\r\n", "\x7F", "\xEE\x80\x80", "\xF0\x9F\x98\x80"})
        EXPECT_TRUE(detail::fits_xml(text)) << text;
    for (auto const* text : {"\x01", "\x0B", "\x1F", "\xC3", "\xED\xA0\x80", "\xEF\xBF\xBE", "\xEF\xBF\xBF"})
        EXPECT_FALSE(detail::fits_xml(text)) << text;
}

TEST(xml_text, is_utf8_without_control_characters) {
    EXPECT_TRUE(detail::is_xml_text("a \xC3\xA4 \xF0\x9F\x98\x80"));
    for (auto const* text : {"a\tb", "a\nb", "\x7F", "\xC3", "\xEF\xBF\xBE", "a\xEF\xBF\xBF"})
        EXPECT_FALSE(detail::is_xml_text(text)) << text;
}

}  // namespace

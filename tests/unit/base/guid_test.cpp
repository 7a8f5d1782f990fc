// SPDX-License-Identifier: Apache-2.0
#include "tablemap/base/guid.hpp"

#include "support/random.hpp"

#include <gtest/gtest.h>

#include <sstream>

#include <array>
#include <cstdint>
#include <string>

namespace {

using namespace tablemap;

constexpr guid counting{std::array<std::uint8_t, 16>{0x00, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88, 0x99, 0xAA,
                                                     0xBB, 0xCC, 0xDD, 0xEE, 0xFF}};
constexpr char const* counting_text = "00112233-4455-6677-8899-aabbccddeeff";

TEST(guid_text, is_lower_case_with_hyphens_in_the_order_of_the_bytes) {
    EXPECT_EQ(counting.text(), counting_text);
    EXPECT_EQ(guid{}.text(), "00000000-0000-0000-0000-000000000000");
}

TEST(guid_text, is_read_in_either_case) {
    EXPECT_EQ(guid::parse(counting_text).value(), counting);
    EXPECT_EQ(guid::parse("00112233-4455-6677-8899-AABBCCDDEEFF").value(), counting);
    EXPECT_EQ(guid::parse("00112233-4455-6677-8899-aAbBcCdDeEfF").value(), counting);
}

TEST(guid_text, is_refused_in_any_other_form) {
    for (auto const* text : {"", "00112233445566778899aabbccddeeff", "{00112233-4455-6677-8899-aabbccddeeff}",
                             "00112233-4455-6677-8899-aabbccddeef", "00112233-4455-6677-8899-aabbccddeeff0",
                             "0011223-34455-6677-8899-aabbccddeeff", "00112233-4455-6677-8899_aabbccddeeff",
                             "00112233-4455-6677-8899-aabbccddeefg", "00112233-4455-6677-8899-aabbccddee f",
                             " 0112233-4455-6677-8899-aabbccddeeff", "0x112233-4455-6677-8899-aabbccddeeff"})
        EXPECT_FALSE(guid::parse(text)) << text;
}

TEST(guid_text, is_refused_at_every_place_that_holds_another_character) {
    for (std::size_t i = 0; i < 36; ++i) {
        std::string text = counting_text;
        text[i] = text[i] == '-' ? '0' : '-';
        EXPECT_FALSE(guid::parse(text)) << text;
        text[i] = '\xC3';
        EXPECT_FALSE(guid::parse(text)) << i;
    }
}

TEST(guid_text, refusal_is_a_type_mismatch_and_leaves_the_target_alone) {
    EXPECT_EQ(guid::parse("no").error().code(), library_errc::type_mismatch);
    auto g = counting;
    EXPECT_FALSE(detail::parse_guid("ffffffff-ffff-ffff-ffff-fffffffffffg", g));
    EXPECT_EQ(g, counting);
}

TEST(guid, made_of_random_words_is_of_version_4) {
    EXPECT_EQ(guid::from_random(0, 0).text(), "00000000-0000-4000-8000-000000000000");
    EXPECT_EQ(guid::from_random(~0ull, ~0ull).text(), "ffffffff-ffff-4fff-bfff-ffffffffffff");
    EXPECT_EQ(guid::from_random(0x0123456789ABCDEF, 0x0011223344556677).text(), "01234567-89ab-4def-8011-223344556677");
}

TEST(guid, sorts_as_its_text_and_round_trips) {
    test::random_source random;
    for (int i = 0; i < 500; ++i) {
        auto const a = random.guid();
        auto const b = random.guid();
        EXPECT_EQ(guid::parse(a.text()).value(), a);
        EXPECT_EQ(a < b, a.text() < b.text()) << a.text() << ' ' << b.text();
    }
}

TEST(guid, is_printed_as_its_text) {
    std::ostringstream out;
    out << guid{};
    EXPECT_EQ(out.str(), "00000000-0000-0000-0000-000000000000");
}

}  // namespace

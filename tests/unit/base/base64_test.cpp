// SPDX-License-Identifier: Apache-2.0
#include "tablemap/base/bytes.hpp"

#include "support/random.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <string>
#include <string_view>

namespace {

using namespace tablemap;

bytes as_bytes(std::string_view text) {
    bytes b;
    for (char const c : text) b.push_back(static_cast<std::byte>(c));
    return b;
}

std::string encoded(bytes const& b) {
    std::string text;
    detail::append_base64(text, b);
    return text;
}

TEST(base64, is_that_of_rfc_4648) {
    struct {
        std::string_view plain, text;
    } const vectors[] = {{"", ""},
                         {"f", "Zg=="},
                         {"fo", "Zm8="},
                         {"foo", "Zm9v"},
                         {"foob", "Zm9vYg=="},
                         {"fooba", "Zm9vYmE="},
                         {"foobar", "Zm9vYmFy"}};
    for (auto const& v : vectors) {
        bytes out;
        EXPECT_EQ(encoded(as_bytes(v.plain)), v.text);
        EXPECT_TRUE(detail::parse_base64(v.text, out)) << v.text;
        EXPECT_EQ(out, as_bytes(v.plain)) << v.text;
    }
}

TEST(base64, uses_the_standard_alphabet) {
    EXPECT_EQ(encoded(as_bytes("\xFB\xFF\xBF")), "+/+/");
    EXPECT_EQ(encoded(bytes(3, std::byte{0})), "AAAA");
    bytes out;
    EXPECT_FALSE(detail::parse_base64("-_-_", out));
}

TEST(base64, is_appended_behind_what_is_there) {
    std::string text = "\"";
    detail::append_base64(text, as_bytes("foo"));
    EXPECT_EQ(text, "\"Zm9v");
}

TEST(base64, replaces_what_the_target_held) {
    auto out = as_bytes("a long former value");
    EXPECT_TRUE(detail::parse_base64("Zg==", out));
    EXPECT_EQ(out, as_bytes("f"));
}

TEST(base64, is_refused_with_wrong_padding_or_length) {
    bytes out;
    for (auto const* text : {"Z", "Zg", "Zg=", "Zm8", "Zm9vY", "=", "==", "===", "====", "Z===", "Zg==Zg==", "Zm8=Zm9v",
                             "Zg=v", "=Zg=", "Zm9v====", "Zm9v="})
        EXPECT_FALSE(detail::parse_base64(text, out)) << text;
}

TEST(base64, is_refused_with_characters_of_no_digit) {
    bytes out;
    for (auto const* text : {"Zm9 ", "Zm9\n", " m9v", "Zm9-", "Zm9\xC3", "Zm.v", "\"\"\"\""})
        EXPECT_FALSE(detail::parse_base64(text, out)) << text;
    EXPECT_FALSE(detail::parse_base64(std::string_view{"Zm9\0", 4}, out));
}

TEST(base64, is_refused_if_the_bits_that_no_byte_takes_are_not_zero) {
    bytes out;
    for (auto const* text : {"Zh==", "Zv==", "Z/==", "Zm9=", "Zm+=", "Zm9vZh=="})
        EXPECT_FALSE(detail::parse_base64(text, out)) << text;
}

TEST(base64, round_trips_every_length) {
    test::random_source random;
    for (std::size_t size = 0; size < 100; ++size) {
        bytes data(size);
        for (auto& b : data) b = static_cast<std::byte>(random.word());
        bytes out;
        EXPECT_EQ(encoded(data).size(), (size + 2) / 3 * 4);
        EXPECT_TRUE(detail::parse_base64(encoded(data), out));
        EXPECT_EQ(out, data);
    }
}

}  // namespace

// SPDX-License-Identifier: Apache-2.0
#include "tablemap/detail/base/utf.hpp"
#include "tablemap/detail/keys/text.hpp"

#include <gtest/gtest.h>

#include <random>
#include <string>

namespace tablemap::detail {
namespace {

bool before(std::string_view a, std::string_view b) { return compare_utf16(a, b) < 0; }

TEST(end_of_prefix, raises_the_last_character) {
    EXPECT_EQ(end_of_prefix("ab"), "ac");
    EXPECT_EQ(end_of_prefix("empid_"), "empid`");
    EXPECT_EQ(end_of_prefix("\x7F"), "\xC2\x80");
}

TEST(end_of_prefix, there_is_none_of_nothing_and_of_the_highest_characters) {
    EXPECT_EQ(end_of_prefix(""), std::nullopt);
    EXPECT_EQ(end_of_prefix("\xEF\xBF\xBF\xEF\xBF\xBF"), std::nullopt);
}

TEST(end_of_prefix, drops_characters_that_cannot_be_raised) { EXPECT_EQ(end_of_prefix("a\xEF\xBF\xBF"), "b"); }

TEST(end_of_prefix, keeps_to_the_order_of_utf16_around_the_surrogates) {
    EXPECT_EQ(end_of_prefix("\xED\x9F\xBF"), "\xF0\x90\x80\x80") << "U+D7FF is followed by U+10000";
    EXPECT_EQ(end_of_prefix("\xF4\x8F\xBF\xBF"), "\xEE\x80\x80") << "U+10FFFF is followed by U+E000";
}

TEST(end_of_prefix, is_above_every_text_with_the_prefix_and_not_above_the_next_text) {
    auto const seed = std::random_device{}();
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937 random{seed};
    std::string const alphabet[] = {"a",
                                    "z",
                                    "~",
                                    "\xC3\xA9",
                                    "\xED\x9F\xBF",
                                    "\xEE\x80\x80",
                                    "\xEF\xBF\xBF",
                                    "\xF0\x9F\x98\x80",
                                    "\xF4\x8F\xBF\xBF"};
    auto text = [&](std::size_t longest) {
        std::string t;
        for (auto n = random() % (longest + 1); n > 0; --n) t += alphabet[random() % std::size(alphabet)];
        return t;
    };
    for (int i = 0; i < 20000; ++i) {
        auto const prefix = text(3);
        auto const other = text(4);
        auto const end = end_of_prefix(prefix);
        bool const inside = !before(other, prefix) && (!end || before(other, *end));
        EXPECT_EQ(inside, other.starts_with(prefix)) << prefix << " | " << other;
    }
}

}  // namespace
}  // namespace tablemap::detail

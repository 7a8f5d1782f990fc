// SPDX-License-Identifier: Apache-2.0
#include "tablemap/detail/keys/key_codec.hpp"

#include <gtest/gtest.h>

#include <string>

namespace tablemap::detail {
namespace {

struct line {
    std::string order{};
    std::int32_t number{};
};

constexpr auto behind = key(part<&line::order>, "_line_", part<&line::number>.width(3));
constexpr auto around = key("o_", part<&line::order>, "_head");
constexpr auto before = key("line_", part<&line::number>.width(3));
constexpr auto between = key("a", part<&line::order>, "b", part<&line::number>, "c");
constexpr auto constant = key("head");
constexpr auto nothing = key("");
constexpr auto values = key(part<&line::order>);

template <auto const& Key> bool has(std::string_view text) { return has_literals(Key.layouts, text); }

TEST(key_literals, are_those_of_every_key_that_the_mapping_makes) {
    EXPECT_TRUE(has<behind>("7_line_001"));
    EXPECT_TRUE(has<behind>("_line__line_001"));
    EXPECT_TRUE(has<around>("o__head"));
    EXPECT_TRUE(has<around>("o__head_head"));
    EXPECT_TRUE(has<before>("line_001"));
    EXPECT_TRUE(has<between>("abbc7bcc"));
    EXPECT_TRUE(has<constant>("head"));
    EXPECT_TRUE(has<nothing>(""));
    EXPECT_TRUE(has<values>(""));
}

TEST(key_literals, tell_the_keys_of_other_mappings) {
    EXPECT_FALSE(has<behind>("7_head"));
    EXPECT_FALSE(has<around>("7_line_001"));
    EXPECT_FALSE(has<around>("o_head")) << "one literal is not read as two";
    EXPECT_FALSE(has<before>("xline_001"));
    EXPECT_FALSE(has<before>(""));
    EXPECT_FALSE(has<between>("acb"));
    EXPECT_FALSE(has<constant>("header"));
    EXPECT_FALSE(has<constant>("a head"));
    EXPECT_FALSE(has<nothing>("x"));
}

TEST(key_literals, say_nothing_of_the_values_between_them) { EXPECT_TRUE(has<before>("line_of twelve")); }

TEST(key_literals, of_no_key_are_in_all) { EXPECT_TRUE(has_literals({}, "anything")); }

}  // namespace
}  // namespace tablemap::detail

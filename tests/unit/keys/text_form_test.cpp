// SPDX-License-Identifier: Apache-2.0
#include "support/answers.hpp"
#include "support/one_part.hpp"
#include "support/random.hpp"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace {

using namespace tablemap;
using namespace std::literals;
using test::failed_with;
using test::form_of;
using test::make;
using test::part_of;
using test::read;

constexpr auto escaped = key(part_of<std::string>.escaped().may_be_empty());
constexpr auto descending = key(part_of<std::string>.descending());
constexpr auto terminated = key(part_of<std::string>.escaped(), "x");

struct text_case {
    std::string_view text;
    std::string_view form;
};

TEST(escaped_text, is_itself_where_keys_can_hold_it) {
    for (auto const text : {"", "Don", "a-b_c,d", "Z\xC3\xBCrich", "!", "}", "\xC2\xA0", "\xF0\x9F\x98\x80"})
        EXPECT_EQ(form_of(escaped, std::string{text}), text);
}

TEST(escaped_text, writes_each_forbidden_character_and_each_lead_in_two_or_three) {
    constexpr text_case cases[] = {
        {" ", " z"},
        {"\0"sv, " 0"},
        {"\t", " 9"},
        {"\n", " a"},
        {"\x1F", " v"},
        {"#", "\"1"},
        {"\"", "\"0"},
        {"/", ".1"},
        {".", ".0"},
        {"?", ">1"},
        {">", ">0"},
        {"\\", "[1"},
        {"[", "[0"},
        {"~", "~0"},
        {"\x7F", "~1"},
        {"\xC2\x80", "~20"},
        {"\xC2\x9F", "~2v"},
        {"a/b c", "a.1b zc"},
        {"../..", ".0.0.1.0.0"},
    };
    for (auto const& c : cases) EXPECT_EQ(form_of(escaped, std::string{c.text}), c.form);
}

TEST(escaped_text, is_terminated_where_anything_follows) {
    EXPECT_EQ(form_of(terminated, "a b"s), "a zb !x");
    EXPECT_EQ(form_of(terminated, " !"s), " z! !x");
    EXPECT_EQ(form_of(key(part_of<std::string>.escaped(), ""), "a"s), "a");
    EXPECT_EQ(form_of(key(part_of<std::string>.ordered()), "/"s), ".1");
}

TEST(escaped_text, refuses_to_be_read_from_anything_else) {
    for (auto const* bad : {" ", "a ", " w", ".", ".2", "/", "~", "~2", "~2w", "~3", "\"2", ">2", "[2", "a !", "\xFF"})
        EXPECT_TRUE(failed_with(read<std::string>(escaped, bad), library_errc::unreadable_key)) << bad;
    for (auto const* bad : {"x", "ax", "a !", "a  !x", " !xx"})
        EXPECT_TRUE(failed_with(read<std::string>(terminated, bad), library_errc::unreadable_key)) << bad;
}

TEST(escaped_text, must_be_utf8) {
    auto const r = make(escaped, "a\xC3"s);
    ASSERT_TRUE(failed_with(r, library_errc::invalid_key));
    EXPECT_EQ(r.error().member(), "value");
}

TEST(descending_text, is_the_complement_of_its_utf16_units) {
    constexpr text_case cases[] = {
        {"", "~"},
        {"a", "ff9e~"},
        {"ab", "ff9eff9d~"},
        {"\0"sv, "ffff~"},
        {"/", "ffd0~"},
        {"\xEF\xBF\xBF", "0000~"},
        {"\xF0\x9F\x98\x80", "27c221ff~"},
        {"\xF4\x8F\xBF\xBF", "24002000~"},
    };
    for (auto const& c : cases) EXPECT_EQ(form_of(descending, std::string{c.text}), c.form);
}

TEST(descending_text, refuses_to_be_read_from_anything_else) {
    for (auto const* bad : {"", "ff9e", "ff9~", "FF9E~", "ff9e~~", "fg9e~", "27c2~", "21ff~", "21ff27c2~", "27c2ff9e~"})
        EXPECT_TRUE(failed_with(read<std::string>(descending, bad), library_errc::unreadable_key)) << bad;
}

TEST(descending_text, sorts_downwards) {
    EXPECT_GT(make(descending, "a"s).value(), make(descending, "ab"s).value());
    EXPECT_GT(make(descending, ""s).value(), make(descending, "a"s).value());
    EXPECT_GT(make(descending, "a"s).value(), make(descending, "b"s).value());
}

TEST(read_of_any_text, never_gives_a_value_that_is_written_otherwise) {
    test::random_source random;
    for (int i = 0; i < 20'000; ++i) {
        std::string text;
        for (auto n = random.below(8); n > 0; --n) text += " !~.>[\"012vz/a"[random.below(14)];
        auto const value = read<std::string>(escaped, text);
        if (value) {
            ASSERT_EQ(make(escaped, *value).value(), text);
        }
    }
}

}  // namespace

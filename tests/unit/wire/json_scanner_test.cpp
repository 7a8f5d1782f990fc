// SPDX-License-Identifier: Apache-2.0
#include "wire/json_scanner.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <string>

namespace {

using namespace tablemap;
using namespace tablemap::detail;

/// The text that JSON holds between quotes; nothing if the scanner refuses it, or if more follows.
std::optional<std::string> text_in(std::string const& json) {
    json_scanner in{json};
    std::string_view text;
    if (!in.read_text(text) || !in.is_at_end()) return std::nullopt;
    return std::string{text};
}

/// The same where a text is probable.
std::optional<std::string> text_in(std::string const& json, std::string_view probable) {
    json_scanner in{json};
    std::string_view text;
    if (!in.read_text(text, probable) || !in.is_at_end()) return std::nullopt;
    return std::string{text};
}

std::optional<json_token> scalar_in(std::string const& json) {
    json_scanner in{json};
    json_token token;
    bool is_null = false;
    if (!in.read_scalar(token, is_null) || is_null || !in.is_at_end()) return std::nullopt;
    return token;
}

std::optional<std::int64_t> integer_in(std::string const& json) {
    auto const t = scalar_in(json);
    return t && t->kind == json_token_kind::integer ? std::optional{t->integer} : std::nullopt;
}

bool is_skipped(std::string const& json) {
    json_scanner in{json};
    return in.skip_value() && in.is_at_end();
}

TEST(json_scanner, finds_the_end_of_a_text_wherever_it_is) {
    for (std::size_t before = 0; before < 40; ++before)
        for (std::size_t behind = 0; behind < 40; ++behind) {
            std::string const text(before, 'x');
            std::string const json = '"' + text + '"' + std::string(behind, ' ');
            EXPECT_EQ(text_in(json), text) << before << ' ' << behind;
        }
}

TEST(json_scanner, refuses_a_control_character_wherever_it_is) {
    for (std::size_t at = 0; at < 40; ++at)
        for (char c = 0; c < 0x20; ++c) {
            std::string text(40, 'x');
            text[at] = c;
            EXPECT_EQ(text_in('"' + text + '"'), std::nullopt) << at << ' ' << int{c};
        }
}

TEST(json_scanner, tells_valid_utf8_from_other_bytes_wherever_they_are) {
    for (std::size_t at = 0; at < 40; ++at) {
        auto const text_with = [at](std::string const& bytes) { return std::string(40, 'x').insert(at, bytes); };
        for (std::string const good : {"\xC3\xA9", "\xE2\x82\xAC", "\xF0\x9F\x98\x80", "\x7F"})
            EXPECT_EQ(text_in('"' + text_with(good) + '"'), text_with(good)) << at;
        for (std::string const bad : {"\xFF", "\x80", "\xC3", "\xED\xA0\x80", "\xC0\x80", "\xF4\x90\x80\x80"})
            EXPECT_EQ(text_in('"' + text_with(bad) + '"'), std::nullopt) << at;
    }
}

TEST(json_scanner, reads_escapes_wherever_they_are) {
    for (std::size_t at = 0; at < 40; ++at) {
        std::string const before(at, 'x'), behind(20, 'y');
        EXPECT_EQ(text_in('"' + before + "\\n" + behind + '"'), before + '\n' + behind);
        EXPECT_EQ(text_in('"' + before + "\\\"" + behind + '"'), before + '"' + behind);
        EXPECT_EQ(text_in('"' + before + "\\u00e9" + behind + '"'), before + "\xC3\xA9" + behind);
    }
}

TEST(json_scanner, reads_all_escapes_of_json) {
    EXPECT_EQ(text_in(R"("\"\\\/\b\f\n\r\t")"), "\"\\/\b\f\n\r\t");
    EXPECT_EQ(text_in(R"("\u0041\u00E9\u20ac\ud83d\uDE00\uffff\u0000")"),
              std::string("A\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80\xEF\xBF\xBF\0", 14));
}

TEST(json_scanner, refuses_escapes_that_json_does_not_have) {
    for (std::string const json :
         {R"("\x")", R"("\")", R"("\)", R"("\u")", R"("\u12")", R"("\u12g4")", R"("\U0041")", R"("\ud83d")",
          R"("\ud83dx")", R"("\ud83d\n")", R"("\ud83d\u0041")", R"("\ude00")", R"("\ud83d\ud83d")", R"("\ud83d\u12")"})
        EXPECT_EQ(text_in(json), std::nullopt) << json;
}

TEST(json_scanner, reads_the_probable_text_and_every_other) {
    for (std::string const text :
         {"", "a", "age", "ages", "city", "balance", "balances", "PartitionKey", "RowKey@odata.type"})
        for (std::string const probable : {"", "a", "age", "balance", "balancer", "PartitionKey", "RowKey"})
            EXPECT_EQ(text_in(" \"" + text + "\" ", probable), text) << probable;
    EXPECT_EQ(text_in(R"("ag\u0065")", "age"), "age");
    EXPECT_EQ(text_in(R"("age\"")", "age"), "age\"");
}

TEST(json_scanner, refuses_what_is_no_text_where_one_is_probable) {
    for (std::string const json :
         {"", "\"", "\"a", "\"ag", "\"age", "\"ages", "age", "age\"", "\"age\"\"", "\"ag\n\"", "\"ag\\"})
        EXPECT_EQ(text_in(json, "age"), std::nullopt) << json;
}

TEST(json_scanner, keeps_several_long_texts_with_escapes) {
    std::string const first(200, 'a'), second(300, 'b');
    std::string const json = "\"\\n" + first + "\"\"\\t" + second + '"';
    json_scanner in{json};
    std::string_view a, b;
    ASSERT_TRUE(in.read_text(a) && in.read_text(b));
    EXPECT_EQ(a, '\n' + first);
    EXPECT_EQ(b, '\t' + second);
}

TEST(json_scanner, keeps_many_short_texts_with_escapes) {
    std::string json;
    for (int i = 0; i < 200; ++i) json += "\"\\n" + std::to_string(i) + '"';
    json_scanner in{json};
    std::vector<std::string_view> texts(200);
    for (auto& text : texts) ASSERT_TRUE(in.read_text(text));
    for (std::size_t i = 0; i < texts.size(); ++i) EXPECT_EQ(texts[i], '\n' + std::to_string(i));
}

TEST(json_scanner, reads_integers_of_up_to_64_bits) {
    for (std::string const text : {"0", "7", "-1", "999999999999999999", "-999999999999999999", "1000000000000000000",
                                   "9223372036854775807", "-9223372036854775808"})
        EXPECT_EQ(integer_in(text), std::stoll(text)) << text;
    EXPECT_EQ(integer_in("-0"), 0);
    EXPECT_EQ(integer_in("9223372036854775808"), std::nullopt);
}

TEST(json_scanner, reads_other_numbers_as_doubles) {
    for (std::string const text : {"0.5", "-1e3", "1E+2", "9223372036854775808", "123456789012345678901234567890"}) {
        auto const t = scalar_in(text);
        ASSERT_TRUE(t) << text;
        EXPECT_EQ(t->kind, json_token_kind::real);
        EXPECT_EQ(t->real, std::stod(text));
    }
}

TEST(json_scanner, refuses_numbers_and_words_that_json_does_not_have) {
    for (std::string const json : {"-",   "01",       "-01",   "00000000000000000001",
                                   "1.",  ".5",       "+1",    "1e",
                                   "1e+", "0x1",      "1e999", "12a",
                                   "--1", "tru",      "truex", "nul",
                                   "NaN", "Infinity", "",      "True"})
        EXPECT_FALSE(is_skipped(json)) << json;
}

TEST(json_scanner, skips_values_of_any_shape) {
    for (std::string const json : {"1", R"("x")", "null", "[]", "{}", "[ ]", R"({"a":[1,{"b":null}, "x"],"c":{}})",
                                   " [ true , false ] ", R"({ "a" : 1 , "b" : [ ] })"})
        EXPECT_TRUE(is_skipped(json)) << json;
    for (std::string const json : {"[1", "[1,]", "{", R"({"a"})", R"({"a":1,})", "{1:2}", "[1 2]", "[}", R"({"a":1])"})
        EXPECT_FALSE(is_skipped(json)) << json;
}

TEST(json_scanner, skips_64_levels_and_no_more) {
    auto const nested = [](std::size_t n) { return std::string(n, '[') + std::string(n, ']'); };
    EXPECT_TRUE(is_skipped(nested(64)));
    EXPECT_FALSE(is_skipped(nested(65)));
}

}  // namespace

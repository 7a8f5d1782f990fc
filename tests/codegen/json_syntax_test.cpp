// SPDX-License-Identifier: Apache-2.0
#include "json_tree.hpp"

#include <gtest/gtest.h>

namespace tablemap::codegen {
namespace {

/// The one fault of a text: its place and what it says before the remedy.
std::string fault_of(std::string_view text) {
    fault_list faults;
    EXPECT_FALSE(read_json(text, faults)) << text;
    EXPECT_EQ(faults.size(), 1U) << text;
    auto const told = describe(faults.sorted(), "");
    return told.substr(0, told.find(';'));
}

TEST(json_syntax, tells_commas_that_are_missing_or_too_many) {
    EXPECT_EQ(fault_of("{\"a\": 1\n \"b\": 2}"), ":1:8: error: a comma is missing here");
    EXPECT_EQ(fault_of("[1 2]"), ":1:3: error: a comma is missing here");
    EXPECT_EQ(fault_of("[1,\n]"), ":1:3: error: a comma with nothing after it");
    EXPECT_EQ(fault_of("{\"a\": 1,}"), ":1:8: error: a comma with nothing after it");
    EXPECT_EQ(fault_of("[,1]"), ":1:2: error: a comma with no value before it");
    EXPECT_EQ(fault_of("[1; 2]"), ":1:3: error: a comma or ']' is expected here");
}

TEST(json_syntax, tells_comments) {
    for (auto const* text : {"{\n  // x\n}", "{\n  /* x */\n}", "{\n  # x\n}"})
        EXPECT_EQ(fault_of(text), ":2:3: error: JSON has no comments") << text;
    EXPECT_EQ(fault_of("{} // x"), ":1:4: error: JSON has no comments");
}

TEST(json_syntax, tells_keys_without_quotes_or_colon) {
    EXPECT_EQ(fault_of("{a: 1}"), ":1:2: error: a key is a text in double quotes");
    EXPECT_EQ(fault_of("{'a': 1}"), ":1:2: error: a key is a text in double quotes");
    EXPECT_EQ(fault_of("{\"a\": 1,\n \"b\" 2}"),
              ":2:6: error: a colon is missing before this, between a key and its value");
}

TEST(json_syntax, tells_where_a_text_begins_that_does_not_end) {
    EXPECT_EQ(fault_of("{\n \"a\": \"x,\n \"b\": 1}"), ":2:7: error: this text is not closed on its line");
    EXPECT_EQ(fault_of("[\n\"x"), ":2:1: error: this text is not closed on its line");
    EXPECT_EQ(fault_of("[\"x\\"), ":1:4: error: there is no such escape");
}

TEST(json_syntax, tells_characters_that_a_text_cannot_hold) {
    EXPECT_EQ(fault_of("[\n \"a\tb\"]"), ":2:4: error: a text cannot hold a tab or another control character");
    EXPECT_EQ(fault_of(std::string_view{"[\"a\0\"]", 6}),
              ":1:4: error: a text cannot hold a tab or another control character");
    EXPECT_EQ(fault_of("[\n \"\\q\"]"), ":2:3: error: there is no such escape");
    EXPECT_EQ(fault_of("[\"\\u12\"]"), ":1:3: error: \\u is followed by four hexadecimal digits");
    for (auto const* half : {"[\"\\uD800\"]", "[\"\\uDC00\"]", "[\"\\uD800\\u0041\"]"})
        EXPECT_EQ(fault_of(half), ":1:3: error: this is half a character of UTF-16") << half;
}

TEST(json_syntax, tells_where_text_is_no_utf8) {
    EXPECT_EQ(fault_of("{\n \"gr\xC3\xB6\xC3\": 1}"), ":2:6: error: this is no UTF-8, in which a schema is written");
    EXPECT_EQ(fault_of("\xFF\xFE{"), ":1:1: error: this is no UTF-8, in which a schema is written");
}

TEST(json_syntax, tells_values_that_are_none) {
    EXPECT_EQ(fault_of("[1, tru]"),
              ":1:5: error: this is no value of JSON: an object, an array, a text in double quotes, a number, true, "
              "false or null");
    EXPECT_EQ(fault_of("['x']"), ":1:2: error: text stands in double quotes");
    EXPECT_EQ(fault_of("{\"a\": }"), ":1:7: error: a value is missing before this");
    for (auto const* number : {"[01]", "[-]", "[1.]", "[1e]", "[1.2.3]", "[0x5]"})
        EXPECT_EQ(fault_of(number), ":1:2: error: this is no number as JSON writes it") << number;
}

TEST(json_syntax, tells_numbers_that_nothing_holds) {
    EXPECT_EQ(fault_of("[\n1e999]").find(":2:1: error: this cannot be read"), 0U);
}

TEST(json_syntax, tells_where_it_ends_early_or_goes_on) {
    EXPECT_EQ(fault_of(""), ":1:1: error: the schema is empty");
    EXPECT_EQ(fault_of("{\"a\": [1"), ":1:9: error: the schema ends here, and not all brackets are closed");
    EXPECT_EQ(fault_of("{} {}"), ":1:4: error: something follows the end of the schema");
    EXPECT_EQ(fault_of("[1}").find(":1:3: error: this closes another bracket than the last open one"), 0U);
}

TEST(json_syntax, refuses_what_is_nested_beyond_reason) {
    EXPECT_EQ(fault_of(std::string(200'000, '[')), ":1:33: error: this is nested too deeply for a schema\n");
}

TEST(json_syntax, takes_what_is_right) {
    fault_list faults;
    EXPECT_TRUE(read_json("\t[0, -0, 1.5e+3, \"\\uD83D\\uDE00\\/\\\"\\\\\", [], {} ,{\"a\":[]}]\r\n", faults));
    EXPECT_TRUE(faults.empty()) << describe(faults.sorted(), "");
}

}  // namespace
}  // namespace tablemap::codegen

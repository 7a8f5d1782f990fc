// SPDX-License-Identifier: Apache-2.0
#include "tablemap/edm/names.hpp"

#include "support/answers.hpp"
#include "support/random.hpp"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace {

using namespace tablemap;
using test::failed_with;
using test::utf8;

std::string repeated(std::string_view text, std::size_t times) {
    std::string s;
    for (; times > 0; --times) s += text;
    return s;
}

// ---- tables ---------------------------------------------------------------------------------------------------------

TEST(table_name, is_three_to_sixty_three_letters_and_digits) {
    for (auto const& name : {std::string{"abc"}, std::string{"Employees"}, std::string{"A1b2C3"}, std::string(63, 'z')})
        EXPECT_TRUE(check_table_name(name)) << name;
    for (auto const& name : {std::string{}, std::string{"a"}, std::string{"ab"}, std::string(64, 'z')})
        EXPECT_TRUE(failed_with(check_table_name(name), library_errc::invalid_table_name)) << name;
}

TEST(table_name, begins_with_a_letter_and_holds_no_other_character) {
    for (auto const* name :
         {"1abc", "_abc", "ab_c", "ab-c", "ab c", "abc ", "ab.c", "ab$c", "\xC3\xA9t\xC3\xA9s", "ab/c"})
        EXPECT_TRUE(failed_with(check_table_name(name), library_errc::invalid_table_name)) << name;
    EXPECT_TRUE(failed_with(check_table_name({"abc\0", 4}), library_errc::invalid_table_name));
}

TEST(resource_name, is_three_to_sixty_three_lower_case_letters_digits_and_single_hyphens) {
    for (auto const& name : {std::string{"abc"}, std::string{"a-1"}, std::string{"0-1-2"}, std::string(63, 'z')})
        EXPECT_TRUE(check_resource_name(name)) << name;
    for (auto const& name : {std::string{}, std::string{"ab"}, std::string(64, 'z'), std::string{"-ab"},
                             std::string{"ab-"}, std::string{"a--b"}, std::string{"Abc"}, std::string{"a_b"}})
        EXPECT_TRUE(failed_with(check_resource_name(name), service_errc::invalid_resource_name)) << name;
}

TEST(table_name, is_not_the_reserved_one_in_any_case) {
    for (auto const* name : {"tables", "Tables", "TABLES", "tAbLeS"})
        EXPECT_TRUE(failed_with(check_table_name(name), library_errc::invalid_table_name)) << name;
    EXPECT_TRUE(check_table_name("tables1"));
    EXPECT_TRUE(check_table_name("table"));
}

TEST(table_name, stands_in_its_error) { EXPECT_EQ(check_table_name("a b").error().table(), "a b"); }

// ---- keys -----------------------------------------------------------------------------------------------------------

TEST(key, may_not_hold_a_character_that_the_service_forbids) {
    for (char const c : std::string_view{"/\\#?\t\n\r\x7F"})
        EXPECT_TRUE(failed_with(check_key(std::string{"a"} + c + "b"), library_errc::invalid_key)) << int{c};
}

TEST(key, may_not_hold_any_control_character) {
    for (char32_t c = 0; c < 0xA0; ++c) {
        bool const control = c < 0x20 || c >= 0x7F;
        bool const forbidden = control || c == '/' || c == '\\' || c == '#' || c == '?';
        EXPECT_EQ(check_key(utf8({&c, 1})).has_value(), !forbidden) << static_cast<unsigned>(c);
        EXPECT_EQ(check_key("ab" + utf8({&c, 1})).has_value(), !forbidden) << static_cast<unsigned>(c);
        for (std::size_t i = 0; i <= 20; ++i)
            EXPECT_EQ(check_key(std::string(20, 'k').insert(i, utf8({&c, 1}))).has_value(), !forbidden)
                << static_cast<unsigned>(c) << " behind " << i;
    }
}

TEST(key, may_hold_what_lies_next_to_the_controls) {
    EXPECT_TRUE(check_key(utf8(U"\u00A0\u00C2\u0100")));
    EXPECT_TRUE(check_key("\xC3\x85"));      // U+00C5: a trail byte of a C1 control behind another lead
    EXPECT_TRUE(check_key("\xE0\xA2\x85"));  // U+0885
}

TEST(key, may_hold_the_characters_that_only_urls_dislike) { EXPECT_TRUE(check_key("%20+'&=\"<>:;,@!()*$~`|^{}[] .")); }

TEST(key, may_be_empty) { EXPECT_TRUE(check_key("")); }

TEST(key, has_at_most_512_code_units) {
    EXPECT_TRUE(check_key(std::string(512, 'k')));
    EXPECT_TRUE(failed_with(check_key(std::string(513, 'k')), library_errc::key_too_large));
}

TEST(key, is_measured_in_utf16_not_in_bytes) {
    auto const euro = utf8(U"\u20AC");
    EXPECT_TRUE(check_key(repeated(euro, 512)));
    EXPECT_TRUE(failed_with(check_key(repeated(euro, 513)), library_errc::key_too_large));
    auto const smile = utf8(U"\U0001F600");
    EXPECT_TRUE(check_key(repeated(smile, 256)));
    EXPECT_TRUE(failed_with(check_key(repeated(smile, 256) + "x"), library_errc::key_too_large));
}

TEST(key, is_valid_utf8) {
    for (auto const* text : {"\xFF", "a\x80", "\xC3", "\xED\xA0\x80", "\xC0\xAF", "\xF0\x9F\x98"})
        EXPECT_TRUE(failed_with(check_key(text), library_errc::invalid_key)) << ::testing::PrintToString(text);
}

TEST(key, does_not_stand_in_its_error) {
    for (auto const& text : {std::string{"SECRET/"}, std::string{"SECRET\xFF"}, "SECRET" + std::string(513, 'k')}) {
        auto const r = check_key(text);
        ASSERT_FALSE(r);
        EXPECT_EQ(std::string_view{r.error().what()}.find("SECRET"), std::string_view::npos) << r.error().what();
    }
}

// ---- properties -----------------------------------------------------------------------------------------------------

TEST(property_name, is_an_identifier) {
    for (auto const* name : {"a", "_", "Age", "first_name", "x1", "_1", "\xC3\xA9t\xC3\xA9", "partitionkey"})
        EXPECT_TRUE(check_property_name(name)) << name;
    for (auto const* name : {"", "1a", "a-b", "a.b", "a b", "a@b", "odata.etag", "a\"b", "a\\b", "a\n"})
        EXPECT_TRUE(failed_with(check_property_name(name), library_errc::invalid_property_name)) << name;
}

TEST(property_name, is_none_of_the_services_own) {
    for (auto const* name : {"PartitionKey", "RowKey", "Timestamp"}) {
        auto const r = check_property_name(name);
        EXPECT_TRUE(failed_with(r, library_errc::invalid_property_name)) << name;
        EXPECT_EQ(r.error().member(), name);
    }
}

TEST(property_name, has_at_most_255_code_units) {
    EXPECT_TRUE(check_property_name(std::string(255, 'n')));
    EXPECT_TRUE(failed_with(check_property_name(std::string(256, 'n')), library_errc::invalid_property_name));
    auto const e = utf8(U"\u00E9");
    EXPECT_TRUE(check_property_name(repeated(e, 255)));
    EXPECT_TRUE(failed_with(check_property_name(repeated(e, 256)), library_errc::invalid_property_name));
}

TEST(property_name, is_valid_utf8) {
    EXPECT_TRUE(failed_with(check_property_name("a\xFF"), library_errc::invalid_property_name));
}

}  // namespace

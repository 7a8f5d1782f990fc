// SPDX-License-Identifier: Apache-2.0
#include "tablemap/filter/parse.hpp"

#include "tablemap/filter/odata.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>

namespace {

using namespace tablemap;
using filter::comparison;
using filter::expression;
using op = filter::comparison_operator;
using ::testing::HasSubstr;
using ::testing::Not;

expression is(std::string name, property_value v, op o = op::eq) {
    return comparison{std::move(name), o, std::move(v)};
}

/// The meaning of the text, written by the renderer, or its error.
std::string meaning(std::string_view text) {
    auto const e = filter::parse(text);
    if (!e) return e.error().details().reason;
    std::string out;
    auto const r = filter::append_odata(out, *e);
    return r ? out : r.error().details().reason;
}

expression parsed(std::string_view text) { return value_or_throw(filter::parse(text)); }

property_value value_in(std::string_view text) {
    return parsed("A eq " + std::string{text}).visit([](auto const& n) -> property_value {
        if constexpr (std::is_same_v<std::remove_cvref_t<decltype(n)>, comparison>)
            return n.value;
        else
            return "no comparison";
    });
}

// ---- literals -------------------------------------------------------------------------------------------------------

TEST(parse, reads_a_literal_of_each_type) {
    EXPECT_EQ(value_in("'text'"), property_value{"text"});
    EXPECT_EQ(value_in("true"), property_value{true});
    EXPECT_EQ(value_in("false"), property_value{false});
    EXPECT_EQ(value_in("-5"), property_value{-5});
    EXPECT_EQ(value_in("5L"), property_value{std::int64_t{5}});
    EXPECT_EQ(value_in("2.5"), property_value{2.5});
    EXPECT_EQ(value_in("datetime'2024-01-01T00:00:00.1234567Z'"),
              property_value{*ticks::parse("2024-01-01T00:00:00.1234567Z")});
    EXPECT_EQ(value_in("guid'C9DA6455-213d-42c9-9a79-3e9149a57833'"),
              property_value{*guid::parse("c9da6455-213d-42c9-9a79-3e9149a57833")});
    EXPECT_EQ(value_in("X'0aFF'"), (property_value{bytes{std::byte{0x0A}, std::byte{0xFF}}}));
    EXPECT_EQ(value_in("binary''"), property_value{bytes{}});
}

TEST(parse, reads_quotes_that_are_doubled) {
    EXPECT_EQ(value_in("'O''Brien'"), property_value{"O'Brien"});
    EXPECT_EQ(value_in("''"), property_value{""});
    EXPECT_EQ(value_in("''''"), property_value{"'"});
    EXPECT_EQ(value_in("''' or ''1'' eq ''1'"), property_value{"' or '1' eq '1"});
    EXPECT_EQ(value_in("'{} and ('"), property_value{"{} and ("});
}

TEST(parse, reads_numbers_up_to_their_ends) {
    EXPECT_EQ(value_in("-2147483648"), property_value{std::numeric_limits<std::int32_t>::min()});
    EXPECT_EQ(value_in("2147483647"), property_value{std::numeric_limits<std::int32_t>::max()});
    EXPECT_EQ(value_in("-9223372036854775808L"), property_value{std::numeric_limits<std::int64_t>::min()});
    EXPECT_EQ(value_in("007"), property_value{7});
    EXPECT_EQ(value_in("1e3"), property_value{1000.0});
    EXPECT_EQ(value_in("-1.5E-2"), property_value{-0.015});
    EXPECT_EQ(value_in("1.7976931348623157e+308"), property_value{std::numeric_limits<double>::max()});
}

TEST(parse, reads_doubles_that_are_no_numbers) {
    auto const infinity = std::numeric_limits<double>::infinity();
    EXPECT_TRUE(std::isnan(std::get<double>(value_in("NaN"))));
    EXPECT_EQ(value_in("INF"), property_value{infinity});
    EXPECT_EQ(value_in("-INF"), property_value{-infinity});
    EXPECT_EQ(value_in("-Infinity"), property_value{-infinity});
}

TEST(parse, says_what_is_wrong_with_a_literal_and_where) {
    EXPECT_EQ(meaning("A eq 2147483648"),
              "expected a number that Edm.Int32 can hold, or one with L behind it at offset 5");
    EXPECT_EQ(meaning("A eq 9223372036854775808L"), "expected a number that Edm.Int64 can hold at offset 5");
    EXPECT_EQ(meaning("A eq 1e999"), "expected a number that Edm.Double can hold at offset 5");
    EXPECT_EQ(meaning("A eq -"), "expected a number at offset 5");
    EXPECT_EQ(meaning("A eq 1."), "expected a digit at offset 7");
    EXPECT_EQ(meaning("A eq 1.5L"), "expected the end of the number at offset 8");
    EXPECT_EQ(meaning("A eq 5x"), "expected the end of the number at offset 6");
    EXPECT_EQ(meaning("A eq 'it''s"), "expected a quote that ends the literal at offset 11");
    EXPECT_THAT(meaning("A eq datetime'2024-13-01T00:00:00Z'"), HasSubstr("expected a UTC time such as"));
    EXPECT_THAT(meaning("A eq guid'c9da6455'"), HasSubstr("expected a guid such as"));
    EXPECT_THAT(meaning("A eq X'0'"), HasSubstr("expected an even number of hexadecimal digits"));
    EXPECT_THAT(meaning("A eq binary'0g'"), HasSubstr("at offset 5"));
}

// ---- comparisons ----------------------------------------------------------------------------------------------------

TEST(parse, reads_every_operator_with_the_property_on_either_side) {
    EXPECT_EQ(meaning("A eq 1"), "A eq 1");
    EXPECT_EQ(meaning("A ne 1"), "A ne 1");
    EXPECT_EQ(meaning("1 eq A"), "A eq 1");
    EXPECT_EQ(meaning("1 ne A"), "A ne 1");
    EXPECT_EQ(meaning("1 lt A"), "A gt 1");
    EXPECT_EQ(meaning("1 le A"), "A ge 1");
    EXPECT_EQ(meaning("1 gt A"), "A lt 1");
    EXPECT_EQ(meaning("guid'c9da6455-213d-42c9-9a79-3e9149a57833' ge A"),
              "A le guid'c9da6455-213d-42c9-9a79-3e9149a57833'");
}

TEST(parse, reads_constants_in_any_case_alone_and_in_parentheses) {
    for (auto const* text : {"true", "TRUE", "True", "(true)", "( (tRuE) )", "not false", "not (False)"})
        EXPECT_TRUE(filter::matches(parsed(text), detail::stored_entity{"p", "r"})) << text;
    for (auto const* text : {"false", "FALSE", "(False)", "not true", "true and false", "A eq 1 and true"})
        EXPECT_FALSE(filter::matches(parsed(text), detail::stored_entity{"", ""})) << text;
    EXPECT_EQ(parsed("TRUE eq Flag"), is("Flag", true));
    EXPECT_EQ(parsed("Flag eq False"), is("Flag", false));
    EXPECT_THAT(meaning("true true"), HasSubstr("expected an operator or the end of the filter"));
}

TEST(parse, reads_boolean_properties_alone) {
    EXPECT_EQ(parsed("Flag"), is("Flag", true));
    EXPECT_EQ(parsed("not Flag"), !is("Flag", true));
    EXPECT_EQ(parsed("(Flag) and not(Other)"), is("Flag", true) && !is("Other", true));
}

TEST(parse, reads_names_beyond_ascii_and_names_that_mean_something_elsewhere) {
    EXPECT_EQ(parsed("Gr\xC3\xB6\xC3\x9F"
                     "e eq 1"),
              is("Gr\xC3\xB6\xC3\x9F"
                 "e",
                 1));
    for (auto const* name : {"not", "and", "or", "eq", "true", "NaN", "X", "guid", "datetime", "nothing", "_"})
        EXPECT_EQ(parsed(std::string{name} + " eq 1 and not (" + name + " eq 'x')"), is(name, 1) && !is(name, "x"));
}

TEST(parse, takes_any_blanks) {
    EXPECT_EQ(meaning(" A\teq\n1  and ( B eq 2 ) "), "(A eq 1) and (B eq 2)");
    EXPECT_EQ(meaning("(A eq 1)and(B eq 2)"), "(A eq 1) and (B eq 2)");
}

// ---- structure ------------------------------------------------------------------------------------------------------

TEST(parse, binds_not_before_and_and_and_before_or) {
    EXPECT_EQ(meaning("A eq 1 or B eq 2 and C eq 3"), "(A eq 1) or ((B eq 2) and (C eq 3))");
    EXPECT_EQ(meaning("A eq 1 and B eq 2 or C eq 3"), "((A eq 1) and (B eq 2)) or (C eq 3)");
    EXPECT_EQ(meaning("not A eq 1 and B eq 2"), "(not (A eq 1)) and (B eq 2)");
    EXPECT_EQ(meaning("not not A eq 1"), "not (not (A eq 1))");
    EXPECT_EQ(meaning("(A eq 1 or B eq 2) and C eq 3"), "((A eq 1) or (B eq 2)) and (C eq 3)");
}

TEST(parse, leans_chains_to_the_left) {
    auto const a = is("A", 1), b = is("B", 2), c = is("C", 3);
    EXPECT_EQ(parsed("A eq 1 and B eq 2 and C eq 3"), a && b && c);
    EXPECT_EQ(parsed("A eq 1 or (B eq 2 or C eq 3)"), a || (b || c));
}

TEST(parse, says_what_it_expected_and_where) {
    EXPECT_EQ(meaning(""), "expected a comparison, a boolean property, true, false, not, or ( at offset 0");
    EXPECT_EQ(meaning("A eq 1 and"), "expected a comparison, a boolean property, true, false, not, or ( at offset 10");
    EXPECT_EQ(meaning("A eq 1 and and B"),
              "expected a comparison, a boolean property, true, false, not, or ( at offset 11");
    EXPECT_EQ(meaning("A eq"), "expected a literal at offset 4");
    EXPECT_EQ(meaning("A eq B"), "expected a literal at offset 5");
    EXPECT_EQ(meaning("A = 1"), "expected an operator or the end of the filter at offset 2");
    EXPECT_EQ(meaning("A eq 1 AND B eq 2"), "expected an operator or the end of the filter at offset 7");
    EXPECT_EQ(meaning("5"), "expected one of eq, ne, lt, le, gt and ge at offset 1");
    EXPECT_EQ(meaning("1 eq 1"), "expected a property at offset 5");
    EXPECT_EQ(meaning("(A eq 1"), "expected an operator or ) at offset 7");
    EXPECT_EQ(meaning("A eq 1)"), "expected an operator or the end of the filter at offset 6");
    EXPECT_EQ(meaning("startswith(A, 'x')"), "expected an operator or the end of the filter at offset 10");
    EXPECT_EQ(meaning("A eq {}"), "there is no value for {} at offset 5");
    EXPECT_EQ(meaning(std::string_view{"A eq 1\0", 7}), "expected an operator or the end of the filter at offset 6");
}

TEST(parse, fails_with_one_code_and_never_shows_the_text) {
    for (auto const* text : {"Secret eq 'Secret", "Secret eq Secret", "not", "X'Secret' eq Secret", "\xC3("}) {
        auto const r = filter::parse(text);
        ASSERT_FALSE(r) << text;
        EXPECT_EQ(r.error().code(), library_errc::invalid_filter);
        EXPECT_EQ(r.error().code(), error_kind::invalid_argument);
        EXPECT_THAT(r.error().what(), Not(HasSubstr("Secret")));
    }
}

// ---- limits ---------------------------------------------------------------------------------------------------------

std::string nested(std::size_t levels) { return std::string(levels, '(') + "A eq 1" + std::string(levels, ')'); }

TEST(parse, stops_at_the_deepest_nesting) {
    EXPECT_EQ(meaning(nested(filter::deepest_nesting)), "A eq 1");
    EXPECT_EQ(meaning(nested(filter::deepest_nesting + 1)),
              "a filter has at most 64 parentheses and nots within each other");
    EXPECT_EQ(meaning(nested(100'000)), "a filter has at most 64 parentheses and nots within each other");
    std::string nots;
    for (int i = 0; i < 65; ++i) nots += "not ";
    EXPECT_EQ(meaning(nots + "A"), "a filter has at most 64 parentheses and nots within each other");
}

TEST(parse, stops_at_the_longest_text_and_the_last_comparison) {
    EXPECT_EQ(meaning("A eq '" + std::string(filter::longest_text, 'x') + "'"), "a filter has at most 256 KiB");
    std::string chain = "A";
    for (std::size_t i = 1; i < filter::most_comparisons; ++i) chain += " or A";
    EXPECT_TRUE(filter::parse(chain));
    EXPECT_EQ(meaning(chain + " or A"), "a filter has at most 1000 comparisons");
}

// ---- values ---------------------------------------------------------------------------------------------------------

TEST(parse, puts_values_where_placeholders_stand) {
    property_value const values[] = {5, "' or true or '"};
    EXPECT_EQ(filter::parse("A ge {} and B eq {}", values), is("A", 5, op::ge) && is("B", "' or true or '"));
    EXPECT_EQ(filter::parse("{} lt A and B eq{}", values), is("A", 5, op::gt) && is("B", "' or true or '"));
}

TEST(parse, needs_as_many_values_as_placeholders) {
    property_value const values[] = {5, 6};
    auto const reason = [&](char const* text) { return filter::parse(text, values).error().details().reason; };
    EXPECT_EQ(reason("A eq {}"), "there are more values than {}");
    EXPECT_EQ(reason("A eq {} or A eq {} or A eq {}"), "there is no value for {} at offset 27");
    EXPECT_EQ(reason("A eq {x}"), "expected a literal at offset 5");
    EXPECT_EQ(reason("{} and A eq {}"), "expected one of eq, ne, lt, le, gt and ge at offset 3");
}

}  // namespace

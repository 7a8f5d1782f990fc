// SPDX-License-Identifier: Apache-2.0
#include "tablemap/filter/odata.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <limits>
#include <string>
#include <system_error>
#include <utility>

namespace {

using namespace tablemap;
using filter::comparison;
using filter::expression;
using op = filter::comparison_operator;

expression is(std::string name, property_value v, op o = op::eq) {
    return comparison{std::move(name), o, std::move(v)};
}

std::string odata(expression const& e) {
    std::string out;
    auto const r = filter::append_odata(out, e);
    return r ? out : "refused: " + r.error().code().message();
}

error refusal(expression const& e) {
    std::string out;
    auto const r = filter::append_odata(out, e);
    return r ? error{std::error_code{}} : r.error();
}

TEST(odata_filter, writes_a_literal_of_each_type) {
    EXPECT_EQ(odata(is("S", "text")), "S eq 'text'");
    EXPECT_EQ(odata(is("B", true)), "B eq true");
    EXPECT_EQ(odata(is("B", false)), "B eq false");
    EXPECT_EQ(odata(is("I", -5)), "I eq -5");
    EXPECT_EQ(odata(is("L", std::int64_t{5})), "L eq 5L");
    EXPECT_EQ(odata(is("T", *ticks::parse("2024-01-01T00:00:00.1234567Z"))),
              "T eq datetime'2024-01-01T00:00:00.1234567Z'");
    EXPECT_EQ(odata(is("G", *guid::parse("C9DA6455-213D-42C9-9A79-3E9149A57833"))),
              "G eq guid'c9da6455-213d-42c9-9a79-3e9149a57833'");
    EXPECT_EQ(odata(is("X", bytes{std::byte{0x0A}, std::byte{0xFF}})), "X eq X'0aff'");
    EXPECT_EQ(odata(is("X", bytes{})), "X eq X''");
}

TEST(odata_filter, writes_every_operator) {
    EXPECT_EQ(odata(is("A", 1, op::ne)), "A ne 1");
    EXPECT_EQ(odata(is("A", 1, op::lt)), "A lt 1");
    EXPECT_EQ(odata(is("A", 1, op::le)), "A le 1");
    EXPECT_EQ(odata(is("A", 1, op::gt)), "A gt 1");
    EXPECT_EQ(odata(is("A", 1, op::ge)), "A ge 1");
}

TEST(odata_filter, writes_doubles_as_plain_decimals_with_a_point) {
    EXPECT_EQ(odata(is("D", 1.5)), "D eq 1.5");
    EXPECT_EQ(odata(is("D", 5.0)), "D eq 5.0");
    EXPECT_EQ(odata(is("D", -2.25)), "D eq -2.25");
    EXPECT_EQ(odata(is("D", 1e-7)), "D eq 0.0000001");
    EXPECT_EQ(odata(is("D", 1e15)), "D eq 1000000000000000.0");
    EXPECT_EQ(odata(is("D", 0.1)), "D eq 0.1");
}

TEST(odata_filter, writes_the_extreme_doubles_without_exponent_and_loses_nothing) {
    using limits = std::numeric_limits<double>;
    for (double const d : {limits::max(), limits::lowest(), limits::min(), limits::denorm_min(), 1.0 / 3.0}) {
        auto const text = odata(is("D", d)).substr(5);
        EXPECT_EQ(text.find_first_of("eE"), std::string::npos) << text;
        EXPECT_NE(text.find('.'), std::string::npos) << text;
        EXPECT_EQ(std::strtod(text.c_str(), nullptr), d) << text;
    }
}

TEST(odata_filter, refuses_nan_and_infinities_and_names_the_property) {
    using limits = std::numeric_limits<double>;
    for (double const d : {limits::quiet_NaN(), limits::infinity(), -limits::infinity()}) {
        EXPECT_EQ(refusal(is("Ratio", d)).code(), library_errc::unsupported);
        EXPECT_EQ(refusal(is("Ratio", d)).member(), "Ratio");
    }
}

TEST(odata_filter, doubles_quotes_in_text) {
    EXPECT_EQ(odata(is("S", "O'Brien")), "S eq 'O''Brien'");
    EXPECT_EQ(odata(is("S", "'' or 1 eq 1")), "S eq ''''' or 1 eq 1'");
    EXPECT_EQ(odata(is("S", "")), "S eq ''");
}

TEST(odata_filter, refuses_a_name_that_would_say_something_else) {
    for (auto const* name : {"A eq 1 or B", "", "1A", "A)", "A'", "\xC3"})
        EXPECT_EQ(refusal(is(name, 1)).code(), library_errc::invalid_property_name) << name;
    EXPECT_EQ(odata(is("Gr\xC3\xB6\xC3\x9F"
                       "e",
                       1)),
              "Gr\xC3\xB6\xC3\x9F"
              "e eq 1");
}

TEST(odata_filter, refuses_text_that_is_no_utf8_and_times_without_a_text) {
    EXPECT_EQ(refusal(is("S", "\xC3(")).code(), library_errc::invalid_text);
    EXPECT_EQ(refusal(is("T", ticks{-1})).code(), library_errc::value_out_of_range);
    EXPECT_EQ(refusal(is("T", ticks{ticks::max().count() + 1})).code(), library_errc::value_out_of_range);
    EXPECT_EQ(odata(is("T", ticks{})), "T eq datetime'0001-01-01T00:00:00Z'");
}

TEST(odata_filter, puts_every_operand_in_parentheses) {
    auto const a = is("A", 1), b = is("B", 2), c = is("C", 3);
    EXPECT_EQ(odata(a && b), "(A eq 1) and (B eq 2)");
    EXPECT_EQ(odata(a || b), "(A eq 1) or (B eq 2)");
    EXPECT_EQ(odata(!a), "not (A eq 1)");
    EXPECT_EQ(odata(!a && b), "(not (A eq 1)) and (B eq 2)");
    EXPECT_EQ(odata(!(a && b)), "not ((A eq 1) and (B eq 2))");
    EXPECT_EQ(odata(a && (b || c)), "(A eq 1) and ((B eq 2) or (C eq 3))");
    EXPECT_EQ(odata((a && b) || c), "((A eq 1) and (B eq 2)) or (C eq 3)");
    EXPECT_EQ(odata(!!a), "not (not (A eq 1))");
}

TEST(odata_filter, keeps_a_chain_of_one_operator_flat) {
    auto const a = is("A", 1), b = is("B", 2), c = is("C", 3), d = is("D", 4);
    EXPECT_EQ(odata(a && b && c && d), "(A eq 1) and (B eq 2) and (C eq 3) and (D eq 4)");
    EXPECT_EQ(odata(a || (b || (c || d))), "(A eq 1) or (B eq 2) or (C eq 3) or (D eq 4)");
}

TEST(odata_filter, finds_a_bad_literal_anywhere_in_the_tree) {
    auto const bad = is("Bad", std::numeric_limits<double>::quiet_NaN());
    for (auto const& e : {is("A", 1) && bad, bad || is("A", 1), !bad, is("A", 1) && (is("B", 2) || !bad)})
        EXPECT_EQ(refusal(e).member(), "Bad");
}

TEST(odata_filter, is_checked_without_being_written) {
    auto const good = is("A", 1), unwritable = is("D", std::numeric_limits<double>::quiet_NaN());
    EXPECT_TRUE(filter::check(good && !(unwritable || good)));
    for (auto const& bad : {is("A B", 1), is("S", "\xC3("), is("T", ticks{-1})})
        for (auto const& e : {bad, good && bad, bad || good, !bad})
            EXPECT_EQ(filter::check(e).error(), refusal(e)) << refusal(e).what();
}

}  // namespace

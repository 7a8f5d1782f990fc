// SPDX-License-Identifier: Apache-2.0
#include "command/value_text.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace tablemap::test {
namespace {

using command::text_of;
using command::type_guess;
using command::value_from_text;

edm_type guess(std::initializer_list<std::string_view> texts) {
    type_guess g;
    for (auto const t : texts) g.add(t);
    return g.type();
}

TEST(command_value_text, values_of_every_type_are_read_back) {
    for (property_value const& v : std::initializer_list<property_value>{
             std::string{"a, \"b\""}, true, std::int32_t{-7}, std::int64_t{5'000'000'000}, 0.1, -0.0,
             ticks::parse("2024-01-02T03:04:05.1234567Z").value(), guid::from_random(1, 2), bytes{std::byte{255}}})
        EXPECT_EQ(value_from_text(text_of(v), type_of(v)), v) << text_of(v);
}

TEST(command_value_text, infinities_and_nan_have_the_names_of_the_service) {
    EXPECT_EQ(text_of(-std::numeric_limits<double>::infinity()), "-Infinity");
    EXPECT_TRUE(std::isnan(std::get<double>(*value_from_text("NaN", edm_type::real))));
    EXPECT_FALSE(value_from_text("nan", edm_type::real));
    EXPECT_FALSE(value_from_text("inf", edm_type::real));
}

TEST(command_value_text, text_that_is_no_value_of_the_type_is_none) {
    EXPECT_FALSE(value_from_text("12x", edm_type::int32));
    EXPECT_FALSE(value_from_text("3000000000", edm_type::int32));
    EXPECT_FALSE(value_from_text("", edm_type::int64));
    EXPECT_FALSE(value_from_text("yes", edm_type::boolean));
}

TEST(command_type_guess, is_the_narrowest_type_of_all_values) {
    EXPECT_EQ(guess({"1", "-2"}), edm_type::int32);
    EXPECT_EQ(guess({"1", "5000000000"}), edm_type::int64);
    EXPECT_EQ(guess({"1", "1.5"}), edm_type::real);
    EXPECT_EQ(guess({"true", "false"}), edm_type::boolean);
    EXPECT_EQ(guess({"2024-01-02T03:04:05Z"}), edm_type::datetime);
    EXPECT_EQ(guess({"5f3c1f6e-7a0b-4d2c-9e8f-0123456789ab"}), edm_type::guid);
}

TEST(command_type_guess, is_text_where_another_type_would_lose_something) {
    EXPECT_EQ(guess({"007"}), edm_type::string);
    EXPECT_EQ(guess({"1", "x"}), edm_type::string);
    EXPECT_EQ(guess({"5000000000", "1.5"}), edm_type::string);
    EXPECT_EQ(guess({"true", "1"}), edm_type::string);
    EXPECT_EQ(guess({"+1"}), edm_type::string);
    EXPECT_EQ(guess({}), edm_type::string);
}

TEST(command_type_guess, is_text_for_a_number_that_a_double_would_round_and_for_codes) {
    for (auto const text : {"89014103211118510720", "10000000000000000000", "0.12345678901234567890", "12E5", "1e400",
                            "1234567890123456.7"})
        EXPECT_EQ(guess({text}), edm_type::string) << text;
    EXPECT_EQ(guess({"1.5", "89014103211118510720"}), edm_type::string);
}

TEST(command_type_guess, is_double_for_usual_numbers) {
    for (auto const text : {"12.50", "-0.1", "6.02E23", ".5", "-0", "0.30000000000000004", "1e-07",
                            "1234567.1000000000", "NaN", "100.0", "0.00000000000000000001"})
        EXPECT_EQ(guess({text}), edm_type::real) << text;
}

}  // namespace
}  // namespace tablemap::test

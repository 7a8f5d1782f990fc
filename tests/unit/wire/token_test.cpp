// SPDX-License-Identifier: Apache-2.0
#include "tablemap/detail/wire/token.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

namespace {

using namespace tablemap;
using namespace tablemap::detail;

json_token text(std::string_view t) { return {.kind = json_token_kind::text, .text = t}; }
json_token integer(std::int64_t i) { return {.kind = json_token_kind::integer, .integer = i}; }
json_token real(double d) { return {.kind = json_token_kind::real, .real = d}; }
json_token boolean(bool b) { return {.kind = json_token_kind::boolean, .boolean = b}; }

template <class V> std::optional<V> as(json_token const& t) {
    V v{};
    return assign(v, t) ? std::optional{v} : std::nullopt;
}

TEST(json_token, becomes_text_only_from_text) {
    EXPECT_EQ(as<std::string>(text("a")), "a");
    EXPECT_EQ(as<std::string>(integer(1)), std::nullopt);
    EXPECT_EQ(as<std::string>(boolean(true)), std::nullopt);
}

TEST(json_token, becomes_a_boolean_only_from_a_boolean) {
    EXPECT_EQ(as<bool>(boolean(true)), true);
    EXPECT_EQ(as<bool>(integer(1)), std::nullopt);
    EXPECT_EQ(as<bool>(text("true")), std::nullopt);
}

TEST(json_token, becomes_an_int32_only_from_an_integer_in_range) {
    EXPECT_EQ(as<std::int32_t>(integer(-2'147'483'648)), std::numeric_limits<std::int32_t>::min());
    EXPECT_EQ(as<std::int32_t>(integer(2'147'483'648)), std::nullopt);
    EXPECT_EQ(as<std::int32_t>(integer(-2'147'483'649)), std::nullopt);
    EXPECT_EQ(as<std::int32_t>(real(1.0)), std::nullopt);
    EXPECT_EQ(as<std::int32_t>(text("1")), std::nullopt);
}

TEST(json_token, becomes_an_int64_from_an_integer_or_from_digits_alone) {
    EXPECT_EQ(as<std::int64_t>(integer(5)), 5);
    EXPECT_EQ(as<std::int64_t>(text("-9223372036854775808")), std::numeric_limits<std::int64_t>::min());
    for (auto const* t : {"", "9223372036854775808", "1.0", " 1", "1 ", "+1", "0x1", "abc", "-"})
        EXPECT_EQ(as<std::int64_t>(text(t)), std::nullopt) << t;
    EXPECT_EQ(as<std::int64_t>(real(1.0)), std::nullopt);
}

TEST(json_token, becomes_a_double_from_any_number_and_three_texts) {
    EXPECT_EQ(as<double>(real(2.5)), 2.5);
    EXPECT_EQ(as<double>(integer(5)), 5.0);
    EXPECT_EQ(as<double>(text("Infinity")), std::numeric_limits<double>::infinity());
    EXPECT_EQ(as<double>(text("-Infinity")), -std::numeric_limits<double>::infinity());
    EXPECT_TRUE(std::isnan(as<double>(text("NaN")).value_or(0)));
    for (auto const* t : {"", "nan", "INF", "5.0", "+Infinity"}) EXPECT_EQ(as<double>(text(t)), std::nullopt) << t;
    EXPECT_EQ(as<double>(boolean(true)), std::nullopt);
}

TEST(json_token, becomes_a_time_guid_or_binary_only_from_its_text) {
    EXPECT_EQ(as<ticks>(text("0001-01-01T00:00:00Z")), ticks{});
    EXPECT_EQ(as<ticks>(integer(0)), std::nullopt);
    EXPECT_EQ(as<guid>(text("00000000-0000-0000-0000-000000000000")), guid{});
    EXPECT_EQ(as<guid>(text("")), std::nullopt);
    EXPECT_EQ(as<bytes>(text("")), bytes{});
    EXPECT_EQ(as<bytes>(text("AQ=")), std::nullopt);
}

TEST(json_token, fills_an_optional) {
    std::optional<std::int32_t> v;
    EXPECT_TRUE(assign(v, integer(3)));
    EXPECT_EQ(v, 3);
    EXPECT_FALSE(assign(v, text("3")));
}

TEST(json_token, tells_a_type_by_its_kind) {
    EXPECT_EQ(guess_type(text("1")), edm_type::string);
    EXPECT_EQ(guess_type(boolean(false)), edm_type::boolean);
    EXPECT_EQ(guess_type(real(1)), edm_type::real);
    EXPECT_EQ(guess_type(integer(2'147'483'647)), edm_type::int32);
    EXPECT_EQ(guess_type(integer(2'147'483'648)), edm_type::int64);
}

}  // namespace

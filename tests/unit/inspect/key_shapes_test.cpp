// SPDX-License-Identifier: Apache-2.0
#include "inspect/key_shapes.hpp"

#include "tablemap/detail/keys/text.hpp"
#include "tablemap/mapping/dynamic.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace tablemap::test {
namespace {

using inspect::key_shape;
using inspect::key_shape_part;

/// A part as the schema language would have it, for comparison.
std::string text_of_part(key_shape_part const& p) {
    using inspect::text_form;
    static constexpr std::array<char const*, 9> kinds{"",       "text", "flag", "int32", "int64",
                                                      "uint64", "real", "time", "id"};
    static constexpr std::array<char const*, 6> forms{"", " width", " ordered", " escaped", " hashed", " spread"};
    if (p.kind == inspect::value_kind::literal) return "'" + p.literal + "'";
    std::string text = kinds[static_cast<std::size_t>(p.kind)];
    text += forms[static_cast<std::size_t>(p.form)];
    if (p.number > 0) text += " " + std::to_string(p.number);
    if (p.descending) text += " descending";
    if (!p.property.empty()) text += " =" + p.property;
    if (p.same_as) text += " as " + std::to_string(*p.same_as);
    return text;
}

std::string text_of_shape(key_shape const& shape) {
    std::string text;
    for (auto const& p : shape) text += (text.empty() ? "" : ", ") + text_of_part(p);
    return text;
}

std::vector<dynamic_entity> rows_of(std::vector<std::string> const& row_keys) {
    std::vector<dynamic_entity> rows;
    for (auto const& key : row_keys) rows.emplace_back("p", key);
    return rows;
}

/// The shape of these row keys.
std::string shape_of(std::vector<std::string> const& row_keys, std::string const& beginning = {}) {
    auto const rows = rows_of(row_keys);
    auto const shapes = inspect::find_key_shapes(rows, {true, beginning});
    for (auto const& row : rows) EXPECT_TRUE(inspect::fits(shapes, row)) << row.row_key;
    return text_of_shape(shapes.row);
}

TEST(key_shapes, literal_stands_before_numbers_of_fixed_width) {
    EXPECT_EQ(shape_of({"empid_000212", "empid_000213"}), "'empid_', int32 width 6");
    EXPECT_EQ(shape_of({"k0001", "k0002"}), "'k', int32 width 4");
    EXPECT_EQ(shape_of({"empid_000212"}), "'empid_', int32 width 6");
    EXPECT_EQ(shape_of({"000000000017", "000000000018"}), "int64 width 12");
    EXPECT_EQ(shape_of({"00000000000000000017", "18446744073709551615"}), "uint64 width 20");
}

TEST(key_shapes, numbers_without_leading_zeros_are_plain) {
    EXPECT_EQ(shape_of({"17", "212", "-3"}), "int64");
    EXPECT_EQ(shape_of({"2023", "2024"}), "int64");
    EXPECT_EQ(shape_of({"17", "007"}), "text");
    EXPECT_EQ(shape_of({"17", "18446744073709551615"}), "text");
}

TEST(key_shapes, ordered_numbers_are_those_near_the_middle) {
    EXPECT_EQ(shape_of({"2147483690", "2147483606", "2147483649"}), "int32 ordered");
    EXPECT_EQ(shape_of({"2147483605", "2147483604"}), "int32 descending");
    EXPECT_EQ(shape_of({"09223372036854775850", "09223372036854775851"}), "int64 ordered");
    EXPECT_EQ(shape_of({"09223372036854775765", "09223372036854775764"}), "int64 descending");
    EXPECT_EQ(shape_of({"0000000042", "9999999999"}), "int64 width 10");
}

TEST(key_shapes, ticks_are_times_of_our_days) {
    EXPECT_EQ(shape_of({"0630822816000000000", "0638446752000000000"}), "time");
    EXPECT_EQ(shape_of({"2524556159999999999", "2516932223999999999"}), "time descending");
    EXPECT_EQ(shape_of({"0000000000000000001", "0630822816000000000"}), "int64 width 19");
}

TEST(key_shapes, guids_and_texts_follow_their_separators) {
    EXPECT_EQ(shape_of({"2524556159999999999_00000000-0000-4000-8000-000000000001",
                        "2516932223999999999_00000000-0000-4000-8000-000000000002"}),
              "time descending, '_', id");
    EXPECT_EQ(shape_of({"0017_d7", "0018_d17"}), "int32 width 4, '_', text");
    EXPECT_EQ(shape_of({"north-2024", "south-east-2025", "west-2024"}), "text");
    EXPECT_EQ(shape_of({"north-2024", "south-2025"}), "text, '-', int64");
}

TEST(key_shapes, text_that_looks_like_numbers_stays_text) {
    EXPECT_EQ(shape_of({"2024-02-28", "2024-02-29"}), "text");
    EXPECT_EQ(shape_of({"10.0.0.1", "10.0.0.2"}), "text");
    EXPECT_EQ(shape_of({"10:15:00", "08:15:00"}), "text");
    EXPECT_EQ(shape_of({"00ff", "01aa"}), "text");
}

TEST(key_shapes, escaped_text_ends_itself) {
    EXPECT_EQ(shape_of({"Bonn !059", "Bad zEms !003"}), "text escaped, int32 width 3");
    EXPECT_EQ(shape_of({"a.1b zc", "x"}), "text escaped");
    EXPECT_EQ(shape_of({"ffb7ff96~", "ffb7~"}), "text descending");
}

TEST(key_shapes, words_are_literals_of_constant_keys) {
    EXPECT_EQ(shape_of({"department", "department"}), "'department'");
    EXPECT_EQ(shape_of({"department"}), "text");
    EXPECT_EQ(shape_of({"Don", "Eva"}), "text");
    EXPECT_EQ(shape_of({"leave_034", "leave_x"}, "leave_"), "'leave_', text");
}

TEST(key_shapes, empty_keys_are_text) {
    EXPECT_EQ(shape_of({"", ""}), "''");
    EXPECT_EQ(shape_of({"", "a"}), "text");
}

TEST(key_shapes, any_bytes_are_text) {
    EXPECT_EQ(shape_of({"~", "~~"}), "text");
    EXPECT_EQ(shape_of({"\xC3\xBC_\xC3\xA4", "\xC3\xA4_\xC3\xB6"}), "text, '_', text");
    EXPECT_EQ(shape_of({std::string(512, '_'), "_"}), "text");
    std::string many;
    for (int i = 0; i < 100; ++i) many += "a_";
    EXPECT_THAT(shape_of({many + "b", many + "c"}), ::testing::StartsWith("'a_a_"));
}

/// Rows with one property.
template <class Value>
std::vector<dynamic_entity> with_property(std::vector<std::pair<std::string, Value>> const& all) {
    std::vector<dynamic_entity> rows;
    for (auto const& [key, value] : all) rows.emplace_back("p", key).set("x", value);
    return rows;
}

std::string row_shape(std::vector<dynamic_entity> const& rows) {
    auto const shapes = inspect::find_key_shapes(rows, {});
    for (auto const& row : rows) EXPECT_TRUE(inspect::fits(shapes, row)) << row.row_key;
    return text_of_shape(shapes.row);
}

TEST(key_shapes, part_with_the_value_of_a_property_has_its_type) {
    EXPECT_EQ(row_shape(with_property<std::int32_t>({{"id_17", 17}, {"id_18", 18}})), "'id_', int32 =x");
    EXPECT_EQ(row_shape(with_property<std::int64_t>({{"0017", 17}, {"0018", 18}})), "int64 width 4 =x");
    EXPECT_EQ(row_shape(with_property<std::int32_t>({{"9982", 17}, {"9981", 18}})), "int32 width 4 descending =x");
    EXPECT_EQ(row_shape(with_property<std::string>({{"212", "212"}, {"213", "213"}})), "text =x");
    EXPECT_EQ(row_shape(with_property<double>({{"bff8000000000000", 1.5}, {"c000000000000000", 2}})),
              "real ordered =x");
    EXPECT_EQ(row_shape(with_property<std::string>({{"c606630fe7238572", "Sales"}})), "text hashed =x");
}

TEST(key_shapes, equal_numbers_of_single_rows_are_chance) {
    EXPECT_EQ(row_shape(with_property<std::int32_t>({{"17", 17}})), "int64");
    EXPECT_EQ(row_shape(with_property<std::int32_t>({{"17", 17}, {"18", 19}})), "int64");
    EXPECT_EQ(row_shape(with_property<bool>({{"1", true}, {"0", false}})), "int64");
}

TEST(key_shapes, numbers_of_a_digit_that_are_equal_in_two_rows_are_chance) {
    EXPECT_EQ(row_shape(with_property<std::int32_t>({{"1", 1}, {"2", 2}})), "int64");
    EXPECT_EQ(row_shape(with_property<std::int32_t>({{"1", 1}, {"2", 2}, {"3", 3}})), "int32 =x");
}

TEST(key_shapes, bucket_is_that_of_a_part_of_the_row_key) {
    std::vector<dynamic_entity> rows;
    for (int i = 0; i < 40; ++i) {
        auto const device = "d" + std::to_string(i);
        auto const bucket = detail::hash_of_text(device) % 16;
        rows.emplace_back("day_" + std::string{bucket < 10 ? "0" : ""} + std::to_string(bucket), "0001_" + device);
    }
    auto const shapes = inspect::find_key_shapes(rows, {});
    EXPECT_EQ(text_of_shape(shapes.partition), "'day_', text spread 16 as 4");
    EXPECT_EQ(text_of_shape(shapes.row), "int32 width 4, '_', text");
}

TEST(key_shapes, value_in_both_keys_is_one_member) {
    std::vector<dynamic_entity> rows;
    for (auto const* p : {"a", "b", "c"}) rows.emplace_back(p, std::string{p} + "_1");
    auto const shapes = inspect::find_key_shapes(rows, {});
    EXPECT_EQ(text_of_shape(shapes.row), "text as 0, '_', int64");
    EXPECT_FALSE(inspect::fits(shapes, {"a", "b_1"}));
}

TEST(key_shapes, few_keys_do_not_tell_those_that_were_not_read) {
    auto const shapes = inspect::find_key_shapes(rows_of({"log_1", "log_2"}), {false, {}});
    EXPECT_EQ(text_of_shape(shapes.row), "text");
    EXPECT_EQ(text_of_shape(shapes.partition), "text");
}

TEST(key_shapes, row_that_does_not_fit_is_told) {
    auto const shapes = inspect::find_key_shapes(with_property<std::int32_t>({{"id_17", 17}, {"id_18", 18}}), {});
    dynamic_entity other{"p", "id_19"};
    EXPECT_FALSE(inspect::fits(shapes, other));
    other.set("x", std::int64_t{19});
    EXPECT_FALSE(inspect::fits(shapes, other));
    other.set("x", std::int32_t{20});
    EXPECT_FALSE(inspect::fits(shapes, other));
    other.set("x", std::int32_t{19});
    EXPECT_TRUE(inspect::fits(shapes, other));
}

}  // namespace
}  // namespace tablemap::test

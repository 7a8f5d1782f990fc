// SPDX-License-Identifier: Apache-2.0
#include "testing/contract/fixture.hpp"
#include "testing/contract/suites.hpp"

#include <limits>

namespace tablemap::inline v0_1::testing::contract {
namespace {

using enum filter::comparison_operator;
using texts = std::vector<std::string>;

class seam_filters : public seam {
protected:
    texts matching(filter::expression const& where) { return as_given(row_keys(table().all({.where = &where}))); }

    void put_values(property_value low, property_value middle, property_value high) {
        ASSERT_TRUE(carried_out(table().insert(entity("p", "1", {{"V", std::move(low)}}))));
        ASSERT_TRUE(carried_out(table().insert(entity("p", "2", {{"V", std::move(middle)}}))));
        ASSERT_TRUE(carried_out(table().insert(entity("p", "3", {{"V", std::move(high)}}))));
        ASSERT_TRUE(carried_out(table().insert(entity("p", "without"))));
    }

    /// Every operator against the middle one of three values in order.
    void expect_ordered(property_value low, property_value middle, property_value high) {
        auto const against = [&](filter::comparison_operator op) {
            return matching(filter::comparison{"V", op, middle});
        };
        put_values(std::move(low), middle, std::move(high));
        EXPECT_EQ(against(eq), (texts{"2"}));
        EXPECT_EQ(against(ne), (texts{"1", "3"}));
        EXPECT_EQ(against(lt), (texts{"1"}));
        EXPECT_EQ(against(le), (texts{"1", "2"}));
        EXPECT_EQ(against(gt), (texts{"3"}));
        EXPECT_EQ(against(ge), (texts{"2", "3"}));
    }
};
TABLEMAP_CONTRACT_SUITE(seam_filters);

filter::expression is(std::string name, property_value v) {
    return filter::comparison{std::move(name), eq, std::move(v)};
}

TEST_P(seam_filters, strings_compare_by_every_operator) { expect_ordered("", "it's", "\xF0\x9F\x98\x80"); }

TEST_P(seam_filters, strings_compare_by_utf16_code_units) { expect_ordered("z", "\xF0\x9F\x98\x80", "\xEF\xBF\xBF"); }

TEST_P(seam_filters, integers_of_32_bits_compare_by_every_operator) {
    expect_ordered(std::numeric_limits<std::int32_t>::min(), -5, std::numeric_limits<std::int32_t>::max());
}

TEST_P(seam_filters, integers_of_64_bits_compare_by_every_operator) {
    expect_ordered(std::int64_t{-9}, std::int64_t{9007199254740992}, std::int64_t{9007199254740993});
}

TEST_P(seam_filters, doubles_compare_by_every_operator) { expect_ordered(-1.5, 5.0, 1e20); }

TEST_P(seam_filters, times_compare_by_every_operator) {
    TABLEMAP_SKIP_IF(compares_milliseconds);
    auto const t = ticks::parse("2024-01-01T00:00:00.1234567Z").value();
    expect_ordered(t - tick_duration{1}, t, t + tick_duration{1});
}

TEST_P(seam_filters, guids_compare_by_every_operator) {
    TABLEMAP_SKIP_IF(compares_text_of_values);
    expect_ordered(guid{}, guid::from_random(0x80, 0), guid::from_random(0xFF00, 0));
}

TEST_P(seam_filters, binaries_compare_by_every_operator) {
    TABLEMAP_SKIP_IF(compares_text_of_values);
    expect_ordered(bytes{}, bytes{std::byte{1}, std::byte{2}}, bytes{std::byte{0xFF}});
}

TEST_P(seam_filters, guids_and_binaries_compare_for_equality) {
    auto const g = guid::from_random(1, 2);
    auto const b = bytes{std::byte{1}, std::byte{0xAB}};
    ASSERT_TRUE(carried_out(table().insert(entity("p", "r", {{"G", g}, {"B", b}}))));
    ASSERT_TRUE(carried_out(table().insert(entity("p", "s", {{"G", guid{}}, {"B", bytes{}}}))));
    EXPECT_EQ(matching(is("G", g)), (texts{"r"}));
    EXPECT_EQ(matching(is("B", b)), (texts{"r"}));
}

TEST_P(seam_filters, booleans_compare_for_equality) {
    ASSERT_TRUE(carried_out(table().insert(entity("p", "no", {{"V", false}}))));
    ASSERT_TRUE(carried_out(table().insert(entity("p", "yes", {{"V", true}}))));
    EXPECT_EQ(matching(is("V", true)), (texts{"yes"}));
    EXPECT_EQ(matching(is("V", false)), (texts{"no"}));
}

TEST_P(seam_filters, conjunction_disjunction_and_negation_combine) {
    for (int i = 0; i < 4; ++i)
        ASSERT_TRUE(carried_out(table().insert(entity("p", std::to_string(i), {{"A", i % 2}, {"B", i / 2}}))));
    EXPECT_EQ(matching(is("A", 1) && is("B", 1)), (texts{"3"}));
    EXPECT_EQ(matching(is("A", 1) || is("B", 1)), (texts{"1", "2", "3"}));
    EXPECT_EQ(matching(!is("A", 1)), (texts{"0", "2"}));
    EXPECT_EQ(matching(!(is("A", 1) || is("B", 1)) || (is("A", 1) && !is("B", 0))), (texts{"0", "3"}));
}

TEST_P(seam_filters, an_entity_without_the_property_matches_no_comparison) {
    ASSERT_TRUE(carried_out(table().insert(entity("p", "without"))));
    for (auto const op : {eq, ne, lt, le, gt, ge}) EXPECT_TRUE(matching(filter::comparison{"V", op, 5}).empty());
    EXPECT_EQ(matching(!is("V", 5)), (texts{"without"}));
}

TEST_P(seam_filters, a_property_of_another_type_does_not_match) {
    TABLEMAP_SKIP_IF(compares_within_integer_type);
    put_values(5, true, "5");
    EXPECT_EQ(matching(is("V", 5)), (texts{"1"}));
    EXPECT_EQ(matching(is("V", true)), (texts{"2"}));
    EXPECT_EQ(matching(is("V", "5")), (texts{"3"}));
}

TEST_P(seam_filters, numbers_of_any_type_compare_by_value) {
    TABLEMAP_SKIP_IF(compares_within_integer_type);
    put_values(4, std::int64_t{5}, 5.5);
    EXPECT_EQ(matching(is("V", 5)), (texts{"2"}));
    EXPECT_EQ(matching(is("V", 5.0)), (texts{"2"}));
    EXPECT_EQ(matching(filter::comparison{"V", lt, std::int64_t{6}}), (texts{"1", "2", "3"}));
    EXPECT_EQ(matching(filter::comparison{"V", gt, 4.5}), (texts{"2", "3"}));
}

TEST_P(seam_filters, keys_and_timestamp_are_properties) {
    put_rows("p", {"1", "2"});
    put_rows("q", {"1"});
    EXPECT_EQ(matching(is("PartitionKey", "q")), (texts{"1"}));
    EXPECT_EQ(matching(is("PartitionKey", "p") && is("RowKey", "2")), (texts{"2"}));
    EXPECT_EQ(matching(filter::comparison{"Timestamp", gt, ticks::min()}).size(), 3u);
    EXPECT_TRUE(matching(filter::comparison{"Timestamp", gt, ticks::max()}).empty());
}

TEST_P(seam_filters, values_with_quotes_and_special_characters_are_found) {
    texts const values = {"it's", "''", "100%", "a+b&c=d", "x' or 'a' eq 'a", "\"", "\\"};
    for (std::size_t i = 0; i < values.size(); ++i)
        ASSERT_TRUE(carried_out(table().insert(entity("p", std::to_string(i), {{"V", values[i]}}))));
    for (std::size_t i = 0; i < values.size(); ++i)
        EXPECT_EQ(matching(is("V", values[i])), (texts{std::to_string(i)})) << values[i];
}

TEST_P(seam_filters, a_filter_works_within_bounds_and_pages) {
    for (int i = 0; i < 30; ++i) {
        auto const row = std::to_string(100 + i);
        ASSERT_TRUE(carried_out(table().insert(entity("p", row, {{"V", i % 3}}))));
    }
    auto const where = is("V", 0);
    auto const found = table().all(
        {.partition = key_bounds::exactly("p"), .row = {.from = "110", .to = "120"}, .where = &where, .top = 2});
    EXPECT_EQ(as_given(row_keys(found)), (texts{"112", "115", "118"}));
}

TEST_P(seam_filters, rare_matches_are_found_behind_many_others) {
    for (int g = 0; g < 25; ++g) {
        std::vector<dynamic_entity> group;
        group.reserve(100);
        for (int i = 0; i < 100; ++i) group.push_back(entity("p", std::to_string(10'000 + g * 100 + i), {{"V", g}}));
        put_all(group);
    }
    ASSERT_TRUE(carried_out(table().insert(entity("p", "last", {{"V", -1}}))));
    EXPECT_EQ(matching(is("V", -1)), (texts{"last"}));
}

}  // namespace

void link_filters() {}

}  // namespace tablemap::testing::contract

// SPDX-License-Identifier: Apache-2.0
#include "inspect/table_survey.hpp"

#include "tablemap/mapping/dynamic.hpp"
#include "tablemap/open.hpp"
#include "tablemap/table/table.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <tuple>
#include <utility>

namespace tablemap::test {
namespace {

using ::testing::Contains;
using ::testing::Pair;

std::string six_digits(int n) {
    auto const digits = std::to_string(n);
    return std::string(6 - digits.size(), '0') + digits;
}

TEST(row_survey, counts_types_of_properties) {
    inspect::row_survey survey{{}};
    for (int i = 0; i < 3; ++i) {
        dynamic_entity row{"p", std::to_string(i)};
        row.set("x", std::int32_t{i});
        if (i > 0) row.set("y", i > 1);
        survey.add(std::move(row));
    }
    auto const made = survey.finish(true);
    ASSERT_EQ(made.kinds.size(), 1u);
    auto const& properties = made.kinds[0].properties;
    ASSERT_EQ(properties.size(), 2u);
    EXPECT_EQ(properties[0].rows[static_cast<std::size_t>(edm_type::int32)], 3u);
    EXPECT_EQ(properties[1].total(), 2u);
}

TEST(row_survey, companions_are_of_no_kind) {
    inspect::row_survey survey{{}};
    survey.add({"p", "~outbox_head"});
    survey.add({"p", "~guard_x"});
    auto const made = survey.finish(true);
    EXPECT_TRUE(made.kinds.empty());
    EXPECT_THAT(made.companions, Contains(Pair("rows of the outbox", 1u)));
}

TEST(row_survey, rows_behind_those_that_are_kept_are_compared) {
    inspect::row_survey survey{{}};
    for (int i = 0; i < 20'500; ++i) survey.add({"p" + std::to_string(i % 50), "id_" + six_digits(i)});
    survey.add({"p", "id_later"});
    auto const made = survey.finish(true);
    EXPECT_EQ(made.kinds[0].rows, 20'501u);
    EXPECT_EQ(made.kinds[0].examples.size(), 20'000u);
    ASSERT_EQ(made.kinds[0].keys.row.size(), 1u);
    EXPECT_EQ(made.kinds[0].keys.row[0].kind, inspect::value_kind::text);
}

dynamic_entity reading(int n) {
    dynamic_entity row{"p" + std::to_string(n % 50), six_digits(n)};
    row.set("celsius", 0.5 * n);
    return row;
}

dynamic_entity mark() {
    dynamic_entity row{"mark", "mark"};
    row.set("id", std::string{"a"});
    return row;
}

/// Readings and one other row, at this place.
inspect::table_survey survey_with_mark(int readings, int at) {
    inspect::row_survey survey{{}};
    for (int i = 0; i < readings; ++i) {
        if (i == at) survey.add(mark());
        survey.add(reading(i));
    }
    if (at == readings) survey.add(mark());
    return survey.finish(true);
}

TEST(row_survey, odd_row_leaves_the_others_as_they_are) {
    for (auto const& [readings, at] : {std::pair{60, 0}, {60, 60}, {20'100, 20'100}}) {
        auto const made = survey_with_mark(readings, at);
        ASSERT_EQ(made.kinds.size(), 2u) << at;
        auto const& [odd, most] = std::tie(made.kinds[at == 0 ? 0 : 1], made.kinds[at == 0 ? 1 : 0]);
        EXPECT_EQ(odd.rows, 1u);
        EXPECT_EQ(most.properties.size(), 1u);
        EXPECT_EQ(most.keys.row[0].kind, inspect::value_kind::int32);
    }
}

TEST(row_survey, many_unlike_rows_later_are_of_one_kind_with_the_others) {
    inspect::row_survey survey{{}};
    for (int i = 0; i < 20'100; ++i) survey.add(reading(i));
    for (int i = 0; i < 500; ++i) survey.add(mark());
    auto const made = survey.finish(true);
    ASSERT_EQ(made.kinds.size(), 2u);
    EXPECT_EQ(made.kinds[1].rows, 402u);
    EXPECT_EQ(made.kinds[0].keys.row[0].kind, inspect::value_kind::text);
}

TEST(row_survey, kind_that_comes_later_is_of_its_own) {
    inspect::row_survey survey{"EntityType"};
    for (int i = 0; i < 20'700; ++i) {
        dynamic_entity row{"p" + std::to_string(i), "id_" + six_digits(i)};
        row.set("EntityType", i < 20'000 ? "early" : "late");
        survey.add(std::move(row));
    }
    auto const made = survey.finish(true);
    ASSERT_EQ(made.kinds.size(), 2u);
    EXPECT_EQ(made.kinds[1].type, "late");
    EXPECT_EQ(made.kinds[1].examples.size(), 500u);
    EXPECT_EQ(made.kinds[1].keys.row.size(), 2u);
}

TEST(row_survey, memory_of_kinds_that_come_later_is_bounded) {
    inspect::row_survey survey{"EntityType"};
    for (int i = 0; i < 20'000; ++i) survey.add({"p", six_digits(i)});
    for (int i = 0; i < 1'000; ++i) {
        dynamic_entity row{"q", six_digits(i)};
        row.set("EntityType", i < 500 ? "first" : "second");
        for (int n = 0; n < 45; ++n) row.set("x" + std::to_string(n), std::string(2'000, 'x'));
        survey.add(std::move(row));
    }
    auto const made = survey.finish(true);
    ASSERT_EQ(made.kinds.size(), 3u);
    EXPECT_EQ(made.kinds[1].examples.size(), 500u);
    EXPECT_LT(made.kinds[2].examples.size(), 400u);
    EXPECT_EQ(made.kinds[2].rows, 500u);
}

TEST(row_survey, memory_is_bounded) {
    inspect::row_survey survey{"EntityType"};
    for (int i = 0; i < 3'000; ++i) {
        dynamic_entity row{"p", std::to_string(i)};
        row.set("EntityType", std::to_string(i));
        for (int n = 0; n < 10; ++n) row.set("x" + std::to_string(10 * i + n), std::string(3'000, 'x'));
        survey.add(std::move(row));
    }
    auto const made = survey.finish(true);
    EXPECT_EQ(made.kinds.size(), 100u);
    EXPECT_EQ(made.unassigned, 2'900u);
    for (auto const& p : made.kinds[0].examples[0].properties())
        EXPECT_LE(std::get<std::string>(p.value).size(), 2'048u);
}

TEST(table_survey, limit_ends_the_reading) {
    table<dynamic_entity> const t{open("embedded::memory:"), "Rows"};
    t.create();
    for (int i = 0; i < 5; ++i) t.insert({"p", std::to_string(i)});
    auto const store = detail::table_internals::state(t).store;
    EXPECT_FALSE(inspect::survey_table(store, "Rows", {.rows = 4}).complete);
    EXPECT_TRUE(inspect::survey_table(store, "Rows", {.rows = 5}).complete);
    EXPECT_EQ(inspect::survey_table(store, "Rows", {.rows = 1, .exact = true}).rows, 5u);
}

}  // namespace
}  // namespace tablemap::test

// SPDX-License-Identifier: Apache-2.0
#include "tablemap/query/plan.hpp"

#include "tablemap/query/field.hpp"

#include <gmock/gmock.h>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace tablemap {
namespace {

using detail::make_plan;
using detail::matches_nothing;
using detail::planned_query;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::StartsWith;

std::vector<std::string> const sales{"Sales"};
capabilities const ordered{.name = "test"};
capabilities const unordered{.name = "test", .ordered_results = false};

query_plan plan_of(planned_query const& q, capabilities const& can = ordered) { return make_plan(q, can).value(); }

filter::expression expression(condition<dynamic_entity> const& c) { return c.expression(); }

bool is_void(condition<dynamic_entity> const& c) { return matches_nothing(c.expression()); }

// ---- rows read ------------------------------------------------------------------------------------------------------

TEST(query_plan, of_both_keys_is_a_point) {
    auto const p = plan_of({.partitions = sales, .rows = key_bounds::exactly("000200")});
    EXPECT_EQ(p.reads, query_plan::kind::point);
    EXPECT_EQ(p.text(), "point read of one row\n"
                        "filter: (PartitionKey eq 'Sales') and (RowKey eq '000200')\n"
                        "select: all properties\n");
}

TEST(query_plan, of_a_row_range_says_keys_and_filter_as_one_text) {
    auto const where = expression(column("Age") >= 30);
    std::vector<std::string_view> const select{"Email", "Age"};
    auto const p =
        plan_of({.partitions = sales, .rows = {.from = "000200", .to = "000300"}, .where = &where, .select = select});
    EXPECT_EQ(p.reads, query_plan::kind::row_range);
    EXPECT_EQ(p.text(), "row range in one partition\n"
                        "filter: (PartitionKey eq 'Sales') and (RowKey ge '000200') and (RowKey lt '000300') and "
                        "(Age ge 30)\n"
                        "select: Email, Age\n");
}

TEST(query_plan, of_a_partition) {
    auto const p = plan_of({.partitions = sales});
    EXPECT_EQ(p.reads, query_plan::kind::partition);
    EXPECT_THAT(p.warnings, IsEmpty());
    EXPECT_EQ(p.text(), "all of one partition\nfilter: (PartitionKey eq 'Sales')\nselect: all properties\n");
}

TEST(query_plan, of_a_scan_warns) {
    auto const where = expression(column("Age") > 60);
    auto const p = plan_of({.where = &where});
    EXPECT_EQ(p.reads, query_plan::kind::scan);
    EXPECT_EQ(p.text(), "scan of the whole table\nfilter: Age gt 60\nselect: all properties\n"
                        "warning: every row of the table is read, since no partition is given\n");
    EXPECT_THAT(plan_of({}).text(), StartsWith("scan of the whole table\nfilter: none\n"));
}

TEST(query_plan, of_rows_that_are_spread_says_how_many_partitions_are_read) {
    std::vector<std::string> const buckets{"north_0", "north_1", "north_2"};
    auto const p = plan_of({.partitions = buckets, .spread = true, .rows = key_bounds::exactly("x")});
    EXPECT_EQ(p.reads, query_plan::kind::row_range);
    EXPECT_EQ(p.text(), "row range in 3 partitions\n"
                        "filter: (PartitionKey eq 'north_0') and (RowKey eq 'x') (of the first partition)\n"
                        "select: all properties\n"
                        "warning: 3 partitions are read, one for each bucket that rows are spread over\n");
}

TEST(query_plan, of_partitions_that_were_listed_does_not_warn_of_them) {
    std::vector<std::string> const listed{"a", "b"};
    EXPECT_THAT(plan_of({.partitions = listed}).warnings, IsEmpty());
}

// ---- warnings -------------------------------------------------------------------------------------------------------

TEST(query_plan, warns_of_a_store_without_order_unless_one_row_is_read) {
    EXPECT_THAT(plan_of({.partitions = sales}, unordered).warnings,
                ElementsAre("this store answers in no order of keys"));
    EXPECT_THAT(plan_of({.partitions = sales, .rows = key_bounds::exactly("")}, unordered).warnings, IsEmpty());
}

TEST(query_plan, warns_of_row_keys_that_are_joined_by_or) {
    auto const where = expression(column("RowKey") == "a" || (column("RowKey") == "b" && column("A") == 1));
    EXPECT_THAT(plan_of({.partitions = sales, .where = &where}).warnings,
                ElementsAre(StartsWith("the filter compares RowKey below or")));
    auto const narrowing = expression(column("RowKey") >= "a" && column("RowKey") < "b");
    EXPECT_THAT(plan_of({.partitions = sales, .where = &narrowing}).warnings, IsEmpty());
    auto const inverted = expression(!(column("RowKey") == "a"));
    EXPECT_EQ(plan_of({.partitions = sales, .where = &inverted}).warnings.size(), 1U);
}

TEST(query_plan, warns_of_a_partition_in_the_filter) {
    auto const where = expression(column("PartitionKey") == "Sales");
    EXPECT_THAT(plan_of({.where = &where}).warnings,
                ElementsAre(StartsWith("every row"), StartsWith("the filter compares PartitionKey")));
}

TEST(query_plan, warns_of_more_comparisons_than_the_service_takes) {
    auto c = column("A") == 0;
    for (int i = 1; i < 12; ++i) c = c || column("A") == i;
    auto const twelve = c.expression(), thirteen = (c || column("A") == 12).expression();
    key_bounds const rows{.from = "a", .to = "b"};
    EXPECT_THAT(plan_of({.partitions = sales, .rows = rows, .where = &twelve}).warnings, IsEmpty());
    EXPECT_THAT(plan_of({.partitions = sales, .rows = rows, .where = &thirteen}).warnings,
                ElementsAre("the filter has 16 comparisons, those of the keys among them; the service takes 15"));
}

TEST(query_plan, warns_of_what_matches_nothing) {
    EXPECT_THAT(plan_of({.partitions = sales, .rows = {.from = "b", .to = "b"}}).warnings,
                ElementsAre("no row matches: the range of row keys is empty"));
    auto const where = expression(column("A") > 5 && column("A") < 5);
    EXPECT_THAT(plan_of({.partitions = sales, .where = &where}).warnings,
                ElementsAre("no row matches: comparisons of one property exclude each other"));
}

TEST(query_plan, is_refused_for_what_has_no_text) {
    filter::expression const where =
        filter::comparison{"A", filter::comparison_operator::eq, std::numeric_limits<double>::infinity()};
    auto const p = make_plan({.partitions = sales, .where = &where}, ordered);
    ASSERT_FALSE(p);
    EXPECT_EQ(p.error().code(), library_errc::unsupported);
}

// ---- empty results --------------------------------------------------------------------------------------------------

TEST(matches_nothing, of_comparisons_that_exclude_each_other) {
    EXPECT_TRUE(is_void(column("A") == 1 && column("A") == 2));
    EXPECT_TRUE(is_void(column("A") == 1 && column("A") != 1));
    EXPECT_TRUE(is_void(column("A") < 1 && column("A") > 2));
    EXPECT_TRUE(is_void(column("A") <= 1 && column("A") == 2));
    EXPECT_TRUE(is_void(column("A") == "a" && column("A") > "a"));
    EXPECT_TRUE(is_void(column("A") == 1 && column("A") == std::int64_t{1}));
    EXPECT_TRUE(is_void(column("A") > 3 && column("B") == 1 && column("A") < 3));
}

TEST(matches_nothing, is_not_said_of_what_may_match) {
    EXPECT_FALSE(is_void(column("A") == 1));
    EXPECT_FALSE(is_void(column("A") <= 1 && column("A") >= 1));
    EXPECT_FALSE(is_void(column("A") > 1 && column("A") < 3));
    EXPECT_FALSE(is_void(column("A") != 1 && column("A") != 2));
    EXPECT_FALSE(is_void(column("A") == 1 && column("B") == 2));
    EXPECT_FALSE(is_void(column("A") == 1 || column("A") == 2));
    EXPECT_FALSE(is_void(!(column("A") == 1) && column("A") == 1));
}

TEST(matches_nothing, of_a_disjunction_if_neither_side_can_match) {
    auto const none = column("A") == 1 && column("A") == 2;
    EXPECT_TRUE(is_void(none || none));
    EXPECT_TRUE(is_void(column("B") == 1 && (none || none)));
    EXPECT_FALSE(is_void(none || column("A") == 1));
}

TEST(matches_nothing, compares_text_as_the_service_does) {
    EXPECT_TRUE(is_void(column("A") >= "\uE000" && column("A") < "\U00010000"));
    EXPECT_FALSE(is_void(column("A") >= "\U00010000" && column("A") < "\uE000"));
}

}  // namespace
}  // namespace tablemap

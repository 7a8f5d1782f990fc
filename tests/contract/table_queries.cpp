// SPDX-License-Identifier: Apache-2.0
#include "contract/table_fixture.hpp"

#include "tablemap/testing/faulty_store.hpp"

namespace tablemap::test {
namespace {

class table_queries : public employees_test {};
TABLEMAP_ON_EVERY_STORE(table_queries);

TEST_P(table_queries, a_partition_gives_its_entities_in_key_order_and_no_others) {
    insert_ids("Sales", 5, 9);
    insert_ids("Sale", 1, 3);
    insert_ids("Sales2", 1, 3);
    EXPECT_EQ(ids(employees().query(partition("Sales"))), counting(5, 9));
}

TEST_P(table_queries, an_empty_partition_gives_nothing) {
    EXPECT_TRUE(ids(employees().query(partition("None"))).empty());
}

TEST_P(table_queries, a_row_range_takes_its_beginning_and_leaves_its_end) {
    insert_ids("Sales", 95, 105);
    EXPECT_EQ(ids(employees().query(partition("Sales"), row_range(98, 102))), counting(98, 102));
    EXPECT_TRUE(ids(employees().query(partition("Sales"), row_range(98, 98))).empty());
    EXPECT_TRUE(ids(employees().query(partition("Sales"), row_range(102, 98))).empty());
}

TEST_P(table_queries, rows_of_other_types_in_the_partition_are_passed_over) {
    insert_ids("Sales", 1, 4);
    tablemap::table<department_head> heads{shared_store(), table().table()};
    heads.insert({.department = "Sales", .name = "Jun"});
    EXPECT_EQ(ids(employees().query(partition("Sales"))), counting(1, 4));
    EXPECT_EQ(heads.find("Sales")->value.name, "Jun");
}

TEST_P(table_queries, a_range_goes_on_over_pages) {
    insert_ids("Sales", 0, 2500);
    EXPECT_EQ(ids(employees().query(partition("Sales"))), counting(0, 2500));
}

TEST_P(table_queries, short_pages_lose_and_repeat_nothing) {
    insert_ids("Sales", 0, 300);
    auto short_pages = std::make_shared<tablemap::testing::faulty_store>(shared_store());
    short_pages->shorten_pages(7);
    tablemap::table<employee> t{short_pages, table().table()};
    EXPECT_EQ(ids(t.query(partition("Sales"))), counting(0, 300));
    EXPECT_GT(short_pages->requests(), 2u);
}

TEST_P(table_queries, try_next_gives_entities_one_by_one_and_then_nothing) {
    insert_ids("Sales", 1, 3);
    auto range = employees().query(partition("Sales"));
    EXPECT_EQ((*range.try_next())->value.id, 1);
    EXPECT_EQ((*range.try_next())->value.id, 2);
    EXPECT_EQ(*range.try_next(), std::nullopt);
    EXPECT_EQ(*range.try_next(), std::nullopt);
}

TEST_P(table_queries, nothing_is_asked_before_iteration_begins) {
    auto counted = std::make_shared<tablemap::testing::faulty_store>(shared_store());
    tablemap::table<employee> t{counted, table().table()};
    auto range = t.query(partition("Sales"));
    EXPECT_EQ(counted->requests(), 0u);
    EXPECT_TRUE(range.begin() == range.end());
    EXPECT_EQ(counted->requests(), 1u);
}

TEST_P(table_queries, a_query_of_a_missing_table_tells_its_name) {
    tablemap::table<employee> missing{shared_store(), fresh_table_name()};
    auto range = missing.query(partition("Sales"));
    auto const r = range.try_next();
    EXPECT_TRUE(failed_with(r, service_errc::table_not_found));
    EXPECT_EQ(r.error().table(), missing.name());
    EXPECT_THROW(range.begin(), error);
}

TEST_P(table_queries, after_a_failure_iteration_goes_on_where_it_stopped) {
    insert_ids("Sales", 0, 10);
    auto faulty = std::make_shared<tablemap::testing::faulty_store>(shared_store());
    tablemap::table<employee> t{faulty, table().table()};
    auto range = t.query(partition("Sales"), call_options{.retry = retry_policy::none()});
    faulty->fail_next(tablemap::testing::fault::busy);
    EXPECT_TRUE(failed_with(range.try_next(), service_errc::server_busy));
    EXPECT_EQ((*range.try_next())->value.id, 0);
}

TEST_P(table_queries, a_row_that_the_mapping_cannot_have_written_says_which_part) {
    ASSERT_TRUE(carried_out(table().insert(entity("Sales", "empid_12"))));
    auto const r = employees().query(partition("Sales")).try_next();
    EXPECT_TRUE(failed_with(r, library_errc::unreadable_key));
    EXPECT_EQ(r.error().member(), "id");
}

TEST_P(table_queries, a_range_outlives_its_table) {
    insert_ids("Sales", 1, 4);
    std::optional<query_range<employee>> range;
    {
        tablemap::table<employee> t{shared_store(), table().table()};
        range = t.query(partition("Sales"));
    }
    EXPECT_EQ(ids(*range), counting(1, 4));
}

}  // namespace
}  // namespace tablemap::test

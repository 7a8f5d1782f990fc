// SPDX-License-Identifier: Apache-2.0
#include "contract/table_fixture.hpp"

#include "tablemap/table/bulk_writer.hpp"

#include <gmock/gmock.h>

#include <tuple>

namespace tablemap::test {
namespace {

struct day_stats {
    std::string user{};
    std::string day{};
    std::int64_t total{};
    series<std::int32_t, 24> messages{};

    [[maybe_unused]] friend bool operator==(day_stats const&, day_stats const&) = default;
};

}  // namespace
}  // namespace tablemap::test

template <> struct tablemap::mapping<tablemap::test::day_stats> {
    static constexpr auto partition_key = key(part<&test::day_stats::user>);
    static constexpr auto row_key = key("stats_", part<&test::day_stats::day>);
};

namespace tablemap::test {
namespace {

using ::testing::ElementsAre;
using hours = series<std::int32_t, 24>;

class table_series : public employees_test {
protected:
    tablemap::table<day_stats> stats() { return {shared_store(), table().table()}; }

    static day_stats monday(hours messages = {}) { return {.user = "don", .day = "2024-07-01", .messages = messages}; }
    hours stored() { return stats().find("don", "2024-07-01")->value.messages; }
};
TABLEMAP_ON_EVERY_STORE(table_series);

TEST_P(table_series, stores_the_elements_that_are_there) {
    stats().insert(monday({{9, 12}, {23, 0}}));
    EXPECT_EQ(stored(), (hours{{9, 12}, {23, 0}}));
    auto const row = entity_in(table().get("don", "stats_2024-07-01"));
    EXPECT_EQ(*row.try_get<std::int32_t>("messages_09"), 12);
    EXPECT_EQ(row.find("messages_08"), nullptr);
    EXPECT_EQ(row.properties().size(), 3u);
}

TEST_P(table_series, keeps_what_two_writers_of_different_elements_wrote) {
    stats().insert(monday());
    stats().merge_any(monday({{9, 12}}), element<&day_stats::messages>(9));
    stats().upsert_merge(monday({{10, 31}}), element<&day_stats::messages, 10>);
    EXPECT_EQ(stored(), (hours{{9, 12}, {10, 31}}));
}

TEST_P(table_series, creates_an_entity_of_one_element) {
    stats().upsert_merge(monday({{3, 7}, {4, 8}}), element<&day_stats::messages>(3));
    EXPECT_EQ(stored(), (hours{{3, 7}}));
    EXPECT_TRUE(
        failed_as(stats().try_merge_any({.user = "jun", .messages = {{3, 7}}}, element<&day_stats::messages>(3)),
                  error_kind::not_found));
}

TEST_P(table_series, merges_one_element_of_an_entity_under_its_etag) {
    auto mine = stats().insert(monday({{9, 1}}));
    auto theirs = mine;
    mine.value.messages = {{9, 2}, {10, 3}};
    stats().merge(mine, element<&day_stats::messages>(10));
    EXPECT_EQ(stored(), (hours{{9, 1}, {10, 3}}));
    theirs.value.messages[10] = 4;
    EXPECT_TRUE(
        failed_as(stats().try_merge(theirs, element<&day_stats::messages>(10)), error_kind::precondition_failed));
}

TEST_P(table_series, merges_elements_with_members) {
    stats().insert(monday({{8, 1}}));
    auto update = monday({{9, 12}, {10, 31}});
    update.total = 44;
    stats().merge_any(update, only<&day_stats::total> | elements<&day_stats::messages>(8, 10));
    auto const found = stats().find("don", "2024-07-01");
    EXPECT_EQ(found->value.total, 44);
    EXPECT_EQ(found->value.messages, (hours{{8, 1}, {9, 12}}));
}

TEST_P(table_series, takes_an_element_away_by_modify_or_replace) {
    auto e = stats().insert(monday({{8, 1}, {9, 2}, {10, 3}}));
    e.value.messages[8].reset();
    EXPECT_TRUE(failed_with(stats().try_merge(e, element<&day_stats::messages>(8)), library_errc::merge_cannot_remove));
    stats().replace(e);
    EXPECT_EQ(stored(), (hours{{9, 2}, {10, 3}}));
    stats().modify({"don", "2024-07-01"}, [](day_stats& s) { s.messages[9].reset(); });
    EXPECT_EQ(stored(), (hours{{10, 3}}));
}

TEST_P(table_series, sends_nothing_of_an_element_that_it_does_not_have) {
    stats().insert(monday({{8, 1}}));
    auto const r = stats().try_merge_any(monday({{8, 2}}), element<&day_stats::messages>(24));
    EXPECT_TRUE(failed_with(r, library_errc::invalid_property_name));
    EXPECT_EQ(r.error().member(), "messages");
    EXPECT_EQ(stored(), (hours{{8, 1}}));
}

TEST_P(table_series, is_merged_in_transactions_and_bulk_writes) {
    auto jun = stats().insert({.user = "don", .day = "2024-07-02"});
    auto t = stats().transaction();
    jun.value.messages[7] = 70;
    t.merge(jun, element<&day_stats::messages>(7));
    t.upsert_merge(monday({{6, 60}}), element<&day_stats::messages, 6>);
    t.commit();
    bulk_writer writer{stats()};
    writer.merge_any(monday({{5, 50}}), element<&day_stats::messages>(5));
    writer.upsert_merge(monday({{4, 40}}), element<&day_stats::messages>(4));
    EXPECT_TRUE(writer.finish().complete());
    EXPECT_EQ(stored(), (hours{{4, 40}, {5, 50}, {6, 60}}));
    EXPECT_EQ(stats().find("don", "2024-07-02")->value.messages, (hours{{7, 70}}));
}

TEST_P(table_series, is_read_in_slices) {
    stats().insert(monday({{7, 1}, {8, 2}, {12, 3}, {17, 4}, {18, 5}}));
    auto const work = elements<&day_stats::messages>(8, 18);
    auto const found = stats().query(partition("don")).select<&day_stats::day, &day_stats::messages>(work).first();
    EXPECT_EQ(found, (std::tuple{std::string{"2024-07-01"}, hours{{8, 2}, {12, 3}, {17, 4}}}));
    auto const all = stats().query(partition("don")).select<&day_stats::messages>().first();
    EXPECT_EQ(std::get<0>(*all).count(), 5u);
    auto beyond = stats().query(partition("don")).select<&day_stats::messages>(elements<&day_stats::messages>(8, 25));
    EXPECT_TRUE(failed_with(beyond.try_next(), library_errc::invalid_property_name));
}

TEST_P(table_series, is_filtered_by_element) {
    stats().insert(monday({{9, 12}}));
    stats().insert({.user = "don", .day = "2024-07-02", .messages = {{9, 3}}});
    stats().insert({.user = "don", .day = "2024-07-03", .messages = {{10, 12}}});
    std::vector<std::string> days;
    for (int const hour : {9, 10})
        for (auto& e : stats().query(partition("don")).where(element<&day_stats::messages>(hour) > 5))
            days.push_back(e.value.day);
    EXPECT_THAT(days, ElementsAre("2024-07-01", "2024-07-03"));
    auto beyond = stats().query(partition("don")).where(element<&day_stats::messages>(24) > 5);
    EXPECT_TRUE(failed_with(beyond.try_next(), library_errc::invalid_property_name));
}

TEST_P(table_series, sends_changes_by_element) {
    auto e = stats().insert(monday({{8, 1}, {9, 2}}));
    auto const before = e;
    stats().merge_any(monday({{8, 100}}), element<&day_stats::messages>(8));
    e = *stats().find("don", "2024-07-01");
    e.value.messages[8] = 1;
    e.value.messages[9] = 3;
    EXPECT_TRUE(stats().merge(e, changed_since(before)));  // element 8 is again what it was then
    EXPECT_EQ(stored(), (hours{{8, 100}, {9, 3}}));
}

}  // namespace
}  // namespace tablemap::test

// SPDX-License-Identifier: Apache-2.0
#include "tablemap/embedded/store.hpp"
#include "tablemap/patterns/async_rolling_table.hpp"
#include "tablemap/testing/faulty_store.hpp"

#include "support/answers.hpp"
#include "support/rolling_samples.hpp"
#include "support/waited.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tablemap::test {
namespace {

/// With an index in the partition.
struct page_view {
    std::string user{};
    std::int32_t number{};
    ticks at{};
    std::string page{};
};

}  // namespace
}  // namespace tablemap::test

template <> struct tablemap::mapping<tablemap::test::page_view> {
    static constexpr auto partition_key = key(part<&test::page_view::user>);
    static constexpr auto row_key = key("view_", part<&test::page_view::number>.width(6));
    static constexpr auto indexes =
        tablemap::indexes(index<"by_page">(key("page_", part<&test::page_view::page>.escaped())));
};

namespace tablemap::test {
namespace {

using tablemap::testing::faulty_store;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// Tables that others drop, and whether they are there.
class dropped_tables : public ::testing::Test {
protected:
    using daily_views = rolling_table<page_view, &page_view::at, table_per::day>;

    /// Another process drops the table before the request after so many others.
    void drop_before(std::size_t requests) {
        faulty->act_before([](store& s) { s.execute(delete_table{"views20140101"}, {}); }, requests);
    }

    /// The numbers of the views of a page, by the index.
    std::vector<int> viewed(char const* page) {
        return numbers_in(day.query_by<"by_page">(partition("ana"), starting_with(page)));
    }

    store_ptr memory = value_or_throw(open_embedded({.path = ":memory:"}));
    std::shared_ptr<faulty_store> faulty = std::make_shared<faulty_store>(memory);
    daily_views views{faulty, "views"};
    table<page_view> day = views.at(day_of_2014(0));
};

TEST_F(dropped_tables, exist_from_their_first_write_until_they_are_dropped) {
    EXPECT_FALSE(day.exists());
    views.insert({"ana", 1, day_of_2014(0), "home"});
    EXPECT_TRUE(day.exists());
    day.delete_table();
    EXPECT_FALSE(day.exists());
}

TEST_F(dropped_tables, exist_or_not_without_blocking) {
    auto const there = [&] {
        auto const t = async_rolling_table<page_view, &page_view::at, table_per::day>{views}.at(day_of_2014(0));
        return waited<bool>([&](auto token) { t.exists(token); });
    };
    EXPECT_FALSE(there());
    views.insert({"ana", 1, day_of_2014(0), "home"});
    EXPECT_TRUE(there());
    day.delete_table();
    EXPECT_FALSE(there());
}

/// An upsert of a type with indexes reads the entity, and then writes it with its index rows.
TEST_F(dropped_tables, take_an_indexed_upsert) {
    for (std::size_t const at : {0U, 1U}) {
        views.upsert_replace({"ana", 1, day_of_2014(0), "home"});
        drop_before(at);
        auto const written = views.try_upsert_replace({"ana", 1, day_of_2014(0), "news"});
        ASSERT_TRUE(written) << at << ": " << written.error().what();
        EXPECT_THAT(viewed("news"), ElementsAre(1)) << at;
        EXPECT_THAT(viewed("home"), IsEmpty()) << at;
    }
}

TEST_F(dropped_tables, take_indexed_upserts_in_bulk) {
    for (std::size_t const at : {0U, 1U, 2U}) {
        for (int const number : {1, 2}) views.upsert_replace({"ana", number, day_of_2014(0), "home"});
        drop_before(at);
        std::vector<page_view> const changed{{"ana", 1, day_of_2014(0), "news"}, {"ana", 2, day_of_2014(0), "news"}};
        auto const report = day.upsert_many(changed);
        EXPECT_TRUE(report.complete()) << at;
        EXPECT_THAT(viewed("news"), ElementsAre(1, 2)) << at;
        EXPECT_THAT(viewed("home"), IsEmpty()) << at;
    }
}

/// A late value with rows of indexes is written by a group.
TEST_F(dropped_tables, do_not_come_back_for_a_late_group) {
    daily_views const keeping{faulty, "views", on_day(40, std::chrono::days{30})};
    page_view const late{"ana", 1, day_of_2014(0), "home"};
    EXPECT_FALSE(keeping.insert_unless_late(late));
    EXPECT_EQ(keeping.late_values(), 1u);
    EXPECT_TRUE(failed_with(keeping.try_upsert_replace(late), library_errc::period_over));
    EXPECT_FALSE(day.exists());
}

TEST_F(dropped_tables, do_not_come_back_for_a_late_group_that_met_them) {
    daily_views const keeping{faulty, "views", on_day(40, std::chrono::days{30})};
    page_view const late{"ana", 1, day_of_2014(0), "news"};
    for (std::size_t const at : {0U, 1U}) {
        views.upsert_replace({"ana", 1, day_of_2014(0), "home"});
        drop_before(at);
        EXPECT_TRUE(failed_with(keeping.try_upsert_replace(late), library_errc::period_over)) << at;
        EXPECT_FALSE(day.exists()) << at;
    }
}

TEST_F(dropped_tables, do_not_take_an_indexed_change_of_what_is_gone) {
    auto e = views.insert({"ana", 1, day_of_2014(0), "home"});
    e.value.page = "news";
    drop_before(1);
    EXPECT_TRUE(failed_with(views.try_replace(e), service_errc::resource_not_found));
    EXPECT_FALSE(day.exists());
}

}  // namespace
}  // namespace tablemap::test

// SPDX-License-Identifier: Apache-2.0
#include "patterns/requests.hpp"
#include "support/rolling_samples.hpp"

#include "tablemap/embedded/store.hpp"

namespace tablemap::test {
namespace {

using std::chrono::days;

/// Tables of the days 36, 37, 39 and 40; day 38 has none.
class rolling_tables_page : public ::testing::Test {
protected:
    void SetUp() override {
        for (int const day : {36, 37, 39, 40}) plain.insert({"ana", day_of_2014(day), day});
        for (int day = 0; day < 60; ++day) old.at(day_of_2014(day)).create();
    }

    template <class From, class To> void read(period<From, To> const& when, std::size_t entities) {
        EXPECT_EQ(numbers_in(all.query(when, partition("ana"))).size(), entities);
    }
    void commit_first() {
        auto t = fresh.at(day_of_2014(31)).transaction();
        t.insert(sign_in{"ana", day_of_2014(31), 1});
        t.commit();
    }

    std::shared_ptr<keeping_observer> seen = std::make_shared<keeping_observer>();
    store_ptr store = value_or_throw(open_embedded({.path = ":memory:"}));
    store_ptr observed = with_observer(store, seen);
    daily_sign_ins plain{store, "signins"}, old{store, "old"};
    daily_sign_ins all{observed, "signins", on_day(60, days{30})};
    daily_sign_ins fresh{observed, "fresh"};
    daily_sign_ins aged{observed, "old", on_day(60, days{30})};
};

TEST_F(rolling_tables_page, says_how_many_requests_operations_take) {
    auto const first_three = since(day_of_2014(36)).before(day_of_2014(39));
    expect_requests(
        "patterns/rolling-tables.md", *seen,
        {{"`insert` into a table that is there",
          [&] {
              all.insert({"bob", day_of_2014(36), 1});
          }},
         {"the first `insert` into a table",
          [&] {
              fresh.insert({"bob", day_of_2014(30), 1});
          }},
         {"the first transaction of a table", [&] { commit_first(); }},
         {"`insert` of a late value",
          [&] {
              EXPECT_FALSE(all.try_insert({"bob", day_of_2014(29), 1}));
          }},
         {"at(t).find(key)", [&] { EXPECT_TRUE(all.at(day_of_2014(36)).find("ana", 36)); }},
         {"`at(t).find(key)` in a missing table", [&] { EXPECT_FALSE(all.at(day_of_2014(50)).find("ana", 1)); }},
         {"modify",
          [&] {
              all.modify(day_of_2014(36), {"ana", 36}, [](sign_in& s) { s.success = true; });
          }},
         {"`query` of a span of three days, each of one page",
          [&] {
              plain.insert({"ana", day_of_2014(38), 38});
              read(first_three, 3);
              plain.at(day_of_2014(38)).delete_table();
          }},
         {"the same with one of the tables missing", [&] { read(first_three, 2); }},
         {"`query` of all time, with four tables of one page", [&] { read(period<>{}, 4); }},
         {"`query` of a span of 101 days, with four tables of one page",
          [&] { read(since(day_of_2014(10)).before(day_of_2014(111)), 4); }},
         {"`query(…).first()` of three days, found in the first",
          [&] { EXPECT_TRUE(all.query(first_three, partition("ana")).first()); }},
         {"`retain` that drops 30 of 60 tables", [&] { EXPECT_EQ(aged.retain().dropped().size(), 30u); }},
         {"`retain` that drops nothing", [&] { EXPECT_TRUE(aged.retain().tables.empty()); }},
         {"tables()", [&] { EXPECT_EQ(aged.tables().size(), 30u); }}});
}

}  // namespace
}  // namespace tablemap::test

// SPDX-License-Identifier: Apache-2.0
#include "contract/fixture.hpp"
#include "support/observing.hpp"

#include "tablemap/async.hpp"
#include "tablemap/patterns/latest.hpp"

#include <boost/asio/use_future.hpp>
#include <gmock/gmock.h>

#include <algorithm>

namespace tablemap::test {
namespace {

struct expense {
    std::string user{};
    ticks at{};
    guid id{};
    std::int32_t euros{};
};

}  // namespace
}  // namespace tablemap::test

template <> struct tablemap::mapping<tablemap::test::expense> {
    static constexpr auto partition_key = key(part<&test::expense::user>);
    static constexpr auto row_key =
        key("x_", part<&test::expense::at>.descending(), "_", part<&test::expense::id>.generated());
};

namespace tablemap::test {
namespace {

namespace asio = boost::asio;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

class table_tail : public seam {
protected:
    tablemap::table<expense> expenses() { return {shared_store(), table().table()}; }

    static ticks day(int n) { return ticks{std::chrono::sys_days{std::chrono::days{20'000 + n}}}; }

    /// One expense for each day, of as many euros.
    void spend(std::string const& user, std::vector<int> const& days) {
        for (auto const d : days) expenses().insert({.user = user, .at = day(d), .euros = d});
    }

    template <class Range> static std::vector<int> euros(Range&& found) {
        std::vector<int> all;
        for (auto const& e : found) all.push_back(e.value.euros);
        return all;
    }
};
TABLEMAP_ON_EVERY_STORE(table_tail);

TEST_P(table_tail, gives_the_newest_first_in_one_request) {
    spend("u1", {3, 1, 5, 2, 4});
    put_rows("u1", {"w", "y"});  // of other types
    auto const seen = std::make_shared<keeping_observer>();
    tablemap::table<expense> const watched{with_observer(shared_store(), seen), table().table()};
    EXPECT_THAT(euros(latest(watched, partition("u1"), 3)), ElementsAre(5, 4, 3));
    EXPECT_EQ(seen->requests.size(), 1u);
    EXPECT_EQ(seen->operations.front().action, "latest");
    EXPECT_THAT(euros(latest(watched, partition("u1"), 10)), ElementsAre(5, 4, 3, 2, 1));
    EXPECT_THAT(latest(watched, partition("nobody"), 3), IsEmpty());
}

TEST_P(table_tail, keeps_entries_of_one_time_apart) {
    for (int i = 0; i < 3; ++i) expenses().insert({.user = "u1", .at = day(1), .euros = i});
    auto all = euros(latest(expenses(), partition("u1"), 10));
    std::sort(all.begin(), all.end());
    EXPECT_THAT(all, ElementsAre(0, 1, 2));
}

TEST_P(table_tail, of_a_period_takes_its_beginning_and_not_its_end) {
    spend("u1", {1, 2, 3, 4, 5});
    auto const u1 = partition("u1");
    EXPECT_THAT(euros(latest(expenses(), u1, 10, since(day(4)))), ElementsAre(5, 4));
    EXPECT_THAT(euros(latest(expenses(), u1, 10, before(day(3)))), ElementsAre(2, 1));
    EXPECT_THAT(euros(latest(expenses(), u1, 1, before(day(3)))), ElementsAre(2));
    EXPECT_THAT(euros(newest_first(expenses(), u1, since(day(2)).before(day(4)))), ElementsAre(3, 2));
    EXPECT_THAT(euros(latest(expenses(), u1, 10, since(day(6)))), IsEmpty());
}

TEST_P(table_tail, is_paged_by_its_cursor) {
    spend("u1", {1, 2, 3, 4, 5});
    auto first = newest_first(expenses(), partition("u1")).top(2);
    EXPECT_THAT(euros(first), ElementsAre(5, 4));
    auto const next = first.cursor();
    ASSERT_TRUE(next);
    spend("u1", {6});  // newer entries move no page
    EXPECT_THAT(euros(newest_first(expenses(), partition("u1")).top(2).from(*next)), ElementsAre(3, 2));
}

TEST_P(table_tail, of_several_partitions_is_merged_by_time) {
    spend("u1", {1, 4, 5});
    spend("u2", {2, 3, 6});
    std::vector const team{partition("u1"), partition("u2")};
    EXPECT_THAT(euros(latest(expenses(), team, 4)), ElementsAre(6, 5, 4, 3));
}

TEST_P(table_tail, is_cut_off_by_erasing_what_is_older) {
    spend("u1", {1, 2, 3, 4});
    auto const t = expenses();
    EXPECT_EQ(t.erase_where(newest_first(t, partition("u1"), before(day(3)))).erased(), 2u);
    EXPECT_THAT(euros(latest(t, partition("u1"), 10)), ElementsAre(4, 3));
}

TEST_P(table_tail, without_blocking_gives_the_same) {
    spend("u1", {1, 2, 3});
    async_table<expense> const t{shared_store(), table().table()};
    auto const u1 = partition("u1");
    EXPECT_THAT(euros(latest(t, u1, 2, asio::use_future).get()), ElementsAre(3, 2));
    EXPECT_THAT(euros(latest(t, u1, 2, before(day(3)), asio::use_future).get()), ElementsAre(2, 1));
    EXPECT_THAT(euros(latest(t, u1, 1, call_options{}, asio::use_future).get()), ElementsAre(3));
    EXPECT_THAT(euros(latest(t, u1, 1, since(day(1)), call_options{}, asio::use_future).get()), ElementsAre(3));
    auto range = newest_first(t, u1, before(day(2)));
    EXPECT_EQ(range.next(asio::use_future).get()->value.euros, 1);
    EXPECT_THROW(latest(t, partition("a/b"), 2, asio::use_future).get(), error);
}

}  // namespace
}  // namespace tablemap::test

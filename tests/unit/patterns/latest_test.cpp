// SPDX-License-Identifier: Apache-2.0
#include "tablemap/patterns/latest.hpp"

#include "tablemap/testing/scripted_store.hpp"

#include "support/answers.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tablemap {
namespace {

struct claim {
    std::string user{};
    ticks at{};
    std::int32_t number{};
    std::int32_t euros{};
};

/// One row a day, which nothing else tells apart.
struct balance {
    std::string user{};
    std::chrono::sys_days day{};
    std::int64_t cents{};
};

}  // namespace

template <> struct mapping<claim> {
    static constexpr auto partition_key = key(part<&claim::user>);
    static constexpr auto row_key = key("claim_", part<&claim::at>.descending(), "_", part<&claim::number>.width(3));
};

template <> struct mapping<balance> {
    static constexpr bool one_entry_per_time = true;
    static constexpr auto partition_key = key(part<&balance::user>);
    static constexpr auto row_key = key(part<&balance::day>.descending());
};

namespace test {
namespace {

using tablemap::testing::answer_page;
using tablemap::testing::exchange;
using tablemap::testing::response_failure;
using tablemap::testing::scripted_store;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// Claims of these times; a negative one cannot be read.
std::string page_of(std::vector<std::int64_t> const& times) {
    std::string body = R"({"value":[)";
    for (auto const t : times) {
        claim const c{.user = "u1", .at = ticks{std::abs(t)}, .number = 1};
        std::string partition_key, row_key;
        value_or_throw(detail::encode_keys(c, partition_key, row_key));
        if (body.back() == '}') body += ',';
        body += R"({"PartitionKey":"u1","RowKey":")" + row_key + R"(","euros":)" + (t < 0 ? R"("x")" : "1") + "}";
    }
    return body + "]}";
}

std::vector<std::int64_t> times_of(std::vector<entity<claim>> const& found) {
    std::vector<std::int64_t> times;
    for (auto const& e : found) times.push_back(e.value.at.count());
    return times;
}

class log_tail : public ::testing::Test {
protected:
    table<claim> with(std::vector<exchange> script, capabilities can = {.name = "scripted"}) {
        store_ = std::make_shared<scripted_store>(std::move(script), std::move(can));
        return {store_, "Claims"};
    }
    void TearDown() override {
        if (!store_) return;
        EXPECT_THAT(store_->complaints(), IsEmpty());
    }

    std::shared_ptr<scripted_store> store_;
};

TEST_F(log_tail, asks_for_as_many_rows_as_are_wanted) {
    auto const t = with({{"query Claims [u1, u1] [claim_, claim`) top 2", answer_page(page_of({9, 7}))}});
    EXPECT_THAT(times_of(latest(t, partition("u1"), 2)), ElementsAre(9, 7));
}

TEST_F(log_tail, of_no_entries_asks_for_nothing) {
    auto const t = with({});
    EXPECT_THAT(latest(t, partition("u1"), 0), IsEmpty());
}

TEST_F(log_tail, goes_on_where_a_page_is_shorter_than_wanted) {
    auto const t = with({{"query Claims [u1, u1] [claim_, claim`) top 3", answer_page(page_of({9}), continuation{"a"})},
                         {"query Claims", answer_page(page_of({8, 5, 3}))}});
    EXPECT_THAT(times_of(latest(t, partition("u1"), 3)), ElementsAre(9, 8, 5));
}

// Keys count down from 3155378975999999999; a bound behind a key ends in a character above the digits.
TEST_F(log_tail, of_a_period_is_one_range_of_rows) {
    std::string const from = "query Claims [u1, u1] [claim_";
    auto const none = answer_page(page_of({}));
    auto const t = with({{from + "0000000000000000000, claim_315537897599999989:) top 5", none},
                         {from + "315537897599999989:, claim_315537897599999999:) top 5", none},
                         {from + "315537897599999989:, claim_315537897599999998:) top 5", none}});
    latest(t, partition("u1"), 5, since(ticks{100}));
    latest(t, partition("u1"), 5, before(ticks{100}));
    latest(t, partition("u1"), 5, since(ticks{10}).before(ticks{100}));
}

TEST_F(log_tail, takes_periods_in_the_units_of_the_rows) {
    with({{"query Balances [u1, u1] [, 2524", answer_page(R"({"value":[]})")}});
    table<balance> const t{store_, "Balances"};
    EXPECT_THAT(latest(t, partition("u1"), 5, since(std::chrono::sys_days{std::chrono::days{10957}})), IsEmpty());
}

TEST_F(log_tail, is_refused_where_a_store_answers_in_no_order) {
    auto const t = with({}, {.name = "scripted", .ordered_results = false});
    auto const r = try_latest(t, partition("u1"), 3);
    ASSERT_TRUE(failed_with(r, library_errc::unsupported));
    EXPECT_THAT(r.error().what(), HasSubstr("latest in table 'Claims'"));
    EXPECT_THAT(r.error().what(), HasSubstr("query the period whole and sort it"));
    EXPECT_TRUE(failed_with(try_newest_first(t, partition("u1")), library_errc::unsupported));
    EXPECT_THROW(latest(t, partition("u1"), 3), error);
}

TEST_F(log_tail, with_a_row_that_cannot_be_read_fails) {
    auto const t = with({{"query Claims", answer_page(page_of({9, -8, 7}))}});
    auto const r = try_latest(t, partition("u1"), 3);
    ASSERT_TRUE(failed_with(r, library_errc::type_mismatch));
    EXPECT_THAT(r.error().what(), HasSubstr("latest in table 'Claims'"));
}

TEST_F(log_tail, passes_over_bad_rows_where_the_range_says_so) {
    auto const t = with({{"query Claims", answer_page(page_of({9, -8, 7}))}});
    std::vector<std::int64_t> times;
    for (auto const& e : newest_first(t, partition("u1")).on_error(skip_bad_rows([](bad_row const&) {})))
        times.push_back(e.value.at.count());
    EXPECT_THAT(times, ElementsAre(9, 7));
}

TEST_F(log_tail, tells_errors_of_the_store) {
    auto const t = with({{"query Claims", response_failure(service_errc::table_not_found)}});
    EXPECT_TRUE(failed_with(try_latest(t, partition("u1"), 3), service_errc::table_not_found));
}

TEST_F(log_tail, takes_the_options_of_the_call) {
    auto const t = with({});
    std::stop_source stop;
    stop.request_stop();
    EXPECT_TRUE(failed_with(try_latest(t, partition("u1"), 3, {.stop = stop.get_token()}), library_errc::cancelled));
}

}  // namespace
}  // namespace test
}  // namespace tablemap

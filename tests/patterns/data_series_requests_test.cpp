// SPDX-License-Identifier: Apache-2.0
#include "docs/page_table.hpp"

#include "tablemap/embedded/store.hpp"
#include "tablemap/store/observer.hpp"
#include "tablemap/table/table.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace tablemap::test {
namespace {

struct day_stats {
    std::string user{};
    std::string day{};
    std::int64_t total{};
    series<std::int32_t, 24> messages{};
};

class request_counter : public observer {
public:
    void request_done(request_event const&) noexcept override { ++requests; }
    std::atomic<int> requests{};
};

}  // namespace
}  // namespace tablemap::test

template <> struct tablemap::mapping<tablemap::test::day_stats> {
    static constexpr auto partition_key = key(part<&test::day_stats::user>);
    static constexpr auto row_key = key("day_", part<&test::day_stats::day>);
    static constexpr auto members = tablemap::members(member<&test::day_stats::messages>.named("Messages"));
};

namespace tablemap::test {
namespace {

constexpr char const* page = "patterns/data-series.md";

class data_series_page : public ::testing::Test {
protected:
    data_series_page() { stats.create(); }

    std::string requests_of(std::function<void()> const& operation) {
        auto const before = counter->requests.load();
        operation();
        return std::to_string(counter->requests - before);
    }

    day_stats const monday{.user = "donh", .day = "2024-07-01", .total = 43, .messages = {{9, 12}, {10, 31}}};
    std::shared_ptr<request_counter> counter = std::make_shared<request_counter>();
    store_ptr const store = with_observer(*open_embedded({.path = ":memory:"}), counter);
    table<day_stats> const stats{store, "DayStats"};
};

std::string text_of(property_value const& v) {
    if (auto const* small = std::get_if<std::int32_t>(&v)) return std::to_string(*small);
    if (auto const* large = std::get_if<std::int64_t>(&v)) return std::to_string(*large);
    return "another type";
}

TEST_F(data_series_page, shows_the_row_as_it_stands_in_the_store) {
    stats.insert(monday);
    auto const row = table<dynamic_entity>{store, "DayStats"}.find("donh", "day_2024-07-01")->value;
    std::vector<std::vector<std::string>> found{{"PartitionKey", row.partition_key}, {"RowKey", row.row_key}};
    for (auto const& p : row.properties()) found.push_back({p.name, text_of(p.value)});
    EXPECT_EQ(found, page_table(page, "row"));
}

TEST_F(data_series_page, counts_the_requests_of_operations) {
    auto const one = element<&day_stats::messages>(9);
    auto const several = only<&day_stats::total> | elements<&day_stats::messages>(8, 18);
    entity<day_stats> e;
    std::vector<std::vector<std::function<void()>>> const operations{
        {[&] { e = *stats.find("donh", "2024-07-01"); }},
        {[&] { stats.insert({.user = "junc", .messages = monday.messages}); }, [&] { stats.replace(e); }},
        {[&] { stats.merge(e, one); }, [&] { stats.merge_any(monday, one); }, [&] { stats.upsert_merge(monday, one); }},
        {[&] { stats.merge_any(monday, several); }, [&] { stats.upsert_merge(monday, several); }},
        {[&] {
            stats.modify({"donh", "2024-07-01"}, [](day_stats& s) { s.messages[9] = 1; });
        }},
        {[&] { stats.query(partition("donh")).first(); },
         [&] {
             auto const slice = elements<&day_stats::messages>(8, 18);
             stats.query(partition("donh")).select<&day_stats::messages>(slice).first();
         }}};
    stats.insert(monday);
    auto const rows = page_table(page, "requests");
    ASSERT_EQ(rows.size(), operations.size());
    for (std::size_t i = 0; i < rows.size(); ++i)
        for (auto const& operation : operations[i]) EXPECT_EQ(requests_of(operation), rows[i][1]) << rows[i][0];
}

}  // namespace
}  // namespace tablemap::test

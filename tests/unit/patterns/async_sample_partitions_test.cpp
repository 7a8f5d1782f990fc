// SPDX-License-Identifier: Apache-2.0
#include "support/async_calls.hpp"

#include "tablemap/embedded/store.hpp"
#include "tablemap/patterns/async_hot_partitions.hpp"
#include "tablemap/table/table.hpp"

#include <gtest/gtest.h>

#include <string>

namespace tablemap::test {
namespace {

class async_samples : public ::testing::Test {
protected:
    void SetUp() override {
        table<dynamic_entity> const rows{store, "Rows"};
        rows.create();
        for (int i = 0; i < 200; ++i)
            rows.insert(dynamic_entity{i % 4 == 0 ? "p" + std::to_string(i) : "hot", std::to_string(i)});
    }

    store_ptr store = value_or_throw(open_embedded({.path = ":memory:"}));
};

TEST_F(async_samples, are_those_of_the_blocking_call) {
    run([](store_ptr s) -> asio::awaitable<void> {
        auto const all = co_await async_sample_partitions(s, "Rows", awaited);
        EXPECT_EQ(all.text(), sample_partitions(s, "Rows").text());
        EXPECT_EQ(all.hottest[0].partition_key, "hot");
        auto const some = co_await async_sample_partitions(s, "Rows", {.rows = 50}, call_options{}, awaited);
        EXPECT_LE(some.rows, 50U);
        EXPECT_EQ((co_await async_sample_partitions(s, "Rows", call_options{}, awaited)).rows, 200U);
    }(store));
}

TEST_F(async_samples, of_options_that_cannot_be_used_fail) {
    auto const r = outcome_of(async_sample_partitions(store, "Rows", {.rows = 0}, future));
    ASSERT_FALSE(r);
    EXPECT_EQ(r.error().code(), library_errc::value_out_of_range);
    EXPECT_EQ(r.error().table(), "Rows");
}

TEST_F(async_samples, of_missing_tables_fail) {
    EXPECT_EQ(outcome_of(async_sample_partitions(store, "None", future)).error().code(), service_errc::table_not_found);
}

}  // namespace
}  // namespace tablemap::test

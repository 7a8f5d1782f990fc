// SPDX-License-Identifier: Apache-2.0
#include "tablemap/embedded/store.hpp"
#include "tablemap/table/async_cached_table.hpp"
#include "tablemap/table/cached_table.hpp"
#include "tablemap/testing/faulty_store.hpp"
#include "tablemap/testing/fixed_clock.hpp"

#include "support/answers.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <future>

namespace tablemap {
namespace {

struct rate {
    std::string currency{};
    double value{};
};

}  // namespace

template <> struct mapping<rate> {
    static constexpr auto partition_key = key("rates");
    static constexpr auto row_key = key(part<&rate::currency>);
};

namespace test {
namespace {

using namespace std::chrono_literals;

class cached : public ::testing::Test {
protected:
    void SetUp() override {
        store = std::make_shared<tablemap::testing::faulty_store>(value_or_throw(open_embedded({.path = ":memory:"})));
        rates.emplace(store, "Rates");
        rates->create();
        for (auto const* c : {"CHF", "EUR", "USD"}) rates->insert({.currency = c, .value = 1});
        cache.emplace(*rates, 10s);
    }

    /// The requests that a function makes.
    template <class F> std::size_t requests_of(F f) {
        auto const before = store->requests();
        f();
        return store->requests() - before;
    }

    double value_of(std::string const& currency) { return cache->find({currency}, timed)->value.value; }

    std::shared_ptr<tablemap::testing::faulty_store> store;
    std::optional<table<rate>> rates;
    std::optional<cached_table<rate>> cache;
    tablemap::testing::fixed_clock clock;
    call_options timed{.clock = &clock};
};

TEST_F(cached, asks_nothing_while_it_is_fresh) {
    EXPECT_EQ(requests_of([&] { value_of("EUR"); }), 1U + 3U) << "the keys, then each entity";
    rates->upsert_replace({.currency = "EUR", .value = 2});
    clock.advance(9s);
    EXPECT_EQ(requests_of([&] { EXPECT_EQ(value_of("EUR"), 1); }), 0U);
    EXPECT_FALSE(cache->find({"GBP"}, timed));
}

TEST_F(cached, reads_again_only_what_has_changed) {
    value_of("EUR");
    rates->upsert_replace({.currency = "EUR", .value = 2});
    rates->erase_any({"CHF"});
    rates->insert({.currency = "GBP", .value = 3});
    clock.advance(10s);
    EXPECT_EQ(requests_of([&] { EXPECT_EQ(value_of("EUR"), 2); }), 1U + 2U);
    EXPECT_FALSE(cache->find({"CHF"}, timed));
    EXPECT_EQ(value_of("GBP"), 3);
    EXPECT_EQ(cache->all(timed).size(), 3U);
}

TEST_F(cached, is_read_again_when_it_is_told_to_expire) {
    value_of("EUR");
    cache->expire();
    EXPECT_EQ(requests_of([&] { value_of("EUR"); }), 1U);
}

TEST_F(cached, keeps_what_it_has_where_reading_fails) {
    value_of("EUR");
    clock.advance(10s);
    store->fail_next(tablemap::testing::fault::busy);
    auto const failed = cache->try_find({"EUR"}, timed);
    ASSERT_FALSE(failed);
    EXPECT_EQ(failed.error().code(), service_errc::server_busy);
    EXPECT_EQ(requests_of([&] { EXPECT_EQ(value_of("EUR"), 1); }), 1U);
}

/// The response that a read without blocking gives its handler.
template <class V, class Read> V answer_of(Read read) {
    std::promise<V> got;
    read([&](std::exception_ptr e, V v) { e ? got.set_exception(e) : got.set_value(std::move(v)); });
    return got.get_future().get();
}

TEST_F(cached, without_blocking_reads_and_revalidates_alike) {
    async_cached_table<rate> c{*rates, 10s};
    auto const value = [&](std::string const& currency) {
        auto const found =
            answer_of<std::optional<entity<rate>>>([&](auto handler) { c.find({currency}, timed, handler); });
        return found ? found->value.value : -1;
    };
    EXPECT_EQ(requests_of([&] { EXPECT_EQ(value("EUR"), 1); }), 1U + 3U);
    rates->upsert_replace({.currency = "EUR", .value = 2});
    EXPECT_EQ(requests_of([&] { EXPECT_EQ(value("EUR"), 1); }), 0U);
    clock.advance(10s);
    EXPECT_EQ(requests_of([&] { EXPECT_EQ(value("EUR"), 2); }), 1U + 1U);
    EXPECT_EQ(value("GBP"), -1);
    EXPECT_EQ(answer_of<std::vector<entity<rate>>>([&](auto handler) { c.all(timed, handler); }).size(), 3U);
    EXPECT_THROW(value("a/b"), error);
}

}  // namespace
}  // namespace test
}  // namespace tablemap

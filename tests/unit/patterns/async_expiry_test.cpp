// SPDX-License-Identifier: Apache-2.0
#include "support/async_calls.hpp"
#include "support/expiry_samples.hpp"

#include "tablemap/embedded/store.hpp"
#include "tablemap/patterns/async_expiry_sweeper.hpp"
#include "tablemap/patterns/async_unexpired_table.hpp"
#include "tablemap/testing/faulty_store.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <vector>

namespace tablemap::test {
namespace {

using tablemap::testing::fault;
using tablemap::testing::faulty_store;
using ::testing::ElementsAre;

class async_expiry : public ::testing::Test {
protected:
    void SetUp() override {
        blocking.create();
        index_relay{blocking}.create_if_not_exists();
    }

    /// One for each of these minutes after noon; its id is their place from 1.
    void insert(std::vector<int> const& minutes) const {
        std::int32_t id = 0;
        for (int const m : minutes) {
            ++id;
            blocking.insert({"ana", id, "phone" + std::to_string(id), noon_and(m)});
        }
        index_relay{blocking}.sweep();
    }

    std::shared_ptr<faulty_store> faulty =
        std::make_shared<faulty_store>(value_or_throw(open_embedded({.path = ":memory:"})));
    table<session> blocking{faulty, "Sessions"};
    async_table<session> sessions{faulty, "Sessions"};
    async_unexpired_table<session> live{sessions, [] { return noon_and(0); }};
};

// ---- sweeps ---------------------------------------------------------------------------------------------------------

TEST_F(async_expiry, sweeps_erase_what_has_expired) {
    insert({-5, -4, 10});
    run([](async_table<session> s) -> asio::awaitable<void> {
        async_expiry_sweeper const sweeper{s, at_noon_and(0)};
        auto const done = co_await sweeper.sweep(awaited);
        EXPECT_EQ(done.erased, 2U);
        EXPECT_EQ(done.relayed.erased, 2U);
        EXPECT_TRUE(done.complete());
    }(sessions));
    EXPECT_EQ(rows_in(faulty, session_expiry), 1U);
}

TEST_F(async_expiry, a_sweep_goes_on_from_a_cursor) {
    insert(std::vector<int>(25, -5));
    std::stop_source stop;
    auto options = at_noon_and(0, 10);
    options.progress = [&](expiry_report const&) { stop.request_stop(); };
    async_expiry_sweeper const stopping{sessions, options};
    auto const first = stopping.sweep(call_options{.stop = stop.get_token()}, future).get();
    ASSERT_TRUE(first.cursor);
    async_expiry_sweeper const sweeper{sessions, at_noon_and(0, 10)};
    EXPECT_EQ(sweeper.sweep_from(*first.cursor, future).get().seen, 15U);
    EXPECT_EQ(sweeper.sweep_from("1nonsense", future).get().ended_by->code(), library_errc::invalid_cursor);
}

TEST_F(async_expiry, a_sweep_ends_after_its_sweeper_is_destroyed) {
    insert({-5});
    EXPECT_EQ(async_expiry_sweeper(sessions, at_noon_and(0)).sweep(future).get().erased, 1U);
}

TEST_F(async_expiry, what_progress_throws_reaches_the_handler) {
    insert({-5});
    auto options = at_noon_and(0);
    options.progress = [](expiry_report const&) { throw std::runtime_error{"no"}; };
    EXPECT_THROW(static_cast<void>(async_expiry_sweeper(sessions, options).sweep(future).get()), std::runtime_error);
}

TEST_F(async_expiry, options_that_cannot_be_used_are_refused) {
    EXPECT_THROW(async_expiry_sweeper(sessions, {.page_size = 0}), error);
}

// ---- reads ----------------------------------------------------------------------------------------------------------

TEST_F(async_expiry, reads_by_keys_pass_over_what_has_expired) {
    insert({-5, 10});
    run([](async_unexpired_table<session> t) -> asio::awaitable<void> {
        EXPECT_FALSE(co_await t.find("ana", 1, awaited));
        EXPECT_TRUE(co_await t.find({"ana", 2}, call_options{}, awaited));
        std::vector<key_of<session>> const keys{{"ana", 1}, {"ana", 2}, {"ana", 3}};
        auto const found = co_await t.find_many(keys, 16, awaited);
        EXPECT_FALSE(found[0] || found[2]);
        EXPECT_TRUE(found[1]);
    }(live));
}

asio::awaitable<std::vector<std::int32_t>> ids_in(async_unexpired_range<session> range) {
    std::vector<std::int32_t> all;
    while (auto const e = co_await range.next(awaited)) all.push_back(e->value.id);
    co_return all;
}

TEST_F(async_expiry, queries_pass_over_what_has_expired) {
    insert({-5, 10, 0, 20});
    run([](async_unexpired_table<session> t) -> asio::awaitable<void> {
        EXPECT_THAT(co_await ids_in(t.query(partition("ana"))), ElementsAre(2, 4));
        EXPECT_THAT(co_await ids_in(t.query(partition("ana"), row_range(1, 3))), ElementsAre(2));
        EXPECT_THAT(co_await ids_in(t.scan().where(field<&session::device> == "phone4")), ElementsAre(4));
        auto const first = co_await t.scan().first(awaited);
        EXPECT_EQ(first->value.id, 2);
    }(live));
}

/// The store sends what had not expired when the query was made.
TEST_F(async_expiry, a_query_looks_at_the_time_when_it_takes_an_entity) {
    insert({10, 20});
    int minute = 0;
    async_unexpired_table<session> const aging{sessions, [&] { return noon_and(minute); }};
    auto range = aging.query(partition("ana"));
    minute = 15;
    EXPECT_EQ(range.next(future).get()->value.id, 2);
    EXPECT_FALSE(range.next(future).get());
}

TEST_F(async_expiry, a_copy_of_a_range_begins_again) {
    insert({10, 20});
    auto range = live.query(partition("ana"));
    EXPECT_EQ(range.next(future).get()->value.id, 1);
    auto copy = range;
    EXPECT_EQ(copy.next(future).get()->value.id, 1);
    EXPECT_EQ(range.next(future).get()->value.id, 2);
}

TEST_F(async_expiry, a_fault_of_the_store_reaches_the_handler) {
    insert({10});
    faulty->fail_next(fault::busy);
    call_options const once{.retry = retry_policy::none()};
    auto const found = outcome_of(live.find({"ana", 1}, once, future));
    ASSERT_FALSE(found);
    EXPECT_EQ(found.error().table(), "Sessions");
}

TEST_F(async_expiry, a_read_ends_after_its_table_is_destroyed) {
    insert({10});
    auto came = async_unexpired_table<session>{sessions, [] { return noon_and(0); }}.find({"ana", 1}, future);
    EXPECT_TRUE(came.get());
}

}  // namespace
}  // namespace tablemap::test

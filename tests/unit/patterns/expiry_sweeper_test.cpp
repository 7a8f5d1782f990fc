// SPDX-License-Identifier: Apache-2.0
#include "support/expiry_samples.hpp"

#include "tablemap/embedded/store.hpp"
#include "tablemap/testing/faulty_store.hpp"
#include "tablemap/testing/fixed_clock.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <set>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace tablemap::test {
namespace {

using std::chrono::seconds;
using tablemap::testing::fault;
using tablemap::testing::faulty_store;
using tablemap::testing::fixed_clock;
using ::testing::ElementsAre;
using ::testing::UnorderedElementsAre;

class expiry : public ::testing::Test {
protected:
    void SetUp() override {
        sessions.create();
        relay.create_if_not_exists();
    }

    /// One for each of these minutes after noon; its id is their place from 1.
    void insert(std::vector<int> const& minutes) {
        for (int const m : minutes) sessions.insert({"ana", ++last_id, "phone" + std::to_string(last_id), noon_and(m)});
        relay.sweep();
    }
    void prolong(std::int32_t id, int minutes) {
        sessions.modify({"ana", id}, [=](session& s) { s.until = noon_and(minutes); });
    }
    std::vector<std::int32_t> left() const {
        std::vector<std::int32_t> ids;
        for (auto q = sessions.query(partition("ana")); auto const& e : q) ids.push_back(e.value.id);
        return ids;
    }
    std::set<std::string> buckets() const {
        std::set<std::string> all;
        for (auto q = table<dynamic_entity>{store, session_expiry}.scan(); auto const& e : q)
            all.insert(e.value.partition_key);
        return all;
    }

    store_ptr store = value_or_throw(open_embedded({.path = ":memory:"}));
    table<session> sessions{store, "Sessions"};
    index_relay<session> relay{sessions};
    std::int32_t last_id = 0;
};

TEST_F(expiry, a_row_lies_in_the_partition_of_its_hour_and_its_shard) {
    sessions.insert({"ana", 1, "phone", noon_and(59)});
    sessions.insert({"bob", 1, "phone", noon_and(61)});
    relay.sweep();
    auto const hour = [](int n) { return std::to_string(noon_and(60 * n).count()); };
    auto const shard = buckets().begin()->substr(19);
    EXPECT_THAT(shard, ::testing::MatchesRegex("_[0-3]"));
    ASSERT_EQ(hour(0).size(), 18U);
    EXPECT_THAT(buckets(), UnorderedElementsAre("0" + hour(0) + shard, "0" + hour(1) + shard));
}

TEST_F(expiry, an_hour_is_spread_over_all_shards) {
    insert(std::vector<int>(40, 10));
    EXPECT_EQ(buckets().size(), 4U);
}

TEST_F(expiry, a_sweep_erases_what_has_expired) {
    insert({-500, -61, -1, 0, 1, 60});
    auto const done = expiry_sweeper{sessions, at_noon_and(0)}.sweep();
    EXPECT_EQ(done.seen, 4U);
    EXPECT_EQ(done.erased, 4U);
    EXPECT_TRUE(done.complete() && !done.cursor);
    EXPECT_THAT(left(), ElementsAre(5, 6));
}

TEST_F(expiry, the_indexes_are_in_step_after_a_sweep) {
    insert({-5, -4, 10});
    auto const done = expiry_sweeper{sessions, at_noon_and(0)}.sweep();
    EXPECT_EQ(std::pair(done.relayed.entities, done.relayed.erased), (std::pair<std::size_t, std::size_t>(2, 2)));
    EXPECT_EQ(done.relayed.left, 0U);
    EXPECT_EQ(intents_in(store), 0U);
    EXPECT_EQ(rows_in(store, session_expiry), 1U);
    EXPECT_EQ(rows_in(store, "Sessions"), 2U);  // one session and its row in the index by device
    EXPECT_TRUE(relay.verify().in_step() && sessions.verify_indexes().in_step());
}

TEST_F(expiry, a_prolonged_session_survives_although_its_row_is_in_the_past) {
    insert({-5, -4});
    prolong(1, 30);
    auto const done = expiry_sweeper{sessions, at_noon_and(0)}.sweep();
    EXPECT_EQ(std::pair(done.erased, done.prolonged), (std::pair<std::size_t, std::size_t>(1, 1)));
    EXPECT_THAT(left(), ElementsAre(1));
    relay.sweep();
    EXPECT_EQ(expiry_sweeper(sessions, at_noon_and(0)).sweep().seen, 0U);
    EXPECT_EQ(expiry_sweeper(sessions, at_noon_and(30)).sweep().erased, 1U);
}

TEST_F(expiry, a_session_that_is_prolonged_between_look_and_erase_survives) {
    insert({-5});
    auto const faulty = std::make_shared<faulty_store>(store);
    faulty->act_before([&](class store&) { prolong(1, 30); }, 2);  // a page, a look, and the erase
    auto const done = expiry_sweeper{table<session>{faulty, "Sessions"}, at_noon_and(0)}.sweep();
    EXPECT_EQ(std::pair(done.changed, done.erased), (std::pair<std::size_t, std::size_t>(1, 0)));
    EXPECT_THAT(left(), ElementsAre(1));
}

TEST_F(expiry, a_row_whose_session_is_gone_is_counted_and_removed) {
    insert({-5});
    sessions.erase_any("ana", 1);
    EXPECT_EQ(expiry_sweeper(sessions, at_noon_and(0)).sweep().gone, 1U);
    EXPECT_EQ(expiry_sweeper(sessions, at_noon_and(0)).sweep().seen, 0U);
}

TEST_F(expiry, only_partitions_that_a_sweep_erased_from_are_relayed) {
    insert({-5});
    sessions.insert({"bob", 1, "phone", noon_and(30)});
    auto const done = expiry_sweeper{sessions, at_noon_and(0)}.sweep();
    EXPECT_EQ(done.relayed.intents, 1U);
    EXPECT_EQ(intents_in(store), 1U);
}

TEST_F(expiry, a_fault_of_the_relay_leaves_the_rows_to_the_next_sweep) {
    insert({-5});
    auto const faulty = std::make_shared<faulty_store>(store);
    faulty->fail_next(fault::busy, 3);  // a page, a look, an erase, and the intents
    auto const done = expiry_sweeper{table<session>{faulty, "Sessions"}, at_noon_and(0)}.sweep();
    EXPECT_TRUE(done.complete() && done.erased == 1);
    ASSERT_TRUE(done.relayed.last_failure);
    EXPECT_EQ(done.relayed.last_failure->code(), service_errc::server_busy);
    auto const next = expiry_sweeper{sessions, at_noon_and(0)}.sweep();
    EXPECT_EQ(std::pair(next.gone, next.relayed.erased), (std::pair<std::size_t, std::size_t>(1, 1)));
    EXPECT_EQ(rows_in(store, session_expiry), 0U);
}

TEST_F(expiry, several_sweepers_erase_each_session_once) {
    insert(std::vector<int>(60, -5));
    std::vector<expiry_report> done(4);
    {
        std::vector<std::jthread> threads;
        for (auto& d : done) threads.emplace_back([&] { d = expiry_sweeper{sessions, at_noon_and(0, 10)}.sweep(); });
    }
    std::size_t erased = 0;
    for (auto const& d : done) {
        EXPECT_TRUE(d.complete());
        erased += d.erased;
    }
    EXPECT_EQ(erased, 60U);
    EXPECT_TRUE(left().empty());
}

TEST_F(expiry, a_sweep_goes_on_from_its_cursor_in_another_process) {
    insert(std::vector<int>(25, -5));
    std::stop_source stop;
    auto options = at_noon_and(0, 10);
    options.progress = [&](expiry_report const&) { stop.request_stop(); };
    auto const first = expiry_sweeper{sessions, options}.sweep({.stop = stop.get_token()});
    ASSERT_TRUE(first.ended_by && first.cursor);
    EXPECT_EQ(first.ended_by->code(), library_errc::cancelled);
    EXPECT_EQ(first.erased, 10U);
    auto const rest = expiry_sweeper{sessions, at_noon_and(0, 10)}.sweep_from(*first.cursor);
    EXPECT_EQ(rest.seen, 15U);
    EXPECT_TRUE(rest.complete() && left().empty());
}

TEST_F(expiry, a_cursor_of_something_else_is_refused) {
    auto const done = expiry_sweeper{sessions, at_noon_and(0)}.sweep_from("1nonsense");
    ASSERT_TRUE(done.ended_by);
    EXPECT_EQ(done.ended_by->code(), library_errc::invalid_cursor);
    EXPECT_FALSE(done.cursor);
}

TEST_F(expiry, a_rate_makes_the_sweep_wait_by_the_clock_of_the_call) {
    insert(std::vector<int>(30, -5));
    fixed_clock clock;
    auto options = at_noon_and(0, 10);
    options.rows_per_second = 2;
    static_cast<void>(expiry_sweeper{sessions, options}.sweep({.clock = &clock}));
    EXPECT_THAT(clock.waits(), ElementsAre(seconds{5}, seconds{5}));
}

TEST_F(expiry, progress_is_told_after_each_page) {
    insert(std::vector<int>(25, -5));
    auto options = at_noon_and(0, 10);
    std::vector<std::size_t> seen;
    options.progress = [&](expiry_report const& r) { seen.push_back(r.erased); };
    static_cast<void>(expiry_sweeper{sessions, options}.sweep());
    EXPECT_THAT(seen, ElementsAre(10, 20, 25));
}

TEST_F(expiry, an_entity_that_cannot_be_read_keeps_no_other_from_being_erased) {
    insert({-5, -4});
    table<dynamic_entity> const raw{store, "Sessions"};
    auto broken = raw.find("ana", "session_000001").value();
    broken.value.set("until", std::string{"soon"});
    raw.replace(broken);
    auto const done = expiry_sweeper{sessions, at_noon_and(0)}.sweep();
    EXPECT_EQ(std::pair(done.failed, done.erased), (std::pair<std::size_t, std::size_t>(1, 1)));
    EXPECT_TRUE(done.last_failure && !done.complete());
}

TEST_F(expiry, without_the_table_of_the_index_a_sweep_ends_with_an_error) {
    table<dynamic_entity>{store, session_expiry}.delete_table();
    auto const done = expiry_sweeper{sessions, at_noon_and(0)}.sweep();
    ASSERT_TRUE(done.ended_by);
    EXPECT_EQ(done.ended_by->code(), service_errc::table_not_found);
}

TEST_F(expiry, options_that_cannot_be_used_are_refused) {
    EXPECT_THROW(expiry_sweeper(sessions, {.page_size = 0}), error);
    EXPECT_THROW(expiry_sweeper(sessions, {.rows_per_second = -1}), error);
    EXPECT_THROW(expiry_sweeper(sessions, {.parallel = 0}), error);
    EXPECT_THROW(expiry_sweeper(sessions, {.now = {}}), error);
}

class optional_expiry : public ::testing::Test {
protected:
    void SetUp() override {
        coupons.create();
        relay.create_if_not_exists();
        coupons.insert({"Bonn", "always", {}});
        coupons.insert({"Bonn", "old", second(-5)});
        coupons.insert({"Bonn", "young", second(5)});
        relay.sweep();
    }
    static std::chrono::sys_seconds second(int minutes) {
        return std::chrono::floor<seconds>(noon_and(minutes).time());
    }

    store_ptr store = value_or_throw(open_embedded({.path = ":memory:"}));
    table<coupon> coupons{store, "Coupons"};
    index_relay<coupon> relay{coupons};
};

TEST_F(optional_expiry, an_entity_without_a_time_has_no_row_and_is_never_erased) {
    EXPECT_EQ(rows_in(store, coupon_expiry), 2U);
    EXPECT_EQ(expiry_sweeper(coupons, at_noon_and(1'000'000)).sweep().erased, 2U);
    EXPECT_TRUE(coupons.find("Bonn", "always"));
}

TEST_F(optional_expiry, a_row_lies_in_the_partition_of_its_day_and_its_shard) {
    auto const midnight = "0" + std::to_string(noon_and(-720).count());
    for (auto q = table<dynamic_entity>{store, coupon_expiry}.scan(); auto const& e : q)
        EXPECT_THAT(e.value.partition_key, ::testing::AnyOf(midnight + "_0", midnight + "_1"));
}

TEST_F(optional_expiry, an_entity_whose_time_was_taken_away_survives) {
    coupons.modify({"Bonn", "old"}, [](coupon& c) { c.until.reset(); });
    auto const done = expiry_sweeper{coupons, at_noon_and(0)}.sweep();
    EXPECT_EQ(std::pair(done.prolonged, done.erased), (std::pair<std::size_t, std::size_t>(1, 0)));
}

}  // namespace
}  // namespace tablemap::test

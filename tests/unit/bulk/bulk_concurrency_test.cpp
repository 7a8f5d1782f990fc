// SPDX-License-Identifier: Apache-2.0
#include "support/bulk_rows.hpp"
#include "support/operations.hpp"
#include "support/waiting_stores.hpp"

namespace tablemap::test {
namespace {

using namespace std::chrono_literals;
using tablemap::testing::answer_ok;
using tablemap::testing::exchange;
using tablemap::testing::response_failure;
using tablemap::testing::scripted_store;
using ::testing::ElementsAre;

/// A remote store that takes groups of three and answers when it is told to.
class bulk_concurrency : public ::testing::Test {
protected:
    bulk_writer<bulk_item> writer() {
        call.clock = &clock;
        return bulk_writer<bulk_item>{table<bulk_item>{store, "Items"}, options, call};
    }

    static void add_group(bulk_writer<bulk_item>& w, std::string const& partition) {
        for (auto const* row : {"a", "b", "c"}) w.upsert_replace({partition, row, 0});
    }
    static void add_groups(bulk_writer<bulk_item>& w, int count) {
        for (int i = 0; i < count; ++i) add_group(w, "p" + std::to_string(i));
    }
    /// A row that waits for others: the writer looks at what was answered meanwhile.
    static void let_go_on(bulk_writer<bulk_item>& w) { w.upsert_replace({"last", "a", 0}); }

    static void busy(pending_store& s) { s.answer_one(response_failure(service_errc::server_busy)); }

    static std::shared_ptr<pending_store> store_that(capabilities can) {
        can.name = "scripted";
        can.transaction_operations = 3;
        auto inner = std::make_shared<scripted_store>(std::vector<exchange>(100, exchange{"", answer_ok()}), can);
        return std::make_shared<pending_store>(inner, can);
    }

    std::shared_ptr<pending_store> store = store_that({.name = {}, .remote = true});
    tablemap::testing::fixed_clock clock;
    bulk_options options;
    call_options call;
};

TEST_F(bulk_concurrency, begins_with_a_few_groups_and_takes_one_more_after_a_round_of_successes) {
    auto w = writer();
    add_groups(w, 12);
    EXPECT_EQ(store->pending(), 4u);
    store->answer_all();
    let_go_on(w);
    EXPECT_EQ(store->pending(), 5u);
    auto const answering = store->answer_from_now_on();
    EXPECT_EQ(w.finish().totals.concurrency, 6u);
}

TEST_F(bulk_concurrency, sends_several_groups_at_once_to_a_local_store_that_shares_commits) {
    store = store_that({.name = {}, .shared_commits = true});
    auto w = writer();
    add_groups(w, 12);
    EXPECT_EQ(store->pending(), 4u);
    auto const answering = store->answer_from_now_on();
    EXPECT_EQ(w.finish().totals.stored, 36u);
}

TEST_F(bulk_concurrency, sends_one_group_after_the_other_to_any_other_local_store) {
    store = store_that({.name = {}});
    auto w = writer();
    add_groups(w, 12);
    EXPECT_EQ(store->pending(), 0u);
    EXPECT_EQ(w.finish().totals.stored, 36u);
}

TEST_F(bulk_concurrency, sends_one_group_after_the_other_if_the_store_has_no_thread) {
    auto const without = std::make_shared<store_without_threads>(store_that({.name = {}, .shared_commits = true}));
    bulk_writer<bulk_item> w{table<bulk_item>{without, "Items"}, options, call};
    add_groups(w, 12);
    EXPECT_EQ(w.finish().totals.stored, 36u);
}

TEST_F(bulk_concurrency, never_has_more_groups_under_way_than_were_asked_for) {
    options.parallel = 2;
    auto w = writer();
    add_groups(w, 12);
    EXPECT_EQ(store->pending(), 2u);
    for (int i = 0; i < 4; ++i) {
        store->answer_all();
        let_go_on(w);
        EXPECT_EQ(store->pending(), 2u);
    }
    auto const answering = store->answer_from_now_on();
    EXPECT_TRUE(w.finish().ledger.complete());
}

TEST_F(bulk_concurrency, has_one_group_of_a_partition_under_way) {
    auto w = writer();
    for (int i = 0; i < 9; ++i) w.upsert_replace({"p", std::to_string(i), i});
    EXPECT_EQ(store->asked(), 1u);
    store->answer_one();
    let_go_on(w);
    EXPECT_EQ(store->asked(), 2u);
    auto const answering = store->answer_from_now_on();
    EXPECT_TRUE(w.finish().complete());
}

TEST_F(bulk_concurrency, halves_when_the_store_is_busy) {
    auto w = writer();
    add_groups(w, 12);
    busy(*store);
    busy(*store);
    let_go_on(w);
    EXPECT_EQ(w.progress().concurrency, 2u) << "once for what was under way together";
    EXPECT_EQ(store->asked(), 4u);
    store->answer_one();
    let_go_on(w);
    EXPECT_EQ(store->asked(), 5u);
    auto const answering = store->answer_from_now_on();
    EXPECT_EQ(w.finish().totals.failed, 6u);
}

TEST_F(bulk_concurrency, does_not_take_failures_for_successes) {
    auto w = writer();
    add_groups(w, 12);
    for (int i = 0; i < 4; ++i) store->answer_one(response_failure(transport_errc::connection_lost));
    let_go_on(w);
    EXPECT_EQ(w.progress().concurrency, 4u);
    for (int i = 0; i < 4; ++i) store->answer_one(response_failure(service_errc::entity_already_exists));
    let_go_on(w);
    EXPECT_EQ(w.progress().concurrency, 5u) << "the store was not in trouble";
    auto const answering = store->answer_from_now_on();
    EXPECT_EQ(w.finish().totals.in_doubt, 0u);
}

TEST_F(bulk_concurrency, other_partitions_go_on_while_one_waits_for_its_next_try) {
    call.retry = exact_retry(3);
    auto w = writer();
    add_group(w, "slow");
    busy(*store);
    let_go_on(w);
    for (int i = 0; i < 3; ++i) {
        add_group(w, "quick" + std::to_string(i));
        EXPECT_EQ(store->pending(), 1u);
        store->answer_all();
    }
    let_go_on(w);
    EXPECT_EQ(w.progress().stored, 9u);
    EXPECT_TRUE(clock.waits().empty());
    auto const answering = store->answer_from_now_on();
    EXPECT_TRUE(w.finish().complete());
    EXPECT_THAT(clock.waits(), ElementsAre(100ms));
}

TEST_F(bulk_concurrency, waits_for_room_when_the_buffer_is_full) {
    options.buffered_rows = 6;
    auto w = writer();
    auto const answering = store->answer_from_now_on();
    for (int i = 0; i < 100; ++i) {
        w.upsert_replace({"p", std::to_string(i), i});
        auto const p = w.progress();
        EXPECT_LE(p.rows - p.stored, 6u);
    }
    EXPECT_TRUE(w.finish().complete());
}

}  // namespace
}  // namespace tablemap::test

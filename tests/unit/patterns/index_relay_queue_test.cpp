// SPDX-License-Identifier: Apache-2.0
#include "support/answers.hpp"
#include "support/async_calls.hpp"
#include "support/denying_store.hpp"
#include "support/elsewhere_samples.hpp"
#include "support/observing.hpp"

#include "tablemap/detail/write/index_intent.hpp"
#include "tablemap/embedded/store.hpp"
#include "tablemap/patterns/async_index_relay.hpp"
#include "tablemap/queue/queue.hpp"
#include "tablemap/testing/faulty_store.hpp"
#include "tablemap/testing/fixed_clock.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <string>
#include <utility>

namespace tablemap::test {
namespace {

using namespace std::chrono_literals;
using tablemap::testing::fault;
using tablemap::testing::faulty_store;
using tablemap::testing::fixed_clock;
using ::testing::HasSubstr;

/// A relay that hears of work by a queue. Waits take no time, and a call ends before its second sweep.
class index_relay_queue : public ::testing::Test {
protected:
    void SetUp() override {
        clerks.create();
        relay().create_if_not_exists();
        work.create();
    }

    static clerk of(std::int32_t id, std::string office = "Bonn") { return {std::move(office), id, "Ann", "a@x", id}; }

    index_relay<clerk> relay(index_relay_options o = {}) const {
        o.queue = "work";
        o.sweep_every = 1h;
        return index_relay<clerk>{clerks, std::move(o)};
    }
    call_options options() { return {.deadline = clock.now() + 10s, .retry = retry_policy::none(), .clock = &clock}; }
    index_relay_report run(index_relay_options o = {}) { return relay(std::move(o)).run(options()); }

    void insert_bad_intent() const {
        table<dynamic_entity>{store, "Clerks"}.insert({"Bonn", detail::intents_of("clerk_000001") + "unreadable"});
    }
    /// Of an index that only another program declares.
    void insert_foreign_intent() const {
        dynamic_entity intent{"Bonn", "~index_0_1"};
        intent.set("Entity", std::string{"cable_0001"});
        intent.set("Partition0", std::string{"x"});
        intent.set("Row0", std::string{"colour_x"});
        table<dynamic_entity>{store, "Clerks"}.insert(intent);
    }
    bool has_poison() const { return queue(store, "work-poison").exists(); }
    std::size_t sent(std::string_view action) const {
        auto const& all = observer->requests;
        return static_cast<std::size_t>(
            std::count_if(all.begin(), all.end(), [&](auto const& e) { return e.action == action; }));
    }
    std::string poison() const {
        std::string all;
        for (auto const& m : queue(store, "work-poison").peek(32)) all += m.text + "\n";
        return all;
    }

    fixed_clock clock;
    std::shared_ptr<keeping_observer> observer = std::make_shared<keeping_observer>();
    store_ptr inner = with_observer(value_or_throw(open_embedded({.path = ":memory:"})), observer);
    std::shared_ptr<faulty_store> store = std::make_shared<faulty_store>(inner);
    table<clerk> clerks{store, "Clerks"};
    queue work{store, "work"};
};

TEST_F(index_relay_queue, works_on_the_partition_of_a_message_before_it_sweeps) {
    clerks.insert(of(1));
    relay().announce(partition("Bonn"));
    std::size_t left = 99;
    auto const sweep_begins = 9U;  // after the message, the page, six of the entity, and the end of the message
    store->act_before([&](class store&) { left = intents_in(inner, "Clerks"); }, sweep_begins);
    EXPECT_EQ(run().intents, 1U);
    EXPECT_EQ(left, 0U);
    EXPECT_EQ(sent("delete message of queue"), 1U);
    EXPECT_EQ(work.approximate_count(), 0U);
    EXPECT_EQ(rows_of_index(clerks, store), implied_by(clerks));
}

TEST_F(index_relay_queue, tells_of_a_partition_by_one_message) {
    relay().announce(partition("Bonn"));
    auto const told = work.peek(32);
    ASSERT_EQ(told.size(), 1U);
    EXPECT_EQ(told[0].text, R"({"kind":"tablemap.index","table":"Clerks","partition":"Bonn"})");
}

TEST_F(index_relay_queue, tells_of_a_partition_without_blocking) {
    async_index_relay<clerk> const r{async_table<clerk>{store, "Clerks"}, {.queue = "work"}};
    r.announce(partition("Bonn"), future).get();
    EXPECT_EQ(work.approximate_count(), 1U);
}

TEST_F(index_relay_queue, tells_nobody_without_a_queue) {
    auto const r = index_relay<clerk>{clerks}.try_announce(partition("Bonn"));
    EXPECT_TRUE(failed_with(r, library_errc::value_out_of_range));
}

TEST_F(index_relay_queue, puts_the_reason_of_what_fails_again_and_again_into_the_poison_queue) {
    insert_bad_intent();
    relay().announce(partition("Bonn"));
    auto const done = run({.deliveries = 1});
    EXPECT_TRUE(done.last_failure);
    EXPECT_THAT(poison(), HasSubstr(R"({"kind":"tablemap.index.failed","table":"Clerks","partition":"Bonn")"));
    EXPECT_THAT(poison(), HasSubstr(R"("dequeue_count":1,"reason":")"));
    EXPECT_EQ(work.approximate_count(), 0U);
}

TEST_F(index_relay_queue, carries_out_the_other_intents_of_a_partition_that_has_a_bad_one) {
    insert_bad_intent();
    clerks.insert(of(1));
    relay().announce(partition("Bonn"));
    run({.deliveries = 1});
    EXPECT_EQ(rows_of_index(clerks, store), implied_by(clerks));
}

TEST_F(index_relay_queue, tries_a_message_again_before_it_gives_up) {
    insert_bad_intent();
    relay().announce(partition("Bonn"));
    run({.deliveries = 2});
    EXPECT_EQ(work.approximate_count(), 1U);
    EXPECT_EQ(sent("update message of queue"), 1U);
    EXPECT_FALSE(queue(store, "work-poison").exists());
}

TEST_F(index_relay_queue, keeps_a_message_while_the_store_refuses) {
    clerks.insert(of(1));
    relay().announce(partition("Bonn"));
    store->fail_next(fault::busy, 1);  // the page of intents
    EXPECT_EQ(run({.deliveries = 1}).intents, 1U) << "by the sweep";
    EXPECT_EQ(work.approximate_count(), 1U);
    EXPECT_FALSE(queue(store, "work-poison").exists());
}

TEST_F(index_relay_queue, keeps_a_message_while_the_store_refuses_the_rest_of_its_work) {
    clerks.insert(of(1));
    relay().sweep();
    clerks.modify({"Bonn", 1}, [](clerk& c) { c.email = "b@x"; });
    relay().announce(partition("Bonn"));
    auto const erase_of_old_row = 6U;  // after the message, the page, two rows, the entity, and the new row
    store->fail_next(fault::busy, erase_of_old_row);
    EXPECT_EQ(run({.deliveries = 1}).last_failure->code(), service_errc::server_busy);
    EXPECT_EQ(work.approximate_count(), 1U);
    EXPECT_FALSE(has_poison());
}

TEST_F(index_relay_queue, keeps_a_message_while_rights_are_missing) {
    clerks.insert(of(1));
    for (auto const& table_without_rights : {std::string{"Clerks"}, *relay().tables().begin()}) {
        relay().announce(partition("Bonn"));
        auto const denying = std::make_shared<denying_store>(store, table_without_rights);
        index_relay<clerk> const r{table<clerk>{denying, "Clerks"},
                                   {.queue = "work", .sweep_every = 1h, .deliveries = 1}};
        auto const done = r.run(options());
        ASSERT_TRUE(done.last_failure) << table_without_rights;
        EXPECT_EQ(done.last_failure->code(), service_errc::authorization_permission_mismatch);
        EXPECT_EQ(work.approximate_count(), 1U) << table_without_rights;
        EXPECT_FALSE(has_poison());
        work.clear();
    }
}

TEST_F(index_relay_queue, keeps_a_message_while_others_write_its_entity) {
    clerks.insert(of(1));
    relay().announce(partition("Bonn"));
    auto const second_look = 5U;  // after the message, the page, the row, the entity, and the insert
    store->act_before([&](class store&) { table<clerk>{inner, "Clerks"}.upsert_replace(of(1)); }, second_look);
    EXPECT_EQ(run({.attempts = 1, .deliveries = 1}).last_failure->code(), library_errc::too_many_conflicts);
    EXPECT_EQ(work.approximate_count(), 1U);
    EXPECT_FALSE(has_poison());
}

TEST_F(index_relay_queue, keeps_the_message_of_an_intent_that_only_others_know) {
    insert_foreign_intent();
    relay().announce(partition("Bonn"));
    EXPECT_FALSE(run({.deliveries = 1}).last_failure);
    EXPECT_EQ(work.approximate_count(), 1U);
    EXPECT_EQ(sent("update message of queue"), 1U) << "it is hidden for a while";
    EXPECT_FALSE(has_poison());
}

TEST_F(index_relay_queue, leaves_such_an_intent_to_sweeps_after_ten_deliveries) {
    insert_foreign_intent();
    relay().announce(partition("Bonn"));
    for (int delivery = 1; delivery < 10; ++delivery)
        for (auto const& m : work.get()) work.update(m, 0s);
    run();
    EXPECT_EQ(work.approximate_count(), 0U);
    EXPECT_FALSE(has_poison());
}

TEST_F(index_relay_queue, goes_on_with_the_next_message_at_once_after_a_bad_intent) {
    insert_bad_intent();
    relay().announce(partition("Bonn"));
    relay().announce(partition("Graz"));
    relay({.idle_wait = 15s}).run(options());
    EXPECT_EQ(work.approximate_count(), 1U);
    EXPECT_EQ(sent("delete message of queue"), 1U);
}

TEST_F(index_relay_queue, waits_after_the_store_refused) {
    for (int i = 0; i < 2; ++i) relay().announce(partition("Bonn"));
    store->fail_next(fault::busy, 1);  // the page of intents
    relay({.idle_wait = 15s}).run(options());
    EXPECT_EQ(work.approximate_count(), 2U);
}

TEST_F(index_relay_queue, waits_after_the_poison_queue_refused) {
    for (int i = 0; i < 2; ++i) work.put("strange");
    store->fail_next(fault::busy, 1);  // the message to the poison queue
    relay({.idle_wait = 15s, .deliveries = 1}).run(options());
    EXPECT_EQ(work.approximate_count(), 2U);
    EXPECT_FALSE(has_poison());
}

TEST_F(index_relay_queue, puts_back_the_partitions_that_the_poison_queue_names) {
    insert_bad_intent();
    for (int i = 0; i < 2; ++i) relay().announce(partition("Bonn"));
    run({.deliveries = 1});
    table<dynamic_entity>{store, "Clerks"}.erase_any({"Bonn", detail::intents_of("clerk_000001") + "unreadable"});
    auto const done = relay().put_back();
    EXPECT_EQ(done.partitions, 1U);
    EXPECT_EQ(done.effects + done.messages_left, 0U);
    EXPECT_EQ(queue(store, "work-poison").approximate_count(), 0U);
    EXPECT_EQ(work.peek(32).at(0).text, R"({"kind":"tablemap.index","table":"Clerks","partition":"Bonn"})");
    EXPECT_FALSE(run({.deliveries = 1}).last_failure);
    EXPECT_EQ(work.approximate_count(), 0U);
}

TEST_F(index_relay_queue, leaves_messages_of_others_in_the_poison_queue) {
    queue const poison{store, "work-poison"};
    poison.create();
    for (auto const* const text :
         {"{", R"({"kind":"tablemap.index","table":"Clerks","partition":"Bonn"})",
          R"({"kind":"tablemap.list.failed","table":"Clerks","partition":"Bonn","dequeue_count":5,"reason":""})",
          R"({"kind":"tablemap.index.failed","table":"Others","partition":"Bonn","dequeue_count":5,"reason":""})",
          R"({"kind":"tablemap.index.failed","table":"Clerks","partition":"a/b","dequeue_count":5,"reason":""})"})
        poison.put(text);
    async_index_relay<clerk> const r{async_table<clerk>{store, "Clerks"}, {.queue = "work"}};
    auto const done = r.put_back(future).get();
    EXPECT_EQ(done.partitions, 0U);
    EXPECT_EQ(done.messages_left, 5U);
    EXPECT_EQ(poison.peek(32).size(), 5U) << "they are visible at once";
}

TEST_F(index_relay_queue, puts_nothing_back_without_a_queue) {
    EXPECT_TRUE(failed_with(index_relay<clerk>{clerks}.try_put_back(), library_errc::value_out_of_range));
    EXPECT_EQ(relay().put_back().partitions, 0U) << "nothing has failed";
}

TEST_F(index_relay_queue, leaves_messages_of_outboxes_to_others) {
    work.put(R"({"kind":"tablemap.outbox","table":"Clerks","partition":"Bonn"})");
    run();
    EXPECT_EQ(work.approximate_count(), 1U);
}

TEST_F(index_relay_queue, puts_messages_that_nobody_wants_into_the_poison_queue) {
    work.put("strange");
    run({.deliveries = 1});
    EXPECT_EQ(work.approximate_count(), 0U);
    EXPECT_THAT(poison(), HasSubstr("the message is not of this index"));
}

TEST_F(index_relay_queue, renews_the_message_while_it_works) {
    for (std::int32_t id = 1; id <= 3; ++id) clerks.insert(of(id));
    relay().announce(partition("Bonn"));
    auto const first_entity = 2U, requests_of_an_entity = 7U;
    for (auto k = first_entity; k < 20; k += requests_of_an_entity)
        store->act_before([this](class store&) { clock.advance(20s); }, k);
    auto const done = relay().run({.deadline = clock.now() + 10min, .clock = &clock});
    EXPECT_EQ(done.intents, 3U);
    EXPECT_GE(sent("update message of queue"), 1U);
    EXPECT_EQ(work.approximate_count(), 0U) << "the receipt of the last renewal deletes it";
}

TEST_F(index_relay_queue, sweeps_although_its_queue_is_gone) {
    clerks.insert(of(1));
    work.delete_queue();
    auto const done = run();
    EXPECT_EQ(done.intents, 1U);
    EXPECT_TRUE(done.last_failure);
    EXPECT_EQ(done.last_failure->code(), service_errc::queue_not_found);
}

TEST_F(index_relay_queue, refuses_options_that_cannot_be_used) {
    for (auto const& o : {index_relay_options{.idle_wait = 0ms}, index_relay_options{.longest_idle_wait = 1ms},
                          index_relay_options{.deliveries = 0}})
        EXPECT_THROW(index_relay<clerk>(clerks, o), error);
}

TEST_F(index_relay_queue, refuses_a_queue_whose_poison_queue_can_have_no_name) {
    EXPECT_NO_THROW(index_relay<clerk>(clerks, {.queue = std::string(56, 'q')}));
    for (auto const& name : {std::string(57, 'q'), std::string{"Work"}, std::string{"-"}})
        EXPECT_THROW(index_relay<clerk>(clerks, {.queue = name}), error);
}

}  // namespace
}  // namespace tablemap::test

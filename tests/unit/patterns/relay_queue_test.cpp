// SPDX-License-Identifier: Apache-2.0
#include "tablemap/patterns/relay.hpp"

#include "tablemap/embedded/store.hpp"
#include "tablemap/queue/queue.hpp"
#include "tablemap/testing/faulty_store.hpp"
#include "tablemap/testing/fixed_clock.hpp"

#include "support/answers.hpp"
#include "support/denying_store.hpp"
#include "support/observing.hpp"
#include "support/outbox_samples.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tablemap::test {
namespace {

using namespace std::chrono_literals;
using tablemap::testing::fault;
using tablemap::testing::faulty_store;
using tablemap::testing::fixed_clock;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class relay_queue : public ::testing::Test {
protected:
    void SetUp() override {
        observer = std::make_shared<keeping_observer>();
        store = std::make_shared<faulty_store>(
            with_observer(value_or_throw(open_embedded({.path = ":memory:"})), observer));
        people.emplace(store, "Company");
        people->create();
        work.emplace(store, "work");
        work->create();
        box.emplace(*people, outbox_options{"work"});
    }

    void hire(std::int32_t id) {
        auto t = people->transaction();
        t.insert(staff{"Bonn", id, "Don"});
        EXPECT_FALSE(box->commit(t, archive_staff{id, 1}).not_queued);
    }
    /// A run in which no sweep helps: waits take no time, and the call ends before the second one.
    relay_report run(relay_options o = {}) {
        o.sweep_every = 1h;
        return noted.relay_of(*box, std::move(o)).run(options());
    }
    call_options options() { return {.deadline = clock.now() + 10s, .retry = retry_policy::none(), .clock = &clock}; }
    std::size_t sent(std::string_view action) const {
        auto const& all = observer->requests;
        return static_cast<std::size_t>(
            std::count_if(all.begin(), all.end(), [&](auto const& e) { return e.action == action; }));
    }
    std::string poison() {
        std::string all;
        for (auto const& m : queue(store, "work-poison").peek(32)) all += m.text + "\n";
        return all;
    }

    fixed_clock clock;
    std::shared_ptr<keeping_observer> observer;
    std::shared_ptr<faulty_store> store;
    std::optional<table<staff>> people;
    std::optional<queue> work;
    std::optional<staff_outbox> box;
    noted_effects noted;
};

TEST_F(relay_queue, works_on_the_partition_of_a_message_and_deletes_it) {
    hire(1);
    hire(2);
    EXPECT_EQ(run().applied, 2U);
    EXPECT_EQ(work->approximate_count(), 0U);
    EXPECT_EQ(sent("delete message of queue"), 2U);
    EXPECT_EQ(sent("query"), 2U) << "a page of effects, and the sweep";
}

TEST_F(relay_queue, keeps_the_message_of_effects_that_failed) {
    noted.failing_id = 1;
    noted.failures_left = 1;
    hire(1);
    EXPECT_EQ(run().failed, 1U);
    EXPECT_THAT(noted.calls, IsEmpty()) << "the sweep comes before the next try";
    EXPECT_EQ(sent("delete message of queue"), 0U);
    EXPECT_EQ(work->approximate_count(), 1U);
}

TEST_F(relay_queue, calls_a_handler_once_for_many_messages_of_a_partition) {
    noted.failing_id = 1;
    noted.failures_left = 100;
    hire(1);
    for (int i = 0; i < 5; ++i) work->put(R"({"kind":"tablemap.outbox","table":"Company","partition":"Bonn"})");
    auto const done = run();
    EXPECT_EQ(done.failed, 1U);
    EXPECT_EQ(done.parked, 0U);
}

TEST_F(relay_queue, renews_the_message_while_it_works) {
    for (std::int32_t id = 0; id < 4; ++id) hire(id);
    work->clear();
    work->put(R"({"kind":"tablemap.outbox","table":"Company","partition":"Bonn"})");
    relay const slow{*box,
                     {.lease = 60s},
                     on<archive_staff>([this](archive_staff const&) { clock.advance(40s); }),
                     on<greet_staff>([](greet_staff const&) {})};
    EXPECT_EQ(slow.run({.deadline = clock.now() + 30min, .clock = &clock}).applied, 4U);
    EXPECT_EQ(sent("update message of queue"), 3U);
    EXPECT_EQ(work->approximate_count(), 0U) << "the receipt of the last renewal deletes it";
}

TEST_F(relay_queue, leaves_messages_of_others) {
    work->put(R"({"kind":"tablemap.outbox","table":"Another","partition":"Bonn"})");
    run();
    EXPECT_EQ(work->approximate_count(), 1U);
    EXPECT_EQ(sent("update message of queue"), 1U);
}

TEST_F(relay_queue, puts_messages_that_nobody_wants_into_the_poison_queue) {
    for (auto const* const text : {"", "{", "[]", R"({"kind":"tablemap.outbox"})", "\"\xf0\x9f\x90\xa3\""})
        work->put(text);
    run({.foreign_dequeues = 1});
    EXPECT_EQ(work->approximate_count(), 0U);
    EXPECT_EQ(queue(store, "work-poison").approximate_count(), 5U);
    EXPECT_THAT(poison(), HasSubstr("the message is not of this outbox"));
}

TEST_F(relay_queue, puts_the_reason_of_a_parked_effect_into_the_poison_queue) {
    noted.failing_id = 1;
    noted.failures_left = 1;
    hire(1);
    EXPECT_EQ(run({.attempts = 1}).parked, 1U);
    EXPECT_THAT(poison(), HasSubstr(R"("effect":"archive_staff","attempts":1)"));
    EXPECT_THAT(poison(), HasSubstr("no archive for 1"));
    EXPECT_EQ(work->approximate_count(), 0U);
    EXPECT_EQ(noted.relay_of(*box).put_back(partition("Bonn")), 1U);
    EXPECT_EQ(work->approximate_count(), 1U) << "relays hear of it";
}

TEST_F(relay_queue, does_not_park_before_the_reason_is_stored) {
    noted.failing_id = 1;
    noted.failures_left = 1;
    hire(1);
    hire(2);
    store->fail_next(fault::busy, 3);  // head, lease, page, then the message
    auto const r = noted.relay_of(*box, {.attempts = 1, .retry_wait = 0s}).run_once(partition("Bonn"), options());
    EXPECT_EQ(r.parked, 0U);
    EXPECT_EQ(r.applied, 1U) << "of the other entity";
    EXPECT_EQ(r.last_failure->code(), service_errc::server_busy);
    EXPECT_EQ(noted.relay_of(*box).run_once(partition("Bonn"), options()).applied, 1U);
}

TEST_F(relay_queue, puts_no_reason_after_it_lost_its_lease) {
    hire(1);
    auto now = ticks::now();
    table<dynamic_entity> const raw{store, "Company"};
    relay const slow{*box,
                     {.attempts = 1, .now = [&] { return now; }},
                     on<archive_staff>([&](archive_staff const&) {
                         auto h = *raw.find("Bonn", "~outbox_head");
                         h.value.set("Owner", *guid::parse("00000000-0000-4000-8000-000000000001"));
                         raw.replace(h);
                         now = now + tick_duration{1min};
                         throw std::runtime_error{"the archive is closed"};
                     }),
                     on<greet_staff>([](greet_staff const&) {})};
    EXPECT_EQ(slow.run_once(partition("Bonn"), options()).end, pass_end::lease_lost);
    EXPECT_TRUE(failed_with(queue(store, "work-poison").try_peek(1), service_errc::queue_not_found));
}

TEST_F(relay_queue, puts_reasons_of_any_bytes) {
    for (auto const* const text : {"\xff", "\xef\xbf\xbe"}) {
        people->erase_any("Bonn", 1);
        hire(1);
        relay const failing{*box,
                            {.attempts = 1},
                            on<archive_staff>([&](archive_staff const&) { throw std::runtime_error{text}; }),
                            on<greet_staff>([](greet_staff const&) {})};
        EXPECT_EQ(failing.run_once(partition("Bonn"), options()).parked, 1U);
        table<dynamic_entity>{store, "Company"}.erase_any({"Bonn", "~outbox_parked_0000000000000000001"});
        table<dynamic_entity>{store, "Company"}.erase_any({"Bonn", "~outbox_head"});
    }
    EXPECT_THAT(poison(), HasSubstr("?"));
}

TEST_F(relay_queue, knows_its_table_by_a_name_in_other_case) {
    hire(1);
    work->clear();
    work->put(R"({"kind":"tablemap.outbox","table":"COMPANY","partition":"Bonn"})");
    EXPECT_EQ(run().applied, 1U);
    EXPECT_EQ(work->approximate_count(), 0U);
}

TEST_F(relay_queue, puts_a_message_of_an_impossible_partition_into_the_poison_queue) {
    work->put(R"({"kind":"tablemap.outbox","table":"Company","partition":"a/b"})");
    run({.foreign_dequeues = 1});
    EXPECT_EQ(work->approximate_count(), 0U);
    EXPECT_THAT(poison(), HasSubstr("a/b"));
}

TEST_F(relay_queue, puts_long_messages_whole_into_the_poison_queue) {
    std::string const fits(60'000, 'x');
    std::string const too_long(65'536, 'y');
    work->put(fits);
    work->put(too_long);
    run({.foreign_dequeues = 1});
    EXPECT_THAT(poison(), HasSubstr("\"" + fits + "\""));
    EXPECT_THAT(poison(), HasSubstr(too_long));
}

TEST_F(relay_queue, leaves_the_message_of_a_partition_that_another_relay_has) {
    hire(1);
    table<dynamic_entity> const raw{store, "Company"};
    auto h = *raw.find("Bonn", "~outbox_head");
    h.value.set("Owner", *guid::parse("00000000-0000-4000-8000-000000000001"));
    h.value.set("Until", ticks::now() + tick_duration{1h});
    raw.replace(h);
    EXPECT_EQ(run().end, pass_end::leased_elsewhere);
    EXPECT_EQ(work->approximate_count(), 1U);
}

TEST_F(relay_queue, waits_after_the_store_refused_rights) {
    hire(1);
    hire(2);
    auto const denying = std::make_shared<denying_store>(store, "Company");
    staff_outbox const refused{table<staff>{denying, "Company"}, {"work"}};
    auto const done = noted.relay_of(refused, {.idle_wait = 15s, .sweep_every = 1h}).run(options());
    EXPECT_EQ(done.last_failure->code(), service_errc::authorization_permission_mismatch);
    EXPECT_EQ(denying->refused(), 2U) << "the first partition, and the sweep";
    EXPECT_EQ(work->approximate_count(), 2U);
}

TEST_F(relay_queue, refuses_a_queue_whose_poison_queue_can_have_no_name) {
    EXPECT_NO_THROW((staff_outbox{*people, {.queue = std::string(56, 'q')}}));
    for (auto const& name : {std::string(57, 'q'), std::string{"Work"}, std::string{"-"}}) try {
            staff_outbox const refused{*people, {.queue = name}};
            FAIL() << name;
        } catch (error const& e) {
            EXPECT_EQ(e.code(), library_errc::value_out_of_range);
            EXPECT_EQ(e.member(), "queue");
            EXPECT_THAT(e.what(), HasSubstr("3 to 56"));
        }
}

TEST_F(relay_queue, goes_on_without_its_queue) {
    hire(1);
    work->delete_queue();
    auto const done = run();
    EXPECT_EQ(done.applied, 1U) << "by the sweep";
    EXPECT_EQ(done.last_failure->code(), service_errc::queue_not_found);
}

}  // namespace
}  // namespace tablemap::test

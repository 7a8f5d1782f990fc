// SPDX-License-Identifier: Apache-2.0
#include "tablemap/patterns/relay.hpp"

#include "tablemap/embedded/store.hpp"
#include "tablemap/store/observer.hpp"
#include "tablemap/testing/faulty_store.hpp"
#include "tablemap/testing/fixed_clock.hpp"
#include "tablemap/testing/scripted_store.hpp"

#include "support/answers.hpp"
#include "support/denying_store.hpp"
#include "support/outbox_samples.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <stop_token>
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
using ::testing::Not;

/// Keeps what relays report.
class outbox_observer final : public observer {
public:
    void outbox_pass_done(outbox_event const& e) override {
        events.push_back(e);
        messages.emplace_back(e.message);
    }
    std::vector<outbox_event> events{};
    std::vector<std::string> messages{};
};

class relay_test : public ::testing::Test {
protected:
    void SetUp() override {
        observer = std::make_shared<outbox_observer>();
        store = std::make_shared<faulty_store>(
            with_observer(value_or_throw(open_embedded({.path = ":memory:"})), observer));
        people.emplace(store, "Company");
        people->create();
        box.emplace(*people);
    }

    void hire(std::int32_t id, std::int32_t version = 1, std::string office = "Bonn") {
        auto t = people->transaction();
        t.upsert_replace(staff{std::move(office), id, "Don"});
        box->commit(t, archive_staff{id, version});
    }
    relay_report work(relay_options o = {}) {
        o.now = [this] { return now; };
        return noted.relay_of(*box, std::move(o)).run_once(partition("Bonn"));
    }
    result<relay_report> try_work(relay_options o = {}) {
        o.now = [this] { return now; };
        return noted.relay_of(*box, std::move(o)).try_run_once(partition("Bonn"));
    }
    table<dynamic_entity> raw() { return {store, "Company"}; }
    dynamic_entity head() { return raw().find("Bonn", "~outbox_head")->value; }
    std::int64_t pending() { return *head().try_get<std::int64_t>("Pending"); }
    std::int64_t parked() { return *head().try_get<std::int64_t>("Parked"); }
    /// Gives the lease to another relay for so long.
    void lease_to_another(std::chrono::seconds d) {
        auto h = *raw().find("Bonn", "~outbox_head");
        h.value.set("Owner", *guid::parse("00000000-0000-4000-8000-000000000001"));
        h.value.set("Until", now + tick_duration{d});
        raw().replace(h);
    }

    /// Time goes on until failed effects are tried again.
    void wait(std::chrono::seconds d = 5min) { now = now + tick_duration{d}; }
    /// A relay whose handler fails with this text.
    relay_report fail_with(std::string const& text, relay_options o = {}) {
        o.now = [this] { return now; };
        relay const r{*box, std::move(o),
                      on<archive_staff>([&](archive_staff const&) { throw std::runtime_error{text}; }),
                      on<greet_staff>([](greet_staff const&) {})};
        return r.run_once(partition("Bonn"));
    }
    void spoil(std::string const& key) {
        auto row = *raw().find("Bonn", key);
        row.value.set("Attempts", "many");
        raw().replace(row);
    }

    std::string const first = "~outbox_pending_0000000000000000001";
    std::string const first_parked = "~outbox_parked_0000000000000000001";
    ticks now = ticks::now();
    std::shared_ptr<outbox_observer> observer;
    std::shared_ptr<faulty_store> store;
    std::optional<table<staff>> people;
    std::optional<staff_outbox> box;
    noted_effects noted;
};

// ---- one partition --------------------------------------------------------------------------------------------------

TEST_F(relay_test, applies_effects_in_their_order) {
    for (std::int32_t v = 1; v <= 3; ++v) hire(7, v);
    hire(8);
    auto const done = work();
    EXPECT_THAT(noted.calls, ElementsAre("1 archive 7 v1", "2 archive 7 v2", "3 archive 7 v3", "4 archive 8 v1"));
    EXPECT_EQ(done.applied, 4U);
    EXPECT_EQ(done.end, pass_end::drained);
    EXPECT_EQ(pending(), 0);
    EXPECT_FALSE(head().find("Owner"));
    EXPECT_EQ(raw().scan().count(), 3U) << "two entities and the head";
}

TEST_F(relay_test, takes_three_requests_and_one_for_each_effect) {
    for (std::int32_t id = 0; id < 10; ++id) hire(id);
    auto const before = store->requests();
    EXPECT_EQ(work().applied, 10U);
    EXPECT_EQ(store->requests() - before, 3 + 10U);
    EXPECT_EQ(work().passes, 0U);
    EXPECT_EQ(store->requests() - before, 3 + 10 + 1U);
}

TEST_F(relay_test, commits_with_two_requests) {
    auto const before = store->requests();
    hire(1);
    EXPECT_EQ(store->requests() - before, 2U);
}

TEST_F(relay_test, reads_page_after_page) {
    for (std::int32_t id = 0; id < 25; ++id) hire(id);
    EXPECT_EQ(work({.page_size = 10}).applied, 25U);
    EXPECT_EQ(noted.calls.size(), 25U);
}

TEST_F(relay_test, applies_what_is_committed_meanwhile) {
    hire(1);
    store->act_before(
        [](class store& s) {
            std::shared_ptr<class store> const same{std::shared_ptr<void>{}, &s};
            table<staff> const others{same, "Company"};
            auto t = others.transaction();
            t.insert(staff{"Bonn", 2, "Jun"});
            staff_outbox{others}.commit(t, archive_staff{2, 1});
        },
        3);  // the effect is applied, and not marked yet
    EXPECT_EQ(work().applied, 2U);
    EXPECT_THAT(noted.calls, ElementsAre("1 archive 1 v1", "2 archive 2 v1"));
}

TEST_F(relay_test, gives_handlers_of_each_type_their_effects) {
    auto t = people->transaction();
    t.insert(staff{"Bonn", 1, "Don"});
    box->commit(t, greet_staff{"hello"}, archive_staff{1, 1});
    work();
    EXPECT_THAT(noted.calls, ElementsAre("greet hello", "2 archive 1 v1"));
}

TEST_F(relay_test, reports_the_lag) {
    hire(1);
    now = ticks::now() + tick_duration{1h};
    auto const done = work();
    EXPECT_GE(done.lag, 59min);
    ASSERT_EQ(observer->events.size(), 1U);
    EXPECT_EQ(observer->events[0].lag, done.lag);
    EXPECT_EQ(observer->events[0].applied, 1U);
}

// ---- leases ---------------------------------------------------------------------------------------------------------

TEST_F(relay_test, leaves_a_partition_to_the_relay_that_works_on_it) {
    hire(1);
    lease_to_another(30s);
    EXPECT_EQ(work().end, pass_end::leased_elsewhere);
    now = now + tick_duration{34s};
    EXPECT_EQ(work().end, pass_end::leased_elsewhere) << "within the margin";
    now = now + tick_duration{2s};
    EXPECT_EQ(work().applied, 1U);
}

TEST_F(relay_test, ignores_a_lease_that_no_relay_writes) {
    hire(1);
    lease_to_another(15 * 24h);
    EXPECT_EQ(work().applied, 1U);
}

TEST_F(relay_test, stops_when_another_has_taken_its_lease) {
    hire(1);
    hire(2);
    store->act_before(
        [](class store& s) {
            table<dynamic_entity> const others{{std::shared_ptr<void>{}, &s}, "Company"};
            auto h = *others.find("Bonn", "~outbox_head");
            h.value.set("Owner", *guid::parse("00000000-0000-4000-8000-000000000001"));
            others.replace(h);
        },
        3);
    auto const done = work();
    EXPECT_EQ(done.end, pass_end::lease_lost);
    EXPECT_EQ(done.applied, 0U);
    EXPECT_EQ(pending(), 2) << "the other relay does it again";
}

TEST_F(relay_test, renews_its_lease_between_effects) {
    for (std::int32_t id = 0; id < 4; ++id) hire(id);
    relay const slow{*box,
                     {.lease = 30s, .now = [this] { return now; }},
                     on<archive_staff>([this](archive_staff const&) { now = now + tick_duration{20s}; }),
                     on<greet_staff>([](greet_staff const&) {})};
    auto const before = store->requests();
    EXPECT_EQ(slow.run_once(partition("Bonn")).applied, 4U);
    EXPECT_EQ(store->requests() - before, 3 + 4U) << "each mark renews it";
}

TEST_F(relay_test, refuses_options_that_cannot_be_used) {
    for (auto const lease : {0s, std::chrono::seconds{15 * 24h}})
        EXPECT_THROW(noted.relay_of(*box, {.lease = lease}), error);
    EXPECT_THROW(noted.relay_of(*box, {.attempts = 0}), error);
    EXPECT_THROW(noted.relay_of(*box, {.page_size = 1001}), error);
}

// ---- failures -------------------------------------------------------------------------------------------------------

TEST_F(relay_test, tries_a_failed_effect_again_in_the_next_pass) {
    noted.failing_id = 1;
    noted.failures_left = 1;
    hire(1, 1);
    hire(2, 1);
    hire(1, 2);
    auto const done = work();
    EXPECT_EQ(done.end, pass_end::left);
    EXPECT_EQ(done.failed, 1U);
    EXPECT_EQ(done.pending, 2);
    EXPECT_EQ(done.last_failure->code(), library_errc::effect_failed);
    EXPECT_THAT(noted.calls, ElementsAre("2 archive 2 v1")) << "the later effect of the entity waits";
    wait();
    EXPECT_EQ(work().applied, 2U);
    EXPECT_THAT(noted.calls, ElementsAre("2 archive 2 v1", "1 archive 1 v1", "3 archive 1 v2"));
}

TEST_F(relay_test, waits_longer_after_each_failure) {
    noted.failing_id = 1;
    noted.failures_left = 100;
    hire(1, 1);
    hire(2, 1);
    EXPECT_EQ(work().failed, 1U);
    for (auto const d : {1s, 2s, 4s}) {
        wait(d - 1s);
        auto const early = work();
        EXPECT_EQ(early.failed, 0U) << d.count();
        EXPECT_EQ(early.end, pass_end::left);
        wait(1s);
        EXPECT_EQ(work().failed, 1U) << d.count();
    }
    wait(8s);
    EXPECT_EQ(noted.relay_of(*box, {.now = [this] { return now; }}).sweep().parked, 1U);
}

TEST_F(relay_test, does_not_wait_for_a_time_that_a_wrong_clock_wrote) {
    noted.failing_id = 1;
    noted.failures_left = 1;
    hire(1);
    now = now + tick_duration{24h};
    EXPECT_EQ(work().failed, 1U);
    now = now - tick_duration{24h};
    EXPECT_EQ(work().applied, 1U);
}

TEST_F(relay_test, stores_reasons_of_any_bytes) {
    for (auto const* const text : {"\xff", "\xef\xbf\xbe", "\x01", "\xf0\x9f"}) {
        hire(1);
        EXPECT_EQ(fail_with(text).failed, 1U);
        EXPECT_EQ(fail_with(text, {.attempts = 1}).failed, 0U) << "its time has not come";
        wait();
        EXPECT_EQ(fail_with(text, {.attempts = 1}).parked, 1U);
        EXPECT_THAT(*raw().find("Bonn", first_parked)->value.try_get<std::string>("Reason"), HasSubstr("?"));
        raw().erase_any({"Bonn", first_parked});
        raw().erase_any({"Bonn", "~outbox_head"});
    }
}

TEST_F(relay_test, parks_what_fails_too_often_and_what_is_behind_it) {
    noted.failing_id = 1;
    noted.failures_left = 100;
    hire(1, 1);
    hire(1, 2);
    hire(2, 1);
    for (int i = 0; i < 2; ++i) {
        work({.attempts = 3});
        wait();
    }
    auto const done = work({.attempts = 3});
    EXPECT_EQ(done.parked, 2U);
    EXPECT_EQ(done.end, pass_end::drained);
    hire(1, 3);
    EXPECT_EQ(work({.attempts = 3}).parked, 1U) << "it comes behind the parked ones";
    EXPECT_EQ(parked(), 3);
    auto const row = raw().find("Bonn", first_parked)->value;
    EXPECT_THAT(*row.try_get<std::string>("Reason"), HasSubstr("no archive for 1"));
    EXPECT_THAT(noted.calls, ElementsAre("3 archive 2 v1"));
}

TEST_F(relay_test, reports_that_the_poison_queue_takes_no_message) {
    people.emplace(std::make_shared<denying_store>(store, "work-poison"), "Company");
    box.emplace(*people, outbox_options{"work"});
    noted.failing_id = 1;
    noted.failures_left = 1;
    hire(1);
    hire(2);
    auto const done = work({.attempts = 1});
    EXPECT_EQ(done.applied, 1U);
    EXPECT_EQ(done.pending, 1);
    ASSERT_EQ(observer->events.size(), 1U);
    EXPECT_EQ(observer->events[0].error, service_errc::authorization_permission_mismatch);
}

TEST_F(relay_test, puts_parked_effects_back_in_their_order) {
    noted.failing_id = 1;
    noted.failures_left = 1;
    for (std::int32_t v = 1; v <= 60; ++v) hire(1, v);
    EXPECT_EQ(work({.attempts = 1}).parked, 60U);
    EXPECT_EQ(noted.relay_of(*box).put_back(partition("Bonn")), 60U);
    EXPECT_EQ(parked(), 0);
    EXPECT_EQ(pending(), 60);
    EXPECT_EQ(work().applied, 60U);
    EXPECT_EQ(noted.calls.front(), "1 archive 1 v1");
    EXPECT_EQ(noted.calls.back(), "60 archive 1 v60");
    EXPECT_EQ(noted.relay_of(*box).put_back(partition("Bonn")), 0U);
}

TEST_F(relay_test, puts_nothing_back_while_a_relay_works) {
    noted.failing_id = 1;
    noted.failures_left = 1;
    hire(1);
    work({.attempts = 1});
    lease_to_another(60s);
    EXPECT_TRUE(failed_with(noted.relay_of(*box).try_put_back(partition("Bonn")), library_errc::too_many_conflicts));
}

TEST_F(relay_test, takes_errors_of_any_result_as_failures) {
    hire(1);
    relay const r{*box, on<archive_staff>([this](archive_staff const&) {
                      return people->try_insert({"Bonn", 1, "Jun"});
                  }),
                  on<greet_staff>([](greet_staff const&) {})};
    EXPECT_EQ(r.run_once(partition("Bonn")).failed, 1U) << "the entity exists";
    EXPECT_EQ(pending(), 1);
}

TEST_F(relay_test, takes_errors_of_handlers_as_failures) {
    hire(1);
    relay const r{*box, on<archive_staff>([](archive_staff const&) -> result<void> {
                      return fail(service_errc::server_busy, {.reason = "the archive is closed"});
                  }),
                  on<greet_staff>([](greet_staff const&) { throw 7; })};
    auto const done = r.run_once(partition("Bonn"));
    EXPECT_EQ(done.failed, 1U);
    EXPECT_THAT(done.last_failure->what(), HasSubstr("the archive is closed"));
}

// ---- bad rows -------------------------------------------------------------------------------------------------------

TEST_F(relay_test, ends_at_a_row_that_it_cannot_read) {
    hire(1);
    hire(2);
    auto row = *raw().find("Bonn", "~outbox_pending_0000000000000000001");
    row.value.set("Type", "of_a_later_version");
    raw().replace(row);
    ASSERT_TRUE(failed_with(try_work(), library_errc::another_type));
    EXPECT_THAT(noted.calls, IsEmpty());
    EXPECT_FALSE(head().find("Owner")) << "the lease is given back";
    EXPECT_EQ(observer->events.back().bad_rows, 1U);
    auto const done = work({.skip_bad_rows = true});
    EXPECT_EQ(done.applied, 1U);
    EXPECT_EQ(done.end, pass_end::drained);
    EXPECT_EQ(parked(), 1);
    EXPECT_EQ(*raw().find("Bonn", first_parked)->value.try_get<std::string>("Type"), "of_a_later_version");
}

TEST_F(relay_test, parks_rows_that_it_cannot_read_as_they_are) {
    hire(1, 1);
    hire(1, 2);
    hire(2);
    spoil(first);
    auto const done = work({.skip_bad_rows = true});
    EXPECT_EQ(done.bad_rows, 1U);
    EXPECT_EQ(done.parked, 2U) << "the later effect of the entity is behind it";
    EXPECT_THAT(noted.calls, ElementsAre("3 archive 2 v1"));
    auto const row = raw().find("Bonn", first_parked)->value;
    EXPECT_EQ(*row.try_get<std::string>("Attempts"), "many");
    EXPECT_THAT(*row.try_get<std::string>("Reason"), HasSubstr("another type"));
    EXPECT_FALSE(raw().find("Bonn", first));
}

TEST_F(relay_test, holds_nobody_back_behind_a_bad_row_without_an_entity) {
    hire(1, 1);
    hire(1, 2);
    auto row = *raw().find("Bonn", first);
    row.value.erase("Entity");
    raw().replace(row);
    EXPECT_EQ(work({.skip_bad_rows = true}).applied, 1U);
    EXPECT_EQ(parked(), 1);
}

TEST_F(relay_test, survives_rows_of_any_form) {
    for (auto const* const name : {"Type", "Effect", "Entity", "Commit", "Committed", "Attempts"}) {
        hire(1);
        auto const key = "~outbox_pending_" + std::string(18, '0') + std::to_string(noted.calls.size() + 1);
        auto row = *raw().find("Bonn", key);
        auto good = row;
        row.value.erase(name);
        raw().replace(row);
        EXPECT_FALSE(try_work()) << name;
        row.value.set(name, 1.5);
        raw().replace(row);
        EXPECT_FALSE(try_work()) << name;
        good.etag = row.etag;
        raw().replace(good);
        EXPECT_EQ(work().applied, 1U) << name;
    }
}

TEST_F(relay_test, sets_counts_right_that_a_stranger_left_wrong) {
    hire(1);
    hire(2);
    raw().erase_any({"Bonn", "~outbox_pending_0000000000000000002"});
    EXPECT_EQ(work().applied, 1U);
    EXPECT_EQ(pending(), 0);
}

TEST_F(relay_test, keeps_the_count_of_a_commit_while_it_sets_it_right) {
    hire(1);
    raw().erase_any({"Bonn", "~outbox_pending_0000000000000000001"});
    store->act_before(
        [](class store& s) {
            table<staff> const others{{std::shared_ptr<void>{}, &s}, "Company"};
            auto t = others.transaction();
            t.insert(staff{"Bonn", 2, "Jun"});
            staff_outbox{others}.commit(t, archive_staff{2, 1});
        },
        3);  // head, lease and an empty page have been read
    EXPECT_EQ(work().end, pass_end::left);
    EXPECT_GE(pending(), 1);
    EXPECT_EQ(work().applied, 1U);
    EXPECT_EQ(work().end, pass_end::drained);
    EXPECT_EQ(pending(), 0);
}

// ---- all partitions -------------------------------------------------------------------------------------------------

TEST_F(relay_test, sweeps_all_partitions) {
    hire(1);
    hire(2, 1, "Rome");
    hire(3, 1, "Oslo");
    people->insert({"Wien", 4, "Eve"});
    work();
    auto const done = noted.relay_of(*box).sweep();
    EXPECT_EQ(done.passes, 2U);
    EXPECT_EQ(done.applied, 2U);
}

TEST_F(relay_test, sweeps_on_after_a_partition_that_the_store_refuses) {
    for (auto const* const office : {"Bonn", "Oslo", "Rome"}) hire(1, 1, office);
    store->fail_next(fault::busy, 1);  // the head of the first partition
    auto const swept = noted.relay_of(*box).try_sweep({.retry = retry_policy::none()});
    EXPECT_TRUE(failed_with(swept, service_errc::server_busy));
    EXPECT_EQ(noted.calls.size(), 2U);
    ASSERT_EQ(observer->events.size(), 3U);
    EXPECT_EQ(observer->events[0].error, service_errc::server_busy);
}

TEST_F(relay_test, ends_a_sweep_when_many_partitions_in_a_row_are_refused) {
    for (char c = 'a'; c < 'j'; ++c) hire(1, 1, std::string(1, c));
    for (std::size_t i = 1; i <= 9; ++i) store->fail_next(fault::busy, i);
    auto const before = store->requests();
    EXPECT_FALSE(noted.relay_of(*box).try_sweep({.retry = retry_policy::none()}));
    EXPECT_EQ(store->requests() - before, 1 + 5U);
    EXPECT_EQ(observer->events.size(), 5U) << "each is reported once";
}

TEST_F(relay_test, runs_until_its_deadline) {
    hire(1);
    fixed_clock clock;
    auto const done =
        noted.relay_of(*box, {.sweep_every = 1min}).run({.deadline = clock.now() + 10min, .clock = &clock});
    EXPECT_EQ(done.applied, 1U);
    EXPECT_GE(clock.waits().size(), 9U);
}

TEST_F(relay_test, counts_an_effect_that_stays_pending_once) {
    noted.failing_id = 1;
    noted.failures_left = 1000;
    hire(1);
    fixed_clock clock;
    auto const done =
        noted.relay_of(*box, {.sweep_every = 1min}).run({.deadline = clock.now() + 10min, .clock = &clock});
    EXPECT_GT(done.passes, 5U);
    EXPECT_EQ(done.pending, 1);
}

TEST_F(relay_test, applies_an_effect_again_that_a_stop_left_unmarked) {
    hire(1);
    std::stop_source stop;
    int calls = 0;
    relay const r{*box,
                  {.now = [this] { return now; }},
                  on<archive_staff>([&](archive_staff const&) {
                      ++calls;
                      stop.request_stop();
                  }),
                  on<greet_staff>([](greet_staff const&) {})};
    EXPECT_EQ(r.run({.stop = stop.get_token()}).applied, 0U);
    EXPECT_EQ(r.run_once(partition("Bonn")).end, pass_end::leased_elsewhere) << "the lease was not given back";
    now = now + tick_duration{1min};
    EXPECT_EQ(r.run_once(partition("Bonn")).applied, 1U);
    EXPECT_EQ(calls, 2);
}

TEST_F(relay_test, goes_on_after_faults_of_the_store) {
    hire(1);
    fixed_clock clock;
    store->fail_next(fault::busy);
    store->fail_next(fault::busy, 1);
    auto const done = noted.relay_of(*box, {.sweep_every = 1s})
                          .run({.deadline = clock.now() + 1min, .retry = retry_policy::none(), .clock = &clock});
    EXPECT_EQ(done.applied, 1U);
    ASSERT_GE(observer->events.size(), 2U);
    EXPECT_EQ(observer->events[0].error, service_errc::server_busy);
    EXPECT_THAT(observer->messages[0], Not(IsEmpty()));
}

}  // namespace
}  // namespace tablemap::test

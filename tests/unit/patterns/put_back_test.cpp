// SPDX-License-Identifier: Apache-2.0
#include "tablemap/patterns/relay.hpp"

#include "tablemap/embedded/store.hpp"
#include "tablemap/queue/queue.hpp"
#include "tablemap/testing/faulty_store.hpp"
#include "tablemap/testing/scripted_store.hpp"

#include "support/answers.hpp"
#include "support/endless_store.hpp"
#include "support/outbox_samples.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <optional>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace tablemap::test {
namespace {

using namespace std::chrono_literals;
using tablemap::testing::answer_row;
using tablemap::testing::answer_service;
using tablemap::testing::exchange;
using tablemap::testing::faulty_store;
using tablemap::testing::response_failure;
using tablemap::testing::scripted_store;
using ::testing::HasSubstr;

class put_back : public ::testing::Test {
protected:
    void SetUp() override {
        store = std::make_shared<faulty_store>(value_or_throw(open_embedded({.path = ":memory:"})));
        people.emplace(store, "Company");
        people->create();
        work.emplace(store, "work");
        work->create();
        poison.emplace(store, "work-poison");
    }

    staff_outbox box(std::string queue = "work") { return staff_outbox{*people, {.queue = std::move(queue)}}; }
    auto relay_of(staff_outbox const& o) { return noted.relay_of(o); }

    /// Commits an effect that the first relay parks.
    void park(std::string const& office, std::int32_t id, std::string queue = "work") {
        auto t = people->transaction();
        t.upsert_replace(staff{office, id, "Don"});
        box(queue).commit(t, archive_staff{id, 1});
        relay const failing{box(queue),
                            {.attempts = 1},
                            on<archive_staff>([](archive_staff const&) { throw std::runtime_error{"closed"}; }),
                            on<greet_staff>([](greet_staff const&) {})};
        EXPECT_EQ(failing.run_once(partition(office)).parked, 1U);
        work->clear();
    }

    table<dynamic_entity> raw() { return {store, "Company"}; }
    std::int64_t count(char const* which, std::string const& office = "Bonn") {
        return *raw().find(office, "~outbox_head")->value.try_get<std::int64_t>(which);
    }
    void lease_to_another(tick_duration rest) {
        auto h = *raw().find("Bonn", "~outbox_head");
        h.value.set("Owner", *guid::parse("00000000-0000-4000-8000-000000000001"));
        h.value.set("Until", ticks::now() + rest);
        raw().replace(h);
    }

    std::shared_ptr<faulty_store> store;
    std::optional<table<staff>> people;
    std::optional<queue> work;
    std::optional<queue> poison;
    noted_effects noted;
};

// ---- with a queue ---------------------------------------------------------------------------------------------------

TEST_F(put_back, puts_back_the_partitions_that_the_poison_queue_names) {
    for (auto const* const office : {"Bonn", "Rome"})
        for (std::int32_t id = 1; id <= 2; ++id) park(office, id);
    auto const done = relay_of(box()).put_back();
    EXPECT_EQ(done.effects, 4U);
    EXPECT_EQ(done.partitions, 2U);
    EXPECT_EQ(done.messages_left, 0U);
    EXPECT_EQ(poison->approximate_count(), 0U);
    EXPECT_EQ(work->approximate_count(), 2U) << "one for each partition";
    EXPECT_EQ(relay_of(box()).sweep().applied, 4U);
}

TEST_F(put_back, takes_batch_after_batch) {
    for (std::int32_t id = 1; id <= 40; ++id) park("Bonn", id);
    EXPECT_EQ(relay_of(box()).put_back().effects, 40U);
    EXPECT_EQ(poison->approximate_count(), 0U);
    EXPECT_EQ(work->approximate_count(), 1U);
}

TEST_F(put_back, does_nothing_without_a_poison_queue) {
    auto const done = relay_of(box()).put_back();
    EXPECT_EQ(done.effects + done.partitions + done.messages_left, 0U);
}

TEST_F(put_back, leaves_messages_of_others) {
    poison->create();
    for (auto const* const text :
         {"", "{", "[]", "closed", R"({"kind":"tablemap.outbox.parked","table":"Company","partition":"Bonn"})",
          R"({"kind":"tablemap.outbox","table":"Company","partition":"Bonn"})",
          R"({"kind":"tablemap.outbox.parked","table":"Another","partition":"Bonn","sequence":1})"})
        poison->put(text);
    park("Bonn", 1);
    auto const done = relay_of(box()).put_back();
    EXPECT_EQ(done.effects, 1U);
    EXPECT_EQ(done.messages_left, 7U);
    EXPECT_EQ(poison->peek(32).size(), 7U) << "they are visible at once";
}

TEST_F(put_back, leaves_a_partition_in_which_a_relay_works) {
    park("Bonn", 1);
    park("Rome", 2);
    lease_to_another(tick_duration{60s});
    auto const done = relay_of(box()).put_back();
    EXPECT_EQ(done.busy_partitions, 1U);
    EXPECT_EQ(done.effects, 1U);
    EXPECT_EQ(done.messages_left, 1U);
    EXPECT_THAT(poison->peek(32).at(0).text, HasSubstr(R"("partition":"Bonn")"));
    EXPECT_EQ(count("Parked"), 1);
}

TEST_F(put_back, keeps_the_message_of_an_effect_that_is_not_parked_yet) {
    park("Bonn", 1);
    relay_of(box()).put_back(partition("Bonn"));
    lease_to_another(tick_duration{60s});
    EXPECT_EQ(relay_of(box()).put_back().messages_left, 1U);
}

TEST_F(put_back, keeps_a_relay_whose_lease_is_over_from_parking) {
    park("Bonn", 1);
    relay_of(box()).put_back(partition("Bonn"));
    lease_to_another(tick_duration{-60s});
    auto const etag = raw().find("Bonn", "~outbox_head")->etag;
    EXPECT_EQ(relay_of(box()).put_back().messages_left, 0U);
    EXPECT_NE(raw().find("Bonn", "~outbox_head")->etag, etag) << "what that relay writes meets a conflict";
    EXPECT_FALSE(raw().find("Bonn", "~outbox_head")->value.find("Owner"));
}

TEST_F(put_back, tells_relays_of_effects_that_an_interrupted_call_put_back) {
    park("Bonn", 1);
    relay_of(box()).put_back(partition("Bonn"));
    work->clear();
    EXPECT_EQ(relay_of(box()).put_back().effects, 0U);
    EXPECT_EQ(work->approximate_count(), 1U);
    EXPECT_EQ(poison->approximate_count(), 0U);
}

TEST_F(put_back, goes_on_after_a_partition_that_cannot_be_read) {
    park("Bonn", 1);
    park("Rome", 2);
    auto row = *raw().find("Bonn", "~outbox_parked_0000000000000000001");
    row.value.erase("Effect");
    raw().replace(row);
    auto const done = relay_of(box()).put_back();
    EXPECT_EQ(done.effects, 1U);
    EXPECT_EQ(done.messages_left, 1U);
    EXPECT_EQ(done.last_failure->code(), library_errc::missing_property);
    EXPECT_EQ(count("Pending", "Rome"), 1);
}

TEST_F(put_back, deletes_no_message_if_relays_cannot_be_told) {
    park("Bonn", 1);
    work->delete_queue();
    EXPECT_TRUE(failed_with(relay_of(box()).try_put_back(), service_errc::queue_not_found));
    EXPECT_EQ(poison->peek(32).size(), 1U);
}

TEST_F(put_back, ends_between_two_requests) {
    park("Bonn", 1);
    std::stop_source stop;
    store->act_before([&](class store&) { stop.request_stop(); }, 2);
    auto const before = store->requests();
    EXPECT_TRUE(failed_with(relay_of(box()).try_put_back({.stop = stop.get_token()}), library_errc::cancelled));
    EXPECT_EQ(store->requests() - before, 3U);
    EXPECT_EQ(poison->approximate_count(), 1U);
    EXPECT_EQ(count("Parked"), 1);
}

// ---- its requests ---------------------------------------------------------------------------------------------------

constexpr std::string_view parked_in_bonn =
    R"({"kind":"tablemap.outbox.parked","table":"Company","partition":"Bonn","sequence":1,"effect":"archive_staff"})";
constexpr std::string_view empty_head =
    R"({"PartitionKey":"Bonn","RowKey":"~outbox_head","Next@odata.type":"Edm.Int64","Next":"2",)"
    R"("Pending@odata.type":"Edm.Int64","Pending":"1","Parked@odata.type":"Edm.Int64","Parked":"0"})";

queue_message message(std::string id, std::string_view text) {
    return {.id = id, .receipt = "of " + id, .text = std::string{text}, .dequeue_count = 1};
}

std::vector<exchange> script() {
    service_response page;
    page.messages = {message("1", parked_in_bonn), message("2", "strange"), message("3", parked_in_bonn)};
    std::string const take = "get messages of queue work-poison top 32 hidden for 300 s";
    return {{take, answer_service(page)},
            {take, answer_service({})},
            {"find Company [Bonn] [~outbox_head]", answer_row(std::string{empty_head}, "head")},
            {"put message into queue work [", answer_service({})},
            {"delete message of queue work-poison [1] [of 1]", answer_service({})},
            {"delete message of queue work-poison [3] [of 3]", answer_service({})},
            {"update message of queue work-poison [2] [of 2]", answer_service({})}};
}

result<put_back_report> put_back_on(store_ptr const& s) {
    noted_effects noted;
    return noted.relay_of(staff_outbox{table<staff>{s, "Company"}, {.queue = "work"}})
        .try_put_back({.retry = retry_policy::none()});
}

TEST(put_back_requests, tell_relays_before_messages_are_deleted) {
    auto const scripted = std::make_shared<scripted_store>(script());
    EXPECT_EQ(put_back_on(scripted)->messages_left, 1U);
    EXPECT_THAT(scripted->complaints(), ::testing::IsEmpty());
}

TEST(put_back_requests, fail_with_the_fault_of_any_of_them) {
    for_each_failed_step(script(), response_failure(service_errc::server_busy),
                         [](scripted_store& s, std::size_t step) {
                             auto const done = put_back_on({std::shared_ptr<void>{}, &s});
                             EXPECT_TRUE(failed_with(done, service_errc::server_busy)) << step;
                         });
}

// ---- without a queue ------------------------------------------------------------------------------------------------

TEST_F(put_back, finds_parked_effects_without_a_queue) {
    for (auto const* const office : {"Bonn", "Rome", "Oslo"}) park(office, 1, "");
    lease_to_another(tick_duration{60s});
    auto const done = relay_of(box("")).put_back();
    EXPECT_EQ(done.effects, 2U);
    EXPECT_EQ(done.partitions, 2U);
    EXPECT_EQ(done.busy_partitions, 1U);
    EXPECT_EQ(done.messages_left, 0U);
    EXPECT_EQ(count("Pending", "Rome"), 1);
}

TEST_F(put_back, ends_although_pages_do_not) {
    park("Bonn", 1, "");
    for (std::size_t const places : {std::size_t{2}, no_place_twice}) {
        table<staff> const endless{std::make_shared<endless_store>(store, places), "Company"};
        auto const r = noted.relay_of(staff_outbox{endless}).try_put_back(partition("Bonn"), {.empty_pages = 20});
        ASSERT_FALSE(r);
        EXPECT_EQ(r.error().code(), library_errc::malformed_response);
    }
}

}  // namespace
}  // namespace tablemap::test

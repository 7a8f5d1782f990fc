// SPDX-License-Identifier: Apache-2.0
#include "support/async_calls.hpp"
#include "support/denying_store.hpp"
#include "support/listed_samples.hpp"

#include "tablemap/embedded/store.hpp"
#include "tablemap/patterns/async_table_with_index_entities.hpp"
#include "tablemap/queue/queue.hpp"
#include "tablemap/store/observer.hpp"
#include "tablemap/testing/faulty_store.hpp"
#include "tablemap/testing/fixed_clock.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace tablemap::test {
namespace {

using namespace std::chrono_literals;
using tablemap::testing::fault;
using tablemap::testing::faulty_store;
using tablemap::testing::fixed_clock;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;

using async_listed_table =
    async_table_with_index_entities<listed_employee, index_entity<"last_name", &listed_employee::last_name>,
                                    index_entity_in<"city", "ListedByCity", &listed_employee::city>>;

class keeping_faults final : public observer {
public:
    void index_pass_done(index_event const& e) override { faults.emplace_back(e.table, e.error); }

    std::vector<std::pair<std::string, std::error_code>> faults{};
};

/// Employees whose relays hear of work by a queue. Waits take no time, and a call ends before its second sweep.
class index_entities_queue : public ::testing::Test {
protected:
    void SetUp() override {
        employees.create_if_not_exists();
        work.create();
    }

    static listed_employee from(std::string city) { return {.department = "Sales", .id = 1, .city = std::move(city)}; }
    static index_entity_options told(std::uint32_t deliveries = 5) {
        return {.queue = "work", .deliveries = deliveries};
    }
    index_entity_relay_report run(listed_table const& t) {
        return t.run_relay(1h, {.deadline = clock.now() + 10s, .retry = retry_policy::none(), .clock = &clock});
    }
    void insert_bad_intent() const { table<dynamic_entity>{inner, "Employees"}.insert({"Sales", "~list-intent_bad"}); }
    void insert_intent(std::string of, std::string values) const {
        dynamic_entity intent{"Sales", "~list-intent_other"};
        intent.set("Entity", std::move(of));
        intent.set("Values", std::move(values));
        table<dynamic_entity>{inner, "Employees"}.insert(intent);
    }
    void tell(std::string const& partition) const {
        work.put(R"({"kind":"tablemap.list","table":"Employees","partition":")" + partition + R"("})");
    }
    void expect_kept_message() const {
        EXPECT_EQ(work.approximate_count(), 1U);
        EXPECT_FALSE(queue(inner, "work-poison").exists());
    }
    std::string poison() const {
        std::string all;
        for (auto const& m : queue(inner, "work-poison").peek(32)) all += m.text + "\n";
        return all;
    }

    fixed_clock clock;
    std::shared_ptr<keeping_faults> observer = std::make_shared<keeping_faults>();
    store_ptr inner = with_observer(value_or_throw(open_embedded({.path = ":memory:"})), observer);
    std::shared_ptr<faulty_store> faulty = std::make_shared<faulty_store>(inner);
    listed_table employees{faulty, "Employees", told()};
    listed_table impatient{faulty, "Employees", told(1)};
    queue work{inner, "work"};
};

TEST_F(index_entities_queue, a_write_tells_of_lists_in_other_tables) {
    employees.insert(from("Oslo"));
    auto const messages = work.peek(32);
    ASSERT_EQ(messages.size(), 1U);
    EXPECT_EQ(messages[0].text, R"({"kind":"tablemap.list","table":"Employees","partition":"Sales"})");
}

TEST_F(index_entities_queue, a_write_of_no_such_list_tells_nobody) {
    employees.insert({.department = "Sales", .id = 1, .last_name = "Hall"});
    EXPECT_EQ(work.approximate_count(), 0U);
}

TEST_F(index_entities_queue, a_write_succeeds_although_the_queue_is_gone) {
    work.delete_queue();
    employees.insert(from("Oslo"));
    EXPECT_EQ(run(employees).intents, 1U) << "by the sweep";
}

TEST_F(index_entities_queue, a_relay_works_on_the_partition_of_a_message) {
    employees.insert(from("Oslo"));
    auto const sweep_fails = 8U;  // after the message, the page, five of the entity, and the end of the message
    faulty->fail_next(fault::busy, sweep_fails);
    EXPECT_EQ(run(employees).intents, 1U);
    EXPECT_EQ(employees.find_all_by<"city">("Oslo").size(), 1U);
    EXPECT_EQ(work.approximate_count(), 0U);
}

TEST_F(index_entities_queue, a_relay_tries_a_message_again_before_it_gives_up) {
    insert_bad_intent();
    employees.insert(from("Oslo"));
    EXPECT_EQ(run(employees).intents, 1U);
    EXPECT_EQ(work.approximate_count(), 1U);
    EXPECT_FALSE(queue(inner, "work-poison").exists());
}

TEST_F(index_entities_queue, a_relay_puts_the_reason_of_what_fails_into_the_poison_queue) {
    insert_bad_intent();
    impatient.insert(from("Oslo"));
    EXPECT_GT(run(impatient).failed, 0U);
    EXPECT_THAT(poison(), HasSubstr(R"({"kind":"tablemap.list.failed","table":"Employees","partition":"Sales")"));
    EXPECT_EQ(work.approximate_count(), 0U);
}

/// Keeps the last event.
class pass_observer final : public observer {
public:
    void index_pass_done(index_event const& e) override {
        last = e;
        table = e.table;
    }
    index_event last{};
    std::string table{};
};

TEST_F(index_entities_queue, an_observer_hears_of_each_pass_of_a_relay) {
    auto const seen = std::make_shared<pass_observer>();
    listed_table const watched{with_observer(inner, seen), "Employees"};
    employees.insert(from("Oslo"));
    insert_bad_intent();
    watched.relay(partition("Sales"));
    EXPECT_EQ(seen->table, "Employees");
    EXPECT_EQ(seen->last.entities, 1U);
    EXPECT_EQ(seen->last.intents, 1U);
    EXPECT_EQ(seen->last.written, 1U);
    EXPECT_EQ(seen->last.left, 1U);
    EXPECT_GT(seen->last.lag, 0ns);
    EXPECT_TRUE(seen->last.error);
    watched.relay(partition("Nobody"));
    EXPECT_EQ(seen->last.lag, 0ns);
}

TEST_F(index_entities_queue, a_relay_keeps_a_message_while_the_store_refuses_after_a_lost_response) {
    impatient.insert(from("Oslo"));
    auto const write_of_list = 4U;  // after the message, the page, the list, and the entity
    faulty->fail_next(fault::lost_before, write_of_list);
    faulty->fail_next(fault::busy, write_of_list + 1);
    EXPECT_EQ(run(impatient).last_failure->code(), service_errc::server_busy);
    expect_kept_message();
}

TEST_F(index_entities_queue, a_relay_keeps_a_message_while_rights_are_missing) {
    for (std::string const table_without_rights : {"Employees", "ListedByCity"}) {
        impatient.upsert_replace(from("Oslo " + table_without_rights));
        work.clear();
        tell("Sales");
        auto const denying = std::make_shared<denying_store>(inner, table_without_rights);
        listed_table const refused{denying, "Employees", told(1)};
        auto const done = run(refused);
        ASSERT_TRUE(done.last_failure) << table_without_rights;
        EXPECT_EQ(done.last_failure->code(), service_errc::authorization_permission_mismatch);
        expect_kept_message();
    }
}

TEST_F(index_entities_queue, a_relay_hears_again_of_what_is_put_back) {
    insert_bad_intent();
    tell("Sales");
    EXPECT_TRUE(run(impatient).last_failure);
    table<dynamic_entity>{inner, "Employees"}.erase_any({"Sales", "~list-intent_bad"});
    async_listed_table const employees_async{inner, "Employees", told(1)};
    auto const done = employees_async.put_back(future).get();
    EXPECT_EQ(done.partitions, 1U);
    EXPECT_EQ(impatient.put_back().partitions, 0U) << "the message is gone";
    EXPECT_EQ(done.effects + done.messages_left, 0U);
    EXPECT_EQ(queue(inner, "work-poison").approximate_count(), 0U);
    EXPECT_EQ(work.peek(32).at(0).text, R"({"kind":"tablemap.list","table":"Employees","partition":"Sales"})");
}

TEST_F(index_entities_queue, nothing_is_put_back_without_a_queue) {
    auto const done = listed_table{inner, "Employees"}.try_put_back();
    ASSERT_FALSE(done);
    EXPECT_EQ(done.error().code(), library_errc::value_out_of_range);
    EXPECT_EQ(done.error().member(), "queue");
}

TEST_F(index_entities_queue, a_relay_ends_its_pass_when_the_store_refuses_after_a_lost_response) {
    employees.insert(from("Oslo"));
    employees.insert({.department = "Sales", .id = 2, .city = "Rome"});
    work.clear();
    auto const write_of_list = 3U;  // after the page, the list, and the entity
    faulty->fail_next(fault::lost_before, write_of_list);
    faulty->fail_next(fault::busy, write_of_list + 1);
    auto const done = employees.try_relay(partition("Sales"), {.retry = retry_policy::none(), .clock = &clock});
    ASSERT_FALSE(done);
    EXPECT_EQ(done.error().code(), service_errc::server_busy);
}

TEST_F(index_entities_queue, a_relay_keeps_the_message_of_an_intent_of_another_type) {
    insert_intent("office_1", "city=Oslo\n");
    tell("Sales");
    EXPECT_FALSE(run(impatient).last_failure);
    expect_kept_message();
}

TEST_F(index_entities_queue, a_relay_keeps_the_message_of_an_intent_that_names_unknown_values) {
    insert_intent("empid_000001", "street=x\n");
    tell("Sales");
    EXPECT_EQ(run(impatient).last_failure->code(), library_errc::another_type);
    expect_kept_message();
}

TEST_F(index_entities_queue, a_relay_goes_on_with_the_next_message_at_once_after_a_bad_intent) {
    insert_bad_intent();
    tell("Sales");
    tell("Marketing");
    employees.run_relay(1h, {.deadline = clock.now() + 700ms, .retry = retry_policy::none(), .clock = &clock});
    EXPECT_EQ(work.approximate_count(), 1U);
}

TEST_F(index_entities_queue, a_relay_that_is_stopped_keeps_its_message) {
    employees.insert(from("Oslo"));
    faulty->act_before([this](class store&) { clock.advance(20s); }, 3);
    EXPECT_FALSE(run(employees).last_failure);
    expect_kept_message();
}

TEST_F(index_entities_queue, a_write_tries_a_queue_once_and_reports_what_fails) {
    auto const before = faulty->requests();
    faulty->fail_next(fault::busy, 1);  // after the entity
    employees.insert(from("Oslo"), {.retry = retry_policy::exponential(), .clock = &clock});
    EXPECT_EQ(faulty->requests() - before, 2U);
    EXPECT_EQ(work.approximate_count(), 0U);
    EXPECT_THAT(observer->faults, ElementsAre(Pair("Employees", service_errc::server_busy)));
}

TEST_F(index_entities_queue, a_queue_whose_poison_queue_can_have_no_name_is_refused) {
    EXPECT_NO_THROW((listed_table{inner, "Employees", {.queue = std::string(56, 'q')}}));
    for (auto const& name : {std::string(57, 'q'), std::string{"Work"}, std::string{"-"}})
        EXPECT_THROW((listed_table{inner, "Employees", {.queue = name}}), error);
}

TEST_F(index_entities_queue, no_message_has_no_deliveries) {
    EXPECT_THROW((listed_table{inner, "Employees", told(0)}), error);
}

}  // namespace
}  // namespace tablemap::test

// SPDX-License-Identifier: Apache-2.0
#include "store/replicated.hpp"

#include "support/answers.hpp"
#include "support/operations.hpp"
#include "support/readings.hpp"
#include "support/waiting_stores.hpp"

#include "store/waiting_receiver.hpp"

#include <map>
#include <utility>

namespace tablemap::test {
namespace {

using namespace std::chrono_literals;
using tablemap::testing::answer_ok;
using tablemap::testing::answer_page;
using tablemap::testing::answer_row;
using tablemap::testing::answer_service;
using tablemap::testing::exchange;
using tablemap::testing::response_failure;
using tablemap::testing::scripted_store;
using ::testing::IsEmpty;

auto const busy = response_failure(service_errc::server_busy);
auto const missing = response_failure(service_errc::resource_not_found);
auto const row = answer_row(R"({"PartitionKey":"p","RowKey":"r"})", "E1");
request const point = get_entity{"T", "p", "r"};

/// Two scripts as one store, asked in one way or the other.
class replicated : public ::testing::TestWithParam<bool> {
protected:
    void open(read_from from, std::vector<exchange> primary, std::vector<exchange> secondary) {
        primary_ = std::make_shared<scripted_store>(std::move(primary), capabilities{.name = "first"});
        secondary_ = std::make_shared<scripted_store>(std::move(secondary), capabilities{.name = "second"});
        both_ = make_replicated(primary_, secondary_, from);
    }
    void TearDown() override {
        EXPECT_THAT(primary_->complaints(), IsEmpty());
        EXPECT_THAT(secondary_->complaints(), IsEmpty());
    }

    response ask(request const& r, call_options const& o = {}) {
        if (!GetParam()) return both_->execute(r, o);
        detail::waiting_receiver answer;
        both_->async_execute(r, o, answer);
        return answer.wait();
    }

    store_ptr both_;

private:
    std::shared_ptr<scripted_store> primary_, secondary_;
};
INSTANTIATE_TEST_SUITE_P(, replicated, ::testing::Bool(),
                         [](auto const& how) { return how.param ? "asynchronous" : "blocking"; });

TEST_P(replicated, has_the_capabilities_of_its_primary) {
    open(read_from::secondary, {}, {});
    EXPECT_EQ(both_->capabilities().name, "first");
}

TEST_P(replicated, reads_from_where_it_is_told_to) {
    open(read_from::primary, {{"find", row}}, {});
    EXPECT_TRUE(carried_out(ask(point)));
    TearDown();
    open(read_from::secondary, {}, {{"find", row}});
    EXPECT_TRUE(carried_out(ask(point)));
    TearDown();
    open(read_from::primary_then_secondary, {{"find", row}}, {});
    EXPECT_TRUE(carried_out(ask(point)));
}

TEST_P(replicated, reads_from_where_the_call_says) {
    open(read_from::primary, {{"list tables", answer_service({.tables = {"a"}})}}, {{"find", row}});
    EXPECT_TRUE(carried_out(ask(point, {.read_from = read_from::secondary})));
    EXPECT_TRUE(carried_out(ask(list_tables{})));
}

TEST_P(replicated, reads_from_the_copy_when_the_primary_may_recover) {
    open(read_from::primary_then_secondary, {{"find", busy}}, {{"find T [p] [r]", row}});
    EXPECT_EQ(ask(point).etag.text(), "E1");
}

TEST_P(replicated, does_not_ask_the_copy_after_a_final_failure) {
    open(read_from::primary_then_secondary,
         {{"find", missing}, {"find", response_failure(service_errc::authentication_failed)}}, {});
    EXPECT_TRUE(refused(ask(point), service_errc::resource_not_found));
    EXPECT_TRUE(refused(ask(point), service_errc::authentication_failed));
}

TEST_P(replicated, does_not_believe_a_copy_that_lacks_the_entity) {
    auto asks_to_wait = busy;
    asks_to_wait.retry_after = 7s;
    open(read_from::primary_then_secondary, {{"find", asks_to_wait}}, {{"find", missing}});
    auto const answer = ask(point);
    EXPECT_TRUE(refused(answer, service_errc::server_busy));
    EXPECT_EQ(answer.retry_after, 7s);
}

TEST_P(replicated, says_so_when_only_the_copy_is_asked_and_lacks_the_entity) {
    open(read_from::secondary, {}, {{"find", missing}});
    EXPECT_TRUE(refused(ask(point), service_errc::resource_not_found));
}

TEST_P(replicated, does_not_ask_the_copy_when_the_call_is_over) {
    tablemap::testing::fixed_clock clock;
    open(read_from::primary_then_secondary, {{"find", busy}}, {});
    EXPECT_TRUE(refused(ask(point, {.deadline = clock.now(), .clock = &clock}), service_errc::server_busy));
}

TEST_P(replicated, writes_to_its_primary_alone) {
    auto const lost = response_failure(library_errc::response_lost, outcome::in_doubt);
    open(read_from::secondary, {{"insert", busy}, {"create table", lost}, {"set policies", answer_ok()}}, {});
    write_operation const insertion{.kind = write_kind::insert, .partition_key = "p", .row_key = "r", .body = "{}"};
    EXPECT_TRUE(refused(ask(write_entity{"T", insertion}), service_errc::server_busy));
    EXPECT_EQ(ask(create_table{"T"}).outcome(), outcome::in_doubt);
    EXPECT_TRUE(carried_out(ask(set_access_policies{"T", {}})));
}

TEST_P(replicated, reads_that_must_be_current_come_from_the_primary) {
    open(read_from::secondary,
         {{"find T [p] [r] current", row},
          {"query T", answer_page("{}")},
          {"read policies", answer_service({})},
          {"read properties", answer_service({})}},
         {});
    EXPECT_TRUE(carried_out(ask(get_entity{"T", "p", "r", {}, true})));
    EXPECT_TRUE(carried_out(ask(query_page{.table = "T", .current = true})));
    EXPECT_TRUE(carried_out(ask(get_access_policies{"T"})));
    EXPECT_TRUE(carried_out(ask(get_service_properties{})));
}

TEST_P(replicated, asks_the_copy_for_statistics) {
    open(read_from::primary, {}, {{"read statistics", answer_service({})}});
    EXPECT_TRUE(carried_out(ask(get_service_statistics{})));
}

TEST_P(replicated, pages_stay_with_the_copy_that_began_them) {
    open(read_from::primary_then_secondary, {{"query T", busy}},
         {{"query T", answer_page("{}", continuation{"np", "nr"})},
          {"query T [*] [*] from [np] [nr]", busy},
          {"query T [*] [*] from [np] [nr]", answer_page("{}")}});
    auto const first = ask(query_page{.table = "T"});
    ASSERT_TRUE(carried_out(first));
    request const next = query_page{.table = "T", .from = &*first.next};
    EXPECT_TRUE(refused(ask(next, {.read_from = read_from::primary}), service_errc::server_busy));
    EXPECT_EQ(ask(next, {.read_from = read_from::primary}).next, std::nullopt);
}

TEST_P(replicated, pages_that_must_be_current_do_not_stay_with_the_copy) {
    open(read_from::secondary, {{"query T", busy}}, {{"query T", answer_page("{}", continuation{"np", "nr"})}});
    auto const first = ask(query_page{.table = "T"});
    ASSERT_TRUE(carried_out(first));
    EXPECT_TRUE(
        refused(ask(query_page{.table = "T", .from = &*first.next, .current = true}), service_errc::server_busy));
}

TEST_P(replicated, pages_stay_with_the_primary_that_began_them) {
    open(read_from::primary_then_secondary,
         {{"query T", answer_page("{}", continuation{"np", std::nullopt})}, {"query T [*] [*] from [np]", busy}}, {});
    auto const first = ask(query_page{.table = "T"});
    ASSERT_EQ(first.next, (continuation{"np", std::nullopt}));
    EXPECT_TRUE(refused(ask(query_page{.table = "T", .from = &*first.next}, {.read_from = read_from::secondary}),
                        service_errc::server_busy));
}

TEST_P(replicated, lists_of_tables_stay_with_the_copy_that_began_them) {
    open(read_from::secondary, {},
         {{"list tables", answer_service({.tables = {"a"}, .next_table = "b"})},
          {"list tables from b", answer_service({.tables = {"b"}})}});
    auto const first = ask(list_tables{});
    ASSERT_TRUE(carried_out(first));
    EXPECT_EQ(ask(list_tables{.from = *first.service->next_table}).service->tables, std::vector<std::string>{"b"});
}

TEST_P(replicated, is_tried_again_at_its_primary_first) {
    open(read_from::primary_then_secondary, {{"find", busy}, {"find", row}}, {{"find", missing}});
    tablemap::testing::fixed_clock clock;
    one_request read{point};
    auto const answer = detail::run(*both_, read, {.retry = exact_retry(2), .clock = &clock});
    EXPECT_TRUE(answer);
    EXPECT_EQ(clock.waits(), (std::vector<std::chrono::nanoseconds>{100ms}));
}

// --- real stores -----------------------------------------------------------------------------------------------------

TEST(replicated_query, goes_on_at_the_copy_from_a_cursor_of_another_process) {
    auto const primary = store_of_readings(), copy = store_of_readings();
    put_readings(copy, "a", 0, 25);
    auto const range = [](store_ptr const& s, call_options o = {}) {
        return table<reading>{s, readings_table}.query(partition("a"), std::move(o)).page_size(10);
    };
    auto begun = range(make_replicated(primary, copy, read_from::secondary));
    for (int i = 0; i < 13; ++i) ASSERT_TRUE(value_or_throw(begun.try_next()));
    auto rest = range(make_replicated(primary, copy, read_from::primary)).from(*begun.cursor());
    EXPECT_EQ(numbers_of(rest), counting(13, 25));
}

TEST(replicated_modify, changes_what_the_primary_holds) {
    auto const primary = store_of_readings(), copy = store_of_readings();
    put_readings(primary, "a", 0, 1);
    table<reading> const readings{make_replicated(primary, copy, read_from::secondary), readings_table};
    EXPECT_FALSE(readings.find("a", 0));
    EXPECT_EQ(readings.modify({"a", 0}, [](reading& r) { r.level = 7; }).value.level, 7);
    EXPECT_TRUE(readings.exists());
}

TEST(replicated_async, answers_on_whatever_thread_the_stores_do) {
    auto const primary = std::make_shared<pending_store>(store_of_readings());
    auto const copy = std::make_shared<pending_store>(store_of_readings());
    auto const both = make_replicated(primary, copy, read_from::primary_then_secondary);
    detail::waiting_receiver answer;
    request const r = query_page{.table = readings_table};
    call_options const o;
    both->async_execute(r, o, answer);
    ASSERT_EQ(copy->pending(), 0u);
    ASSERT_TRUE(primary->answer_one(busy));
    ASSERT_TRUE(copy->answer_one());
    EXPECT_TRUE(carried_out(answer.wait()));
}

}  // namespace
}  // namespace tablemap::test

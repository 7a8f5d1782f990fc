// SPDX-License-Identifier: Apache-2.0
#include "tablemap/store/observer.hpp"

#include "store/task_runner.hpp"
#include "store/waiting_receiver.hpp"
#include "support/observing.hpp"
#include "support/operations.hpp"
#include "support/tasks.hpp"
#include "support/waiting_stores.hpp"

#include "tablemap/embedded/store.hpp"
#include "tablemap/open.hpp"
#include "tablemap/store/with_keys.hpp"
#include "tablemap/table/bulk_writer.hpp"
#include "tablemap/table/service.hpp"
#include "tablemap/table/table.hpp"
#include "tablemap/testing/faulty_store.hpp"
#include "store/replicated.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <set>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <vector>

namespace tablemap::test {

struct person {
    std::string team{};
    std::string name{};
    std::int32_t age{};
};

}  // namespace tablemap::test

template <> struct tablemap::mapping<tablemap::test::person> {
    static constexpr auto partition_key = key(part<&test::person::team>);
    static constexpr auto row_key = key(part<&test::person::name>);
};

namespace tablemap::test {
namespace {

using namespace std::chrono_literals;
using tablemap::testing::answer_ok;
using tablemap::testing::answer_row;
using tablemap::testing::fault;
using tablemap::testing::faulty_store;
using tablemap::testing::response_failure;
using tablemap::testing::scripted_store;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

/// A table in memory behind faults, with an observer before them.
class observed_table : public ::testing::Test {
protected:
    void SetUp() override {
        people.create();
        seen->requests.clear();
        seen->operations.clear();
        options.retry = exact_retry(3);
    }

    operation_event const& last() const { return seen->operations.back(); }

    tablemap::testing::fixed_clock clock;
    call_options options{.clock = &clock};
    std::shared_ptr<faulty_store> faults =
        std::make_shared<faulty_store>(value_or_throw(open_embedded({.path = ":memory:"})));
    std::shared_ptr<keeping_observer> seen = std::make_shared<keeping_observer>();
    store_ptr store = with_observer(faults, seen);
    table<person> people{store, "People", {.operation_ids = true}};
};

TEST_F(observed_table, tells_a_request_and_its_operation) {
    people.insert({"Sales", "Don", 34}, options);
    ASSERT_THAT(seen->requests, SizeIs(1));
    auto const& r = seen->requests[0];
    EXPECT_EQ(r.action, "insert");
    EXPECT_EQ(r.table, "People");
    EXPECT_EQ(r.store, "embedded");
    EXPECT_EQ(r.writes, 1u);
    EXPECT_GT(r.bytes_sent, 0u);
    EXPECT_EQ(r.outcome, outcome::applied);
    ASSERT_THAT(seen->operations, SizeIs(1));
    EXPECT_EQ(last().action, "insert");
    EXPECT_EQ(last().table, "People");
    EXPECT_EQ(last().number, r.operation);
    EXPECT_EQ(last().requests, 1u);
    EXPECT_TRUE(last().ok());
}

TEST_F(observed_table, counts_tries_and_their_waits) {
    faults->fail_next(fault::busy);
    faults->fail_next(fault::lost_before, 1);
    people.upsert_replace({"Sales", "Don", 34}, options);
    ASSERT_THAT(seen->requests, SizeIs(3));
    EXPECT_EQ(seen->requests[0].error, service_errc::server_busy);
    EXPECT_EQ(seen->requests[1].outcome, outcome::in_doubt);
    EXPECT_EQ(seen->requests[2].attempt, 3);
    EXPECT_EQ(last().requests, 3u);
    EXPECT_EQ(last().retries, 2u);
    EXPECT_EQ(last().took, 300ms);
    EXPECT_FALSE(last().expected);
    EXPECT_TRUE(last().ok());
}

TEST_F(observed_table, tells_a_write_in_doubt) {
    table<person> const without_tokens{store, "People"};
    faults->fail_next(fault::lost_after);
    EXPECT_FALSE(without_tokens.try_insert({"Sales", "Don", 34}, options));
    EXPECT_EQ(last().error, library_errc::response_lost);
    EXPECT_EQ(last().outcome, outcome::in_doubt);
    EXPECT_THAT(std::string{last().message}, HasSubstr("in doubt"));
}

TEST_F(observed_table, takes_what_is_not_there_for_a_success_where_that_was_asked) {
    EXPECT_FALSE(people.find("Sales", "Don"));
    EXPECT_FALSE(people.erase_any({"Sales", "Don"}));
    EXPECT_FALSE(people.create_if_not_exists());
    table<person> const others{store, "Others"};
    EXPECT_FALSE(others.exists());
    EXPECT_FALSE(others.delete_if_exists());
    ASSERT_THAT(seen->operations, SizeIs(5));
    for (auto const& e : seen->operations) {
        EXPECT_TRUE(e.ok()) << e.action;
        EXPECT_TRUE(e.expected) << e.action;
    }
    EXPECT_EQ(seen->operations[2].expected, service_errc::table_already_exists);
}

TEST_F(observed_table, names_a_modify_and_what_it_met) {
    EXPECT_FALSE(people.try_modify({"Sales", "Don"}, [](person& p) { ++p.age; }));
    EXPECT_EQ(last().action, "modify");
    EXPECT_EQ(last().error, service_errc::resource_not_found);
    people.insert({"Sales", "Don", 34});
    people.modify({"Sales", "Don"}, [](person& p) { ++p.age; });
    EXPECT_EQ(last().requests, 2u);
    EXPECT_EQ(last().retries, 0u);
}

TEST_F(observed_table, tells_that_a_function_of_the_user_threw) {
    people.insert({"Sales", "Don", 34});
    EXPECT_THROW(people.modify({"Sales", "Don"}, [](person&) { throw std::domain_error{"no"}; }), std::domain_error);
    EXPECT_EQ(last().action, "modify");
    EXPECT_TRUE(last().interrupted);
    EXPECT_FALSE(last().ok());
    EXPECT_EQ(last().outcome, outcome::not_applied);
}

TEST_F(observed_table, tells_failures_before_anything_is_sent) {
    std::stop_source stopped;
    stopped.request_stop();
    EXPECT_FALSE(people.try_find({"Sales", "Don"}, {.stop = stopped.get_token()}));
    EXPECT_EQ(last().error, library_errc::cancelled);
    EXPECT_EQ(last().requests, 0u);
    EXPECT_FALSE(people.try_insert({"Sal/es", "Don", 34}));
    EXPECT_EQ(last().error, library_errc::invalid_key);
    EXPECT_EQ(last().requests, 0u);
    EXPECT_THAT(seen->requests, IsEmpty());
}

TEST_F(observed_table, says_nothing_of_what_needs_no_request) {
    auto e = people.insert({"Sales", "Don", 34});
    auto const before = seen->operations.size();
    EXPECT_FALSE(people.merge(e, changed_since(e.value)));
    EXPECT_THAT(seen->operations, SizeIs(before));
}

TEST_F(observed_table, tells_the_pages_of_a_query) {
    for (auto const* name : {"A", "B", "C"}) people.insert({"Sales", name, 1});
    seen->operations.clear();
    std::size_t rows = 0;
    for (auto const& e : people.query(partition("Sales")).page_size(2)) rows += e.value.name.size();
    EXPECT_EQ(rows, 3u);
    EXPECT_THAT(seen->operations, SizeIs(2));
    EXPECT_EQ(last().action, "query");
    EXPECT_EQ(last().table, "People");
    people.query(partition("Sales")).count();
    EXPECT_EQ(last().action, "count");
}

TEST_F(observed_table, tells_a_transaction_with_its_operations) {
    auto t = people.transaction();
    t.insert(person{"Sales", "A", 1});
    t.insert(person{"Sales", "B", 1});
    t.commit();
    EXPECT_EQ(last().action, "commit");
    EXPECT_EQ(seen->requests.back().writes, 2u);
}

TEST_F(observed_table, tells_a_bulk_write_as_one_operation) {
    std::vector<person> all;
    for (int i = 0; i < 250; ++i) all.push_back({"Sales", std::to_string(i), i});
    faults->fail_next(fault::busy);
    EXPECT_TRUE(people.insert_many(all, {}, options).complete());
    ASSERT_THAT(seen->operations, SizeIs(1));
    EXPECT_EQ(last().action, "insert_many");
    EXPECT_EQ(last().requests, 4u);
    EXPECT_EQ(last().retries, 1u);
    EXPECT_EQ(seen->requests.size(), 4u);
    EXPECT_THAT(seen->requests, Each(Field(&request_event::operation, last().number)));
    EXPECT_TRUE(people.erase_where(people.scan()).complete());
    EXPECT_EQ(last().action, "erase_where");
}

TEST_F(observed_table, tells_rows_of_a_bulk_write_that_are_in_doubt) {
    table<person> const without_tokens{store, "People"};
    options.retry = retry_policy::none();
    faults->fail_next(fault::lost_after);
    auto const report = without_tokens.insert_many(std::vector<person>{{"Sales", "Don", 34}}, {}, options);
    ASSERT_EQ(report.totals.in_doubt, 1u);
    EXPECT_EQ(last().outcome, outcome::in_doubt);
    EXPECT_FALSE(last().error);
}

TEST_F(observed_table, tells_why_a_bulk_write_did_not_send_all) {
    std::stop_source stopped;
    stopped.request_stop();
    options.stop = stopped.get_token();
    auto const report = people.insert_many(std::vector<person>{{"Sales", "Don", 34}}, {}, options);
    ASSERT_TRUE(report.ended_by);
    EXPECT_EQ(last().error, library_errc::cancelled);
    EXPECT_EQ(last().outcome, outcome::not_applied);
    EXPECT_EQ(last().requests, 0u);
}

TEST_F(observed_table, tells_a_bulk_writer_when_it_ends) {
    {
        bulk_writer<person> w{people};
        w.insert({"Sales", "A", 1});
        EXPECT_TRUE(w.finish().complete());
        EXPECT_TRUE(last().ok());
        EXPECT_EQ(last().action, "bulk write");
    }
    EXPECT_THAT(seen->operations, SizeIs(1));
    {
        bulk_writer<person> unfinished{people};
        unfinished.insert({"Sales", "B", 1});
        unfinished.flush();
    }
    EXPECT_TRUE(last().interrupted);
    EXPECT_EQ(last().outcome, outcome::applied);
    EXPECT_EQ(last().table, "People");
}

TEST_F(observed_table, tells_a_page_that_was_read_ahead_with_the_page_before_it) {
    for (auto const* name : {"A", "B", "C"}) people.insert({"Sales", name, 1});
    seen->requests.clear();
    seen->operations.clear();
    std::size_t rows = 0;
    for (auto const& e : people.query(partition("Sales")).page_size(2).read_ahead()) rows += e.value.name.size();
    EXPECT_EQ(rows, 3u);
    ASSERT_THAT(seen->operations, SizeIs(2));
    ASSERT_THAT(seen->requests, SizeIs(2));
    for (auto const& r : seen->requests) EXPECT_EQ(r.operation, seen->operations[0].number);
    for (auto const& o : seen->operations) EXPECT_EQ(o.requests, 1u);
}

TEST_F(observed_table, counts_no_request_that_the_deadline_kept_from_being_sent) {
    options.deadline = clock.now() + 150ms;
    faults->fail_next(fault::late_before);
    EXPECT_FALSE(people.try_find({"Sales", "Don"}, options));
    EXPECT_EQ(last().error, library_errc::deadline_exceeded);
    EXPECT_EQ(last().requests, 1u);
    EXPECT_EQ(last().took, 150ms);
}

// ---- the store and its decorators -----------------------------------------------------------------------------------

TEST(observed, is_an_option_of_open_as_well) {
    auto const seen = std::make_shared<keeping_observer>();
    table<person>{open("embedded::memory:", {.observer = seen}), "People"}.create();
    EXPECT_THAT(seen->requests, SizeIs(1));
    EXPECT_THAT(seen->operations, SizeIs(1));
}

TEST(observed, tells_both_of_two_observers) {
    auto const inner = std::make_shared<keeping_observer>(), outer = std::make_shared<keeping_observer>();
    auto const s = with_observer(with_observer(value_or_throw(open_embedded({.path = ":memory:"})), inner), outer);
    table<person>{s, "People"}.create();
    for (auto const& o : {inner, outer}) {
        EXPECT_THAT(o->requests, SizeIs(1));
        EXPECT_THAT(o->operations, SizeIs(1));
    }
}

class throwing_observer final : public observer {
public:
    void request_done(request_event const&) override { throw std::domain_error{"request"}; }
    void operation_done(operation_event const&) override { throw std::domain_error{"operation"}; }
};

TEST(observed, tells_an_observer_beside_one_that_throws) {
    auto const seen = std::make_shared<keeping_observer>();
    auto const s = with_observer(
        with_observer(value_or_throw(open_embedded({.path = ":memory:"})), std::make_shared<throwing_observer>()),
        seen);
    table<person> const people{s, "People"};
    EXPECT_THROW(people.create(), std::domain_error);
    EXPECT_THAT(seen->requests, SizeIs(1));
    ASSERT_THAT(seen->operations, SizeIs(1));
    EXPECT_EQ(seen->operations[0].outcome, outcome::applied);
}

TEST(observed, lets_what_an_observer_throws_out_of_a_request_of_no_operation) {
    auto const s =
        with_observer(value_or_throw(open_embedded({.path = ":memory:"})), std::make_shared<throwing_observer>());
    request const r = create_table{"T"};
    EXPECT_THROW(s->execute(r, {}), std::domain_error);
    detail::waiting_receiver told;
    call_options const options{};
    request const second = create_table{"U"};
    s->async_execute(second, options, told);
    EXPECT_EQ(told.wait().outcome(), outcome::in_doubt);
}

TEST(observed, tells_of_a_store_that_throws) {
    class throwing final : public store {
    public:
        tablemap::capabilities const& capabilities() const noexcept override { return can_; }
        response execute(request const&, call_options const&) override { throw std::bad_alloc{}; }

    private:
        tablemap::capabilities can_{.name = "throwing"};
    };
    auto const seen = std::make_shared<keeping_observer>();
    table<person> const people{with_observer(std::make_shared<throwing>(), seen), "People"};
    EXPECT_THROW(people.insert({"Sales", "Don", 34}), std::bad_alloc);
    EXPECT_EQ(seen->requests.at(0).outcome, outcome::in_doubt);
    EXPECT_TRUE(seen->operations.at(0).interrupted);
    EXPECT_EQ(seen->operations.at(0).outcome, outcome::in_doubt);
}

TEST(observed, tells_of_an_unfinished_call_that_a_write_was_applied_whose_etag_did_not_come) {
    auto const seen = std::make_shared<keeping_observer>();
    auto const no_etag = response_failure(library_errc::malformed_response, outcome::applied);
    auto const s = std::make_shared<scripted_store>(std::vector<tablemap::testing::exchange>{{"insert", no_etag}});
    {
        bulk_writer<person> unfinished{table<person>{with_observer(s, seen), "People"}};
        unfinished.insert({"Sales", "A", 1});
        unfinished.flush();
    }
    ASSERT_THAT(seen->operations, SizeIs(1));
    EXPECT_TRUE(seen->operations[0].interrupted);
    EXPECT_EQ(seen->operations[0].outcome, outcome::applied);
}

TEST(observed, tells_each_place_that_a_read_was_sent_to) {
    auto const seen = std::make_shared<keeping_observer>();
    auto const busy = std::make_shared<scripted_store>(
        std::vector<tablemap::testing::exchange>{{"find", response_failure(service_errc::server_busy)}});
    auto answer = answer_row(R"({"PartitionKey":"p","RowKey":"r"})", "E");
    answer.trip = std::make_shared<round_trip>(round_trip{.status = 200, .request_id = "theirs", .secondary = true});
    auto const copy = std::make_shared<scripted_store>(std::vector<tablemap::testing::exchange>{{"find", answer}});
    auto const both =
        make_replicated(with_observer(busy, seen), with_observer(copy, seen), read_from::primary_then_secondary);
    EXPECT_TRUE(detail::run(*both, one_request{get_entity{"T", "p", "r"}}, {}));
    ASSERT_THAT(seen->requests, SizeIs(2));
    EXPECT_FALSE(seen->requests[0].secondary);
    EXPECT_TRUE(seen->requests[1].secondary);
    ASSERT_THAT(seen->operations, SizeIs(1));
    EXPECT_EQ(seen->operations[0].requests, 1u);
    EXPECT_EQ(seen->operations[0].server_request_id, "theirs");
}

/// A watched remote store that answers a find so.
store_ptr remote_store(response answer, std::shared_ptr<observer> by) {
    std::vector<tablemap::testing::exchange> script{{"find", std::move(answer)}};
    return with_observer(std::make_shared<scripted_store>(script, capabilities{.name = "scripted", .remote = true}),
                         std::move(by));
}

TEST(observed, tells_no_request_that_a_remote_store_refused_to_send) {
    auto const seen = std::make_shared<keeping_observer>();
    auto const s = remote_store(response_failure(library_errc::credential_failed), seen);
    EXPECT_FALSE(detail::run(*s, one_request{get_entity{"T", "p", "r"}}, {.retry = retry_policy::none()}));
    EXPECT_THAT(seen->requests, IsEmpty());
    ASSERT_THAT(seen->operations, SizeIs(1));
    EXPECT_EQ(seen->operations[0].requests, 0u);
    EXPECT_EQ(seen->operations[0].error, library_errc::credential_failed);
}

TEST(observed, tells_a_request_that_found_no_connection) {
    auto const seen = std::make_shared<keeping_observer>();
    auto answer = response_failure(transport_errc::cannot_connect);
    answer.trip = std::make_shared<round_trip>(round_trip{.client_request_id = "sent"});
    auto const s = remote_store(answer, seen);
    EXPECT_FALSE(detail::run(*s, one_request{get_entity{"T", "p", "r"}}, {.retry = retry_policy::none()}));
    ASSERT_THAT(seen->requests, SizeIs(1));
    EXPECT_EQ(seen->requests[0].bytes_sent, 0u);
    EXPECT_EQ(seen->operations.at(0).requests, 1u);
    EXPECT_EQ(seen->operations.at(0).client_request_id, "sent");
}

// ---- ids of requests ------------------------------------------------------------------------------------------------

/// A remote store that keeps the ids that it was sent.
class id_keeper final : public store {
public:
    explicit id_keeper(std::vector<tablemap::testing::exchange> script)
        : script_(std::move(script), {.name = "scripted", .remote = true}) {}

    tablemap::capabilities const& capabilities() const noexcept override { return script_.capabilities(); }
    store_context const& context() const noexcept override { return script_.context(); }
    response execute(request const& r, call_options const& o) override {
        ids.push_back(o.request_id);
        return script_.execute(r, o);
    }
    std::vector<std::string> ids{};

private:
    scripted_store script_;
};

std::vector<tablemap::testing::exchange> busy_once() {
    return {{"find", response_failure(service_errc::server_busy)}, {"find", answer_ok()}};
}

TEST(request_ids, are_the_same_for_all_tries_of_an_operation) {
    tablemap::testing::fixed_clock clock;
    id_keeper s{busy_once()};
    static_cast<void>(
        detail::run(s, one_request{get_entity{"T", "p", "r"}}, {.retry = exact_retry(2), .clock = &clock}));
    ASSERT_THAT(s.ids, SizeIs(2));
    EXPECT_TRUE(guid::parse(s.ids[0]));
    EXPECT_EQ(s.ids[0], s.ids[1]);
}

TEST(request_ids, are_the_callers_where_it_names_one) {
    tablemap::testing::fixed_clock clock;
    id_keeper s{busy_once()};
    static_cast<void>(detail::run(s, one_request{get_entity{"T", "p", "r"}},
                                  {.retry = exact_retry(2), .request_id = "mine", .clock = &clock}));
    EXPECT_THAT(s.ids, ElementsAre("mine", "mine"));
}

TEST(observed, tells_the_number_of_the_try_of_each_of_several_requests) {
    auto const seen = std::make_shared<keeping_observer>();
    auto const late = std::make_shared<pending_store>(always_found());
    auto const s = with_observer(late, seen);
    auto const policy = exact_retry(2);
    tablemap::testing::fixed_clock clock;
    call_options const o{.clock = &clock};
    detail::call_context call{*s, o};
    auto const first = read_beside_each_other({{"a", "b", "c"}, 2});
    detail::task_engine engine{call.env(), policy};
    engine.begin(first.get(), first.get().promise());
    detail::task_runner runner{*s, call, engine, detail::id_scope::operation};
    auto const go_on = [&] {
        while (runner.step(false)) {
        }
    };
    go_on();
    auto busy = response_failure(service_errc::server_busy);
    busy.trip = std::make_shared<round_trip const>();
    late->answer_one(busy);
    go_on();
    clock.advance(100ms);
    go_on();  // a is sent again
    late->answer_one();
    go_on();  // c is sent while a is under way
    late->answer_all();
    go_on();
    std::vector<int> tries;
    for (auto const& e : seen->requests) tries.push_back(e.attempt);
    EXPECT_THAT(tries, ElementsAre(1, 1, 2, 1));
}

/// Each request has an id of its own.
struct reading_call : detail::plain_call<std::vector<std::string>> {
    using plain_call::plain_call;
    static constexpr auto ids = detail::id_scope::request;
};

TEST(request_ids, differ_between_the_requests_of_a_bulk_call_but_not_between_their_tries) {
    tablemap::testing::fixed_clock clock;
    auto script = busy_once();
    script.push_back({"find", answer_ok()});
    id_keeper s{script};
    static_cast<void>(detail::run(s, reading_call{read_beside_each_other({{"a", "b"}, 1})},
                                  {.retry = exact_retry(2), .clock = &clock}));
    ASSERT_THAT(s.ids, SizeIs(3));
    EXPECT_EQ(s.ids[0], s.ids[1]);
    EXPECT_NE(s.ids[1], s.ids[2]);
    EXPECT_TRUE(guid::parse(s.ids[2]));
}

detail::task<result<std::vector<std::string>>> read_both_at_once() {
    std::vector<request> const reads{get_entity{"T", "p", "a"}, get_entity{"T", "p", "b"}};
    auto const answers = co_await detail::ask_all(reads);
    std::vector<std::string> etags;
    for (auto const& a : answers) etags.push_back(a.etag.text());
    co_return etags;
}

TEST(request_ids, stay_with_their_requests_where_some_of_several_are_tried_again) {
    tablemap::testing::fixed_clock clock;
    id_keeper s{{{"find T [p] [a]", answer_ok()},
                 {"find T [p] [b]", response_failure(service_errc::server_busy)},
                 {"find T [p] [b]", answer_ok()}}};
    static_cast<void>(detail::run(s, reading_call{read_both_at_once()}, {.retry = exact_retry(2), .clock = &clock}));
    ASSERT_THAT(s.ids, SizeIs(3));
    EXPECT_NE(s.ids[0], s.ids[1]);
    EXPECT_EQ(s.ids[1], s.ids[2]);
}

TEST(request_ids, stay_in_the_error_when_there_is_no_time_for_another_try) {
    tablemap::testing::fixed_clock clock;
    auto busy = response_failure(service_errc::server_busy);
    busy.failure = error{service_errc::server_busy, {.request_id = "theirs", .client_request_id = "mine"}};
    scripted_store s{{{"find", busy}}};
    auto const r = detail::run(s, one_request{get_entity{"T", "p", "r"}},
                               {.deadline = clock.now() + 1ms, .retry = exact_retry(2), .clock = &clock});
    ASSERT_FALSE(r);
    EXPECT_EQ(r.error().details().request_id, "theirs");
    EXPECT_EQ(r.error().details().client_request_id, "mine");
}

}  // namespace
}  // namespace tablemap::test

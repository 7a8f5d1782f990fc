// SPDX-License-Identifier: Apache-2.0
#include "tablemap/queue/async_queue.hpp"

#include "support/answers.hpp"
#include "support/async_calls.hpp"
#include "support/observing.hpp"
#include "support/operations.hpp"

#include "tablemap/embedded/store.hpp"

#include <memory>
#include <string>
#include <vector>

namespace tablemap::test {
namespace {

using namespace std::chrono_literals;
using tablemap::testing::answer_service;
using tablemap::testing::exchange;
using tablemap::testing::response_failure;
using tablemap::testing::scripted_store;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

/// Longer than the small buffer of a string, so that the sanitizers find a copy that was not kept.
std::string const long_text = "a text that is longer than the small buffer of a string";

// --- on a store ------------------------------------------------------------------------------------------------------

class async_queue_in_memory : public ::testing::Test {
protected:
    async_queue_in_memory() { tasks.create(future).get(); }

    store_ptr const store = value_or_throw(open_embedded({.path = ":memory:"}));
    async_queue const tasks{store, "tasks"};
};

TEST_F(async_queue_in_memory, completes_a_coroutine_for_every_operation_on_messages) {
    run([](async_queue const& q) -> asio::awaitable<void> {
        auto const put = co_await q.put(std::string{long_text}, awaited);
        auto const got = co_await q.get(awaited);
        EXPECT_EQ(got.at(0).id, put.id);
        EXPECT_EQ(got.at(0).text, long_text);
        auto const renewed = co_await q.update(got.at(0), 1min, awaited);
        auto const changed = co_await q.update(renewed, 0s, long_text + "!", awaited);
        auto const seen = co_await q.peek(awaited);
        EXPECT_EQ(seen.at(0).text, long_text + "!");
        co_await q.erase(changed, awaited);
        EXPECT_EQ(co_await q.approximate_count(awaited), 0U);
        co_await q.put("b", awaited);
        co_await q.clear(awaited);
        EXPECT_THAT(co_await q.peek(32, awaited), IsEmpty());
    }(tasks));
}

TEST_F(async_queue_in_memory, completes_a_coroutine_for_every_operation_on_itself) {
    run([](async_queue const q) -> asio::awaitable<void> {
        EXPECT_FALSE(co_await q.create_if_not_exists(awaited));
        EXPECT_TRUE(co_await q.exists(awaited));
        EXPECT_TRUE(co_await q.delete_if_exists(awaited));
        EXPECT_FALSE(co_await q.delete_if_exists(awaited));
        EXPECT_FALSE(co_await q.exists(awaited));
        co_await q.create(awaited);
        co_await q.delete_queue(awaited);
        EXPECT_TRUE(co_await q.create_if_not_exists(awaited));
    }(tasks));
}

TEST_F(async_queue_in_memory, takes_numbers_times_and_options_before_the_token) {
    call_options const o{.request_id = long_text};
    for (int i = 0; i < 6; ++i) tasks.put("a", o, future).get();
    EXPECT_THAT(tasks.get(future).get(), SizeIs(1));
    EXPECT_THAT(tasks.get(o, future).get(), SizeIs(1));
    EXPECT_THAT(tasks.get(2, future).get(), SizeIs(2));
    EXPECT_THAT(tasks.get(1, o, future).get(), SizeIs(1));
    auto const last = tasks.get(32, 1min, o, future).get();
    ASSERT_THAT(last, SizeIs(1));
    EXPECT_THAT(tasks.peek(32, o, future).get(), IsEmpty());
    EXPECT_THAT(tasks.peek(o, future).get(), IsEmpty());
    auto const renewed = tasks.update(last[0], 1min, o, future).get();
    tasks.erase(tasks.update(renewed, 1min, "b", o, future).get(), o, future).get();
    EXPECT_EQ(tasks.approximate_count(o, future).get(), 5U);
}

TEST_F(async_queue_in_memory, hides_a_message_from_its_beginning) {
    tasks.put("later", {.hidden_for = 1h, .time_to_live = 2h}, future).get();
    message_times const later{.hidden_for = 1h};
    tasks.put("later", later, call_options{}, future).get();
    EXPECT_THAT(tasks.peek(32, future).get(), IsEmpty());
    EXPECT_EQ(tasks.approximate_count(future).get(), 2U);
}

TEST_F(async_queue_in_memory, reports_the_errors_of_a_queue) {
    EXPECT_TRUE(failed_with(outcome_of(tasks.create(future)), service_errc::queue_already_exists));
    tasks.put("a", future).get();
    auto const got = tasks.get(future).get().at(0);
    tasks.update(got, 1min, future).get();
    EXPECT_TRUE(failed_with(outcome_of(tasks.erase(got, future)), service_errc::pop_receipt_mismatch));
    EXPECT_TRUE(failed_with(outcome_of(tasks.get(33, future)), service_errc::out_of_range_query_parameter_value));
    auto const missing = outcome_of(async_queue(store, "missing").put("secret text", future));
    ASSERT_TRUE(failed_with(missing, service_errc::queue_not_found));
    EXPECT_THAT(missing.error().what(), HasSubstr("put message into queue 'missing'"));
    EXPECT_THAT(missing.error().what(), Not(HasSubstr("secret")));
}

TEST_F(async_queue_in_memory, goes_on_after_it_is_destroyed) {
    auto const put = async_queue{store, "tasks"}.put(std::string{long_text}, future).get();
    EXPECT_FALSE(put.id.empty());
}

TEST_F(async_queue_in_memory, reports_its_operations_as_a_queue_does) {
    auto const seen = std::make_shared<keeping_observer>();
    auto const observed = with_observer(store, seen);
    async_queue{observed, "tasks"}.put("a", future).get();
    EXPECT_FALSE(async_queue(observed, "missing").exists(future).get());
    ASSERT_THAT(seen->operations, SizeIs(2));
    EXPECT_EQ(seen->operations[0].action, "put message into queue");
    EXPECT_EQ(seen->operations[0].table, "tasks");
    EXPECT_FALSE(seen->operations[1].error) << "that it is not there is the answer";
}

TEST(async_queue_name, breaks_no_rule) {
    auto const store = value_or_throw(open_embedded({.path = ":memory:"}));
    EXPECT_THROW(async_queue(store, "Tasks"), error);
    EXPECT_EQ(async_queue(store, "tasks").name(), "tasks");
}

// --- on a script -----------------------------------------------------------------------------------------------------

auto const lost = response_failure(library_errc::response_lost, outcome::in_doubt);
auto const absent = response_failure(service_errc::queue_not_found);

response created(bool by_us) { return answer_service({.created = by_us}); }

class async_queue_script : public ::testing::Test {
protected:
    async_queue with(std::vector<exchange> script) {
        store_ = std::make_shared<scripted_store>(std::move(script));
        return async_queue{with_observer(store_, seen), "tasks"};
    }
    void TearDown() override { EXPECT_THAT(store_->complaints(), IsEmpty()); }

    std::shared_ptr<keeping_observer> const seen = std::make_shared<keeping_observer>();

    tablemap::testing::fixed_clock clock{1};
    call_options twice{.retry = exact_retry(2), .clock = &clock};

private:
    std::shared_ptr<scripted_store> store_;
};

TEST_F(async_queue_script, that_is_there_after_a_lost_answer_is_created_by_nobody_knows_whom) {
    std::vector<exchange> const script{{"create queue", lost}, {"create queue", created(false)}};
    auto const made = with(script).create_if_not_exists(twice, future).get();
    ASSERT_FALSE(made.is_known());
    EXPECT_THAT(made.doubt()->what(), HasSubstr("queue 'tasks'"));
    auto const created = outcome_of(with(script).create(twice, future));
    ASSERT_TRUE(failed_with(created, library_errc::response_lost));
    EXPECT_EQ(created.error().outcome(), outcome::in_doubt);
}

TEST_F(async_queue_script, that_is_there_after_a_busy_answer_is_not_its_own) {
    auto const busy = response_failure(service_errc::server_busy);
    EXPECT_FALSE(
        with({{"create queue", busy}, {"create queue", created(false)}}).create_if_not_exists(twice, future).get());
}

TEST_F(async_queue_script, that_is_gone_after_a_lost_answer_is_deleted_by_nobody_knows_whom) {
    std::vector<exchange> const script{{"delete queue", lost}, {"delete queue", absent}};
    EXPECT_FALSE(with(script).delete_if_exists(twice, future).get().is_known());
    ASSERT_THAT(seen->operations, SizeIs(1));
    EXPECT_EQ(seen->operations[0].outcome, outcome::in_doubt);
}

TEST_F(async_queue_script, does_not_repeat_a_put_whose_answer_is_lost) {
    auto const r = outcome_of(with({{"put message into queue tasks [a]", lost}}).put("a", twice, future));
    ASSERT_FALSE(r);
    EXPECT_EQ(r.error().outcome(), outcome::in_doubt);
    EXPECT_THAT(r.error().what(), HasSubstr("the message may be in the queue"));
}

TEST_F(async_queue_script, stops_at_the_deadline) {
    twice.deadline = clock.now() - 1s;
    EXPECT_TRUE(failed_with(outcome_of(with({}).get(1, 30s, twice, future)), library_errc::deadline_exceeded));
}

}  // namespace
}  // namespace tablemap::test

// SPDX-License-Identifier: Apache-2.0
#include "tablemap/queue/queue.hpp"

#include "support/answers.hpp"
#include "support/observing.hpp"
#include "support/operations.hpp"

#include "tablemap/embedded/store.hpp"
#include "tablemap/store/log_observer.hpp"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace tablemap::test {
namespace {

using namespace std::chrono_literals;
using tablemap::testing::answer_ok;
using tablemap::testing::answer_service;
using tablemap::testing::exchange;
using tablemap::testing::response_failure;
using tablemap::testing::scripted_store;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

// --- on a store ------------------------------------------------------------------------------------------------------

class queue_in_memory : public ::testing::Test {
protected:
    queue_in_memory() { tasks.create(); }

    store_ptr const store = value_or_throw(open_embedded({.path = ":memory:"}));
    queue const tasks{store, "tasks"};
};

TEST_F(queue_in_memory, gives_what_was_put) {
    auto const put = tasks.put("hello");
    auto const got = tasks.get();
    ASSERT_EQ(got.size(), 1u);
    EXPECT_EQ(got[0].text, "hello");
    EXPECT_EQ(got[0].id, put.id);
    EXPECT_THAT(tasks.get(), IsEmpty());
    tasks.erase(got[0]);
    EXPECT_EQ(tasks.approximate_count(), 0u);
}

TEST_F(queue_in_memory, renews_a_message_and_changes_its_text) {
    tasks.put("a");
    auto const got = tasks.get().at(0);
    auto const renewed = tasks.update(got, 1min);
    auto const changed = tasks.update(renewed, 0s, "b");
    EXPECT_EQ(tasks.peek().at(0).text, "b");
    EXPECT_TRUE(failed_with(tasks.try_erase(got), service_errc::pop_receipt_mismatch));
    tasks.erase(changed);
    EXPECT_TRUE(failed_with(tasks.try_update(changed, 0s), service_errc::message_not_found));
}

TEST_F(queue_in_memory, hides_a_message_from_its_beginning) {
    tasks.put("later", {.hidden_for = 1h, .time_to_live = 2h});
    EXPECT_THAT(tasks.peek(32), IsEmpty());
    EXPECT_EQ(tasks.approximate_count(), 1u);
    tasks.clear();
    EXPECT_EQ(tasks.approximate_count(), 0u);
}

TEST_F(queue_in_memory, is_created_and_deleted_once) {
    EXPECT_TRUE(failed_with(tasks.try_create(), service_errc::queue_already_exists));
    EXPECT_FALSE(tasks.create_if_not_exists());
    EXPECT_TRUE(tasks.exists());
    EXPECT_TRUE(tasks.delete_if_exists());
    EXPECT_FALSE(tasks.delete_if_exists());
    EXPECT_FALSE(tasks.exists());
    EXPECT_TRUE(failed_with(tasks.try_delete_queue(), service_errc::queue_not_found));
    EXPECT_TRUE(tasks.create_if_not_exists());
}

TEST_F(queue_in_memory, that_is_missing_is_named_by_every_error) {
    queue const missing{store, "missing"};
    try {
        missing.put("secret text");
        FAIL();
    } catch (error const& e) {
        EXPECT_EQ(e.code(), service_errc::queue_not_found);
        EXPECT_THAT(e.what(), HasSubstr("put message into queue 'missing'"));
        EXPECT_THAT(e.what(), HasSubstr("create_if_not_exists"));
        EXPECT_THAT(e.what(), Not(HasSubstr("secret")));
    }
}

TEST_F(queue_in_memory, is_named_in_the_log_without_texts_and_receipts) {
    std::string log;
    auto const note = [&](log_level, std::string_view line) { log.append(line).append("\n"); };
    queue const logged{with_observer(store, make_log_observer(note)), "tasks"};
    logged.put("secret text");
    auto const m = logged.get().at(0);
    logged.erase(m);
    EXPECT_THAT(log, HasSubstr("put message into queue"));
    EXPECT_THAT(log, HasSubstr("table=tasks"));
    EXPECT_THAT(log, HasSubstr("event=operation"));
    EXPECT_THAT(log, Not(HasSubstr("secret")));
    EXPECT_THAT(log, Not(HasSubstr(m.receipt)));
}

/// Its address is that of its tables, as in a store of an account.
class store_with_address final : public store {
public:
    explicit store_with_address(std::shared_ptr<observer> by)
        : context_{.observer = std::move(by), .server_address = "hr.table.core.windows.net", .server_port = 443} {}

    tablemap::capabilities const& capabilities() const noexcept override { return inner_->capabilities(); }
    store_context const& context() const noexcept override { return context_; }
    response execute(request const& r, call_options const& o) override { return inner_->execute(r, o); }
    void async_execute(request const& r, call_options const& o, receiver& to) override {
        inner_->async_execute(r, o, to);
    }

private:
    store_ptr const inner_ = value_or_throw(open_embedded({.path = ":memory:"}));
    store_context const context_;
};

TEST(queue_events, do_not_name_the_server_of_tables) {
    auto const seen = std::make_shared<keeping_observer>();
    queue const tasks{std::make_shared<store_with_address>(seen), "tasks"};
    tasks.create();
    ASSERT_EQ(seen->operations.size(), 1u);
    EXPECT_EQ(seen->operations[0].table, "tasks");
    EXPECT_EQ(seen->operations[0].server, "");
    EXPECT_EQ(seen->operations[0].port, 0);
}

TEST(queue_name, breaks_no_rule) {
    auto const store = value_or_throw(open_embedded({.path = ":memory:"}));
    EXPECT_THROW(queue(store, "Tasks"), error);
    EXPECT_EQ(queue(store, "tasks").name(), "tasks");
}

// --- on a script -----------------------------------------------------------------------------------------------------

auto const lost = response_failure(library_errc::response_lost, outcome::in_doubt);
auto const busy = response_failure(service_errc::server_busy);
auto const absent = response_failure(service_errc::queue_not_found);

response created(bool by_us) { return answer_service({.created = by_us}); }

class queue_script : public ::testing::Test {
protected:
    queue with(std::vector<exchange> script) {
        store_ = std::make_shared<scripted_store>(std::move(script));
        return queue{with_observer(store_, seen), "tasks"};
    }
    void TearDown() override { EXPECT_THAT(store_->complaints(), IsEmpty()); }

    std::shared_ptr<keeping_observer> const seen = std::make_shared<keeping_observer>();

    tablemap::testing::fixed_clock clock{1};
    call_options twice{.retry = exact_retry(2), .clock = &clock};

private:
    std::shared_ptr<scripted_store> store_;
};

void expect_unknown(result<own_doing> const& r) {
    ASSERT_TRUE(r) << r.error().what();
    ASSERT_FALSE(r->is_known());
    EXPECT_EQ(r->doubt()->code(), library_errc::response_lost);
    EXPECT_EQ(r->doubt()->outcome(), outcome::in_doubt);
    EXPECT_THAT(r->doubt()->what(), HasSubstr("queue 'tasks'"));
}

TEST_F(queue_script, that_is_there_after_a_lost_answer_is_created_by_nobody_knows_whom) {
    expect_unknown(with({{"create queue", lost}, {"create queue", created(false)}}).try_create_if_not_exists(twice));
}

TEST_F(queue_script, that_nobody_knows_who_created_or_deleted_is_reported_in_doubt) {
    expect_unknown(with({{"create queue", lost}, {"create queue", created(false)}}).try_create_if_not_exists(twice));
    expect_unknown(with({{"delete queue", lost}, {"delete queue", absent}}).try_delete_if_exists(twice));
    ASSERT_EQ(seen->operations.size(), 2u);
    for (auto const& e : seen->operations) {
        EXPECT_FALSE(e.error);
        EXPECT_EQ(e.outcome, outcome::in_doubt) << e.action;
    }
}

TEST_F(queue_script, that_is_there_after_a_busy_answer_is_not_its_own) {
    std::vector<exchange> const script{{"create queue", busy}, {"create queue", created(false)}};
    EXPECT_FALSE(with(script).create_if_not_exists(twice));
    EXPECT_TRUE(failed_with(with(script).try_create(twice), service_errc::queue_already_exists));
}

TEST_F(queue_script, that_was_created_by_the_second_try_is_its_own) {
    EXPECT_TRUE(with({{"create queue", lost}, {"create queue", created(true)}}).create_if_not_exists(twice));
}

TEST_F(queue_script, that_is_there_after_a_lost_answer_leaves_create_in_doubt) {
    auto const r = with({{"create queue", lost}, {"create queue", created(false)}}).try_create(twice);
    ASSERT_TRUE(failed_with(r, library_errc::response_lost));
    EXPECT_EQ(r.error().outcome(), outcome::in_doubt);
    EXPECT_THAT(r.error().what(), HasSubstr("exists()"));
}

TEST_F(queue_script, with_other_metadata_is_there_too) {
    auto const there = response_failure(service_errc::queue_already_exists);
    EXPECT_FALSE(with({{"create queue", there}}).create_if_not_exists(twice));
}

TEST_F(queue_script, that_is_gone_after_a_lost_answer_is_deleted_by_nobody_knows_whom) {
    expect_unknown(with({{"delete queue", lost}, {"delete queue", absent}}).try_delete_if_exists(twice));
}

TEST_F(queue_script, that_is_gone_after_a_lost_answer_leaves_delete_in_doubt) {
    auto const r = with({{"delete queue", lost}, {"delete queue", absent}}).try_delete_queue(twice);
    ASSERT_TRUE(failed_with(r, library_errc::response_lost));
    EXPECT_EQ(r.error().outcome(), outcome::in_doubt);
}

TEST_F(queue_script, does_not_repeat_a_put_whose_answer_is_lost) {
    auto const r = with({{"put message into queue tasks [a]", lost}}).try_put("a", {}, twice);
    ASSERT_FALSE(r);
    EXPECT_EQ(r.error().outcome(), outcome::in_doubt);
    EXPECT_THAT(r.error().what(), HasSubstr("the message may be in the queue"));
}

TEST_F(queue_script, does_not_clear_again_what_may_have_been_put_since) {
    auto const r = with({{"clear", lost}}).try_clear(twice);
    ASSERT_FALSE(r);
    EXPECT_EQ(r.error().outcome(), outcome::in_doubt);
    EXPECT_THAT(r.error().what(), HasSubstr("messages put since"));
}

TEST_F(queue_script, repeats_a_put_whose_answer_is_lost_where_the_policy_says_so) {
    twice.retry->repeat_in_doubt = true;
    auto const done = answer_service({.messages = {{.id = "1", .receipt = "2"}}});
    EXPECT_EQ(with({{"put message", lost}, {"put message", done}}).put("a", {}, twice).id, "1");
}

TEST_F(queue_script, whose_store_returns_no_receipt_says_that_the_change_was_made) {
    auto const r = with({{"put message", answer_ok()}}).try_put("a", {}, twice);
    ASSERT_TRUE(failed_with(r, library_errc::malformed_response));
    EXPECT_EQ(r.error().outcome(), outcome::applied);
}

TEST_F(queue_script, stops_at_the_deadline) {
    twice.deadline = clock.now() - 1s;
    EXPECT_TRUE(failed_with(with({}).try_get(1, 30s, twice), library_errc::deadline_exceeded));
    EXPECT_TRUE(failed_with(with({}).try_clear(twice), library_errc::deadline_exceeded));
}

}  // namespace
}  // namespace tablemap::test

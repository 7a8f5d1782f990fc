// SPDX-License-Identifier: Apache-2.0
#include "store/ask.hpp"
#include "store/task_runner.hpp"
#include "support/operations.hpp"
#include "support/tasks.hpp"
#include "support/waiting_stores.hpp"

#include <chrono>
#include <stdexcept>
#include <thread>

namespace tablemap::test {
namespace {

using namespace std::chrono_literals;
using detail::task;
using tablemap::testing::answer_ok;
using tablemap::testing::fixed_clock;
using tablemap::testing::response_failure;
using tablemap::testing::scripted_store;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::StartsWith;
using ::testing::UnorderedElementsAre;

task<result<std::string>> read_one(std::string row) {
    request const what = get_entity{"T", "p", row};
    auto const answer = co_await detail::ask(what);
    if (answer.failure) co_return failure{*answer.failure};
    co_return answer.etag.text();
}

task<result<std::string>> read_both(std::string a, std::string b) {
    auto const first = co_await read_one(std::move(a));
    if (!first) co_return first;
    auto const second = co_await read_one(std::move(b));
    if (!second) co_return second;
    co_return *first + *second;
}

TEST(task, awaits_other_tasks) {
    scripted_store s{{{"find T [p] [a]", answer_ok("1")}, {"find T [p] [b]", answer_ok("2")}}};
    EXPECT_EQ(*run_task(s, read_both("a", "b")), "12");
    EXPECT_THAT(s.complaints(), IsEmpty());
}

TEST(task, goes_on_with_the_error_of_a_request) {
    scripted_store s{{{"find T [p] [a]", response_failure(service_errc::authorization_failure)}}};
    EXPECT_EQ(run_task(s, read_both("a", "b")).error().code(), service_errc::authorization_failure);
}

TEST(task, tries_a_request_again_as_the_policy_allows) {
    fixed_clock clock;
    scripted_store s{{{"find T [p] [a]", response_failure(service_errc::server_busy)},
                      {"find T [p] [a]", response_failure(service_errc::server_busy)},
                      {"find T [p] [a]", answer_ok("1")}}};
    EXPECT_EQ(*run_task(s, read_one("a"), {.retry = exact_retry(3), .clock = &clock}), "1");
    EXPECT_THAT(clock.waits(), ElementsAre(100ms, 200ms));
}

TEST(task, is_given_the_last_error_after_the_last_try) {
    fixed_clock clock;
    scripted_store s{{{"find T [p] [a]", response_failure(service_errc::server_busy)},
                      {"find T [p] [a]", response_failure(service_errc::server_busy)}}};
    auto const r = run_task(s, read_one("a"), {.retry = exact_retry(2), .clock = &clock});
    EXPECT_EQ(r.error().code(), service_errc::server_busy);
}

task<result<int>> nothing(int i) { co_return i; }

task<result<int>> many_that_do_not_wait(int count) {
    int sum = 0;
    for (int i = 0; i < count; ++i) {
        auto const one = co_await nothing(1);
        sum += *one;
    }
    co_return sum;
}

TEST(task, a_million_tasks_that_do_not_wait_do_not_deepen_the_stack) {
    scripted_store s{{}};
    EXPECT_EQ(*run_task(s, many_that_do_not_wait(1'000'000)), 1'000'000);
}

task<result<int>> asks_often(int count) {
    request const what = get_entity{"T", "p", "r"};
    for (int i = 0; i < count; ++i) {
        auto const answer = co_await detail::ask(what);
        if (answer.failure) co_return failure{*answer.failure};
    }
    co_return count;
}

TEST(task, responses_that_come_at_once_do_not_deepen_the_stack) {
    instant_store s;
    EXPECT_EQ(*run_task(s, asks_often(300'000)), 300'000);
}

task<result<int>> throws_deep(int depth) {
    std::string const kept(100, 'x');
    if (depth == 0) throw std::domain_error{"no"};
    auto const r = co_await throws_deep(depth - 1);
    co_return *r;
}

TEST(task, passes_exceptions_through) {
    scripted_store s{{}};
    EXPECT_THROW(static_cast<void>(run_task(s, throws_deep(5))), std::domain_error);
}

task<result<int>> catches(int depth) {
    int caught = 0;
    try {
        static_cast<void>(co_await throws_deep(depth));
    } catch (std::domain_error const&) {
        ++caught;
    }
    co_return caught;
}

TEST(task, catches_what_another_throws) {
    scripted_store s{{}};
    EXPECT_EQ(*run_task(s, catches(3)), 1);
}

task<result<int>> pauses(std::chrono::milliseconds d) {
    auto const call = co_await detail::this_call();
    auto const until = call.env.now() + d;
    co_await detail::pause_until(until);
    co_return call.env.why_stop() ? 1 : 0;
}

TEST(task, waits_by_the_clock_of_the_call) {
    fixed_clock clock;
    scripted_store s{{}};
    EXPECT_EQ(*run_task(s, pauses(2s), {.clock = &clock}), 0);
    EXPECT_THAT(clock.waits(), ElementsAre(2s));
}

TEST(task, asks_a_clock_once_for_a_wait_even_if_it_ends_early) {
    still_clock clock;
    scripted_store s{{}};
    EXPECT_EQ(*run_task(s, pauses(2s), {.clock = &clock}), 0);
}

TEST(task, a_stop_ends_a_wait) {
    scripted_store s{{}};
    std::stop_source source;
    std::jthread const stopper{[&] { source.request_stop(); }};
    EXPECT_EQ(*run_task(s, pauses(1h), {.stop = source.get_token()}), 1);
}

task<result<std::vector<std::string>>> read_all_at_once(std::vector<std::string> rows) {
    std::vector<request> reads;
    for (auto const& r : rows) reads.emplace_back(get_entity{"T", "p", r});
    auto const answers = co_await detail::ask_all(reads);
    std::vector<std::string> etags;
    for (auto const& a : answers) etags.push_back(a.ok() ? a.etag.text() : a.failure->code().message());
    co_return etags;
}

TEST(task, takes_responses_to_several_requests_in_their_order) {
    auto s = std::make_shared<pending_store>(std::make_shared<scripted_store>(std::vector<tablemap::testing::exchange>{
        {"find T [p] [b]", answer_ok("2")}, {"find T [p] [a]", answer_ok("1")}}));
    std::jthread const answering{[&] {
        while (s->pending() < 2) std::this_thread::yield();
        s->answer_last();
        s->answer_last();
    }};
    EXPECT_THAT(*run_task(*s, read_all_at_once({"a", "b"})), ElementsAre("1", "2"));
}

TEST(task, tries_only_those_of_several_requests_again_that_failed) {
    fixed_clock clock;
    scripted_store s{{{"find T [p] [a]", response_failure(service_errc::server_busy)},
                      {"find T [p] [b]", answer_ok("2")},
                      {"find T [p] [a]", answer_ok("1")}}};
    EXPECT_THAT(*run_task(s, read_all_at_once({"a", "b"}), {.retry = exact_retry(2), .clock = &clock}),
                ElementsAre("1", "2"));
    EXPECT_THAT(s.complaints(), IsEmpty());
}

TEST(task, asks_nothing_if_there_is_nothing_to_ask) {
    scripted_store s{{}};
    EXPECT_THAT(*run_task(s, read_all_at_once({})), IsEmpty());
}

TEST(task, ends_with_what_the_store_throws) {
    for (bool const remote : {true, false}) {
        store_that_throws s{always_found(), remote};
        EXPECT_THROW(static_cast<void>(run_task(s, read_one("a"))), std::bad_alloc);
    }
}

// ---- groups ---------------------------------------------------------------------------------------------------------

TEST(task_group, takes_responses_in_the_order_in_which_they_come) {
    scripted_store s{{{"find T [p] [a]", answer_ok()}, {"find T [p] [b]", answer_ok()}}};
    EXPECT_THAT(*run_task(s, read_beside_each_other({{"a", "b"}, 2})), ElementsAre("a", "b"));
    EXPECT_THAT(s.complaints(), IsEmpty());
}

TEST(task_group, tries_one_request_again_without_holding_up_the_others) {
    fixed_clock clock;
    scripted_store s{{{"find T [p] [a]", response_failure(service_errc::server_busy)},
                      {"find T [p] [b]", answer_ok()},
                      {"find T [p] [c]", answer_ok()},
                      {"find T [p] [a]", answer_ok()}}};
    call_options const o{.retry = exact_retry(3), .clock = &clock};
    EXPECT_THAT(*run_task(s, read_beside_each_other({{"a", "b", "c"}, 2}), o), ElementsAre("b", "c", "a"));
    EXPECT_THAT(clock.waits(), ElementsAre(100ms));
    EXPECT_THAT(s.complaints(), IsEmpty());
}

TEST(task_group, sends_nothing_after_a_stop_but_waits_for_the_requests_under_way) {
    pending_store s{always_found()};
    std::stop_source source;
    readings r{{"a", "b", "c"}, 2};
    r.before_next = [&] {
        if (s.asked() == 2) source.request_stop();
    };
    auto const answering = s.answer_from_now_on();
    EXPECT_THAT(*run_task(s, read_beside_each_other(r), {.stop = source.get_token()}),
                UnorderedElementsAre("a", "b", "c: " + make_error_code(library_errc::cancelled).message()));
    EXPECT_EQ(s.asked(), 2u);
}

TEST(task_group, a_stop_ends_a_wait_for_the_next_try) {
    scripted_store s{{{"find T [p] [a]", response_failure(service_errc::server_busy)}}};
    std::stop_source source;
    retry_policy policy = exact_retry(2);
    policy.first_wait = policy.longest_wait = 1h;
    readings r{{"a"}, 1};
    std::jthread stopper;
    r.before_next = [&] {
        stopper = std::jthread{[&] {
            while (s.asked() == 0) std::this_thread::yield();
            source.request_stop();
        }};
    };
    EXPECT_THAT(*run_task(s, read_beside_each_other(r), {.retry = policy, .stop = source.get_token()}),
                ElementsAre(StartsWith("a: ")));
    EXPECT_EQ(s.asked(), 1u);
}

TEST(task_group, waits_for_the_requests_under_way_before_an_exception_leaves) {
    pending_store s{always_found()};
    readings r{{"a", "b", "c"}, 3};
    r.before_next = [calls = 0]() mutable {
        if (++calls == 3) throw std::domain_error{"no"};
    };
    auto const answering = s.answer_from_now_on();
    EXPECT_THROW(static_cast<void>(run_task(s, read_beside_each_other(r))), std::domain_error);
    EXPECT_EQ(s.pending(), 0u);
}

TEST(task_group, of_no_tasks_ends_at_once) {
    scripted_store s{{}};
    EXPECT_THAT(*run_task(s, read_beside_each_other({{}, 0})), IsEmpty());
}

// ---- signals --------------------------------------------------------------------------------------------------------

struct rally {
    detail::task_signal changed{};
    int ball = 0;
    int hits = 0;

    task<> play(int side) {
        while (hits < 10) {
            while (ball != side && hits < 10) co_await changed.wait();
            if (hits == 10) break;
            ++hits;
            ball = 1 - side;
            changed.notify_all();
        }
        changed.notify_all();
    }
    task<> give_up(time_point until) {
        co_await changed.wait(until);
        ++hits;
    }
};

task<result<int>> play(rally& r) {
    detail::task_group players;
    players.add(r.play(0));
    players.add(r.play(1));
    co_await players.all();
    co_return r.hits;
}

task<result<int>> wait_for_nobody(rally& r) {
    auto const call = co_await detail::this_call();
    detail::task_group players;
    players.add(r.give_up(call.env.now() + 1s));
    co_await players.all();
    co_return r.hits;
}

TEST(task_signal, lets_tasks_take_turns) {
    scripted_store s{{}};
    rally r;
    EXPECT_EQ(*run_task(s, play(r)), 10);
}

TEST(task_signal, is_waited_for_no_longer_than_a_time) {
    fixed_clock clock;
    scripted_store s{{}};
    rally r;
    EXPECT_EQ(*run_task(s, wait_for_nobody(r), {.clock = &clock}), 1);
    EXPECT_THAT(clock.waits(), ElementsAre(1s));
}

// ---- a little at a time ---------------------------------------------------------------------------------------------

TEST(task_runner, goes_on_while_one_response_is_late) {
    pending_store s{always_found()};
    call_options const o;
    detail::call_context call{s, o};
    auto const first = read_beside_each_other({{"late", "b", "c"}, 2});
    detail::task_engine engine{call.env(), s.context().default_retry};
    engine.begin(first.get(), first.get().promise());
    detail::task_runner runner{s, call, engine, detail::id_scope::request};
    while (runner.step(false)) {
    }
    ASSERT_EQ(s.pending(), 2u);
    s.answer_last();
    while (runner.step(false)) {
    }
    EXPECT_EQ(s.asked(), 3u) << "the third is asked although the first is still open";
    s.answer_last();
    s.answer_one();
    while (runner.step(true)) {
    }
    EXPECT_THAT(*first.take(), ElementsAre("b", "c", "late"));
}

TEST(task_runner, goes_on_after_a_store_that_threw) {
    for (bool const remote : {false, true}) {
        store_that_throws s{always_found(), remote};
        fixed_clock clock;
        call_options const o{.clock = &clock};
        detail::call_context call{s, o};
        auto const policy = exact_retry(2);
        auto const first = read_beside_each_other({{"a", "b"}, 1});
        detail::task_engine engine{call.env(), policy};
        engine.begin(first.get(), first.get().promise());
        detail::task_runner runner{s, call, engine, detail::id_scope::request};
        EXPECT_THROW(runner.step(true), std::bad_alloc);
        while (runner.step(true)) {
        }
        EXPECT_THAT(*first.take(), ElementsAre("a", "b")) << "a read without a response is tried again";
    }
}

}  // namespace
}  // namespace tablemap::test

// SPDX-License-Identifier: Apache-2.0
#include "store/concurrency_limit.hpp"
#include "support/flows.hpp"
#include "support/operations.hpp"
#include "support/waiting_stores.hpp"
#include "tablemap/detail/store/flow_run.hpp"

#include <stdexcept>

namespace tablemap::test {
namespace {

using namespace std::chrono_literals;
using tablemap::testing::answer_ok;
using tablemap::testing::exchange;
using tablemap::testing::response_failure;
using tablemap::testing::scripted_store;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

store_ptr always_found() {
    std::vector<exchange> script(20, {"find", answer_ok()});
    return std::make_shared<scripted_store>(std::move(script));
}

std::vector<std::string> run_on(store& s, reading_flow f, call_options const& o = {}) {
    return value_or_throw(detail::run_flow(s, f, o));
}

TEST(flow, takes_answers_in_the_order_in_which_they_come) {
    scripted_store s{{{"find T [p] [a]", answer_ok()}, {"find T [p] [b]", answer_ok()}}};
    EXPECT_THAT(run_on(s, {{"a", "b"}, 2}), ElementsAre("a", "b"));
    EXPECT_THAT(s.complaints(), IsEmpty());
}

TEST(flow, goes_on_while_one_answer_is_late) {
    pending_store s{always_found()};
    reading_flow f{{"late", "b", "c"}, 2};
    call_options const o;
    detail::call_context call{s, o};
    detail::flow_runner runner{s, f, call};
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
    EXPECT_THAT(*f.take(), ElementsAre("b", "c", "late"));
}

TEST(flow, tries_one_request_again_without_holding_up_the_others) {
    tablemap::testing::fixed_clock clock;
    scripted_store s{{{"find T [p] [a]", response_failure(service_errc::server_busy)},
                      {"find T [p] [b]", answer_ok()},
                      {"find T [p] [c]", answer_ok()},
                      {"find T [p] [a]", answer_ok()}}};
    reading_flow f{{"a", "b", "c"}, 2, exact_retry(3)};
    call_options o{.clock = &clock};
    EXPECT_THAT(*detail::run_flow(s, f, o), ElementsAre("b", "c", "a"));
    EXPECT_THAT(clock.waits(), ElementsAre(100ms));
    EXPECT_THAT(s.complaints(), IsEmpty());
}

TEST(flow, gives_up_after_the_last_try) {
    tablemap::testing::fixed_clock clock;
    scripted_store s{std::vector<exchange>(2, {"find T [p] [a]", response_failure(service_errc::server_busy)})};
    reading_flow f{{"a"}, 1, exact_retry(2)};
    call_options o{.clock = &clock};
    EXPECT_THAT(*detail::run_flow(s, f, o), ElementsAre("a: " + make_error_code(service_errc::server_busy).message()));
}

TEST(flow, sends_nothing_after_a_stop_but_waits_for_what_is_under_way) {
    auto s = std::make_shared<pending_store>(always_found());
    std::stop_source source;
    reading_flow f{{"a", "b", "c"}, 1};
    bool stopped = false;
    f.before_next = [&] {
        if (s->asked() == 1 && !std::exchange(stopped, true)) source.request_stop();
    };
    auto const answering = s->answer_from_now_on();
    call_options const o{.stop = source.get_token()};
    EXPECT_THAT(*detail::run_flow(*s, f, o), ElementsAre("a"));
    EXPECT_EQ(s->asked(), 1u);
}

TEST(flow, a_stop_ends_a_wait_for_the_next_try) {
    scripted_store s{{{"find T [p] [a]", response_failure(service_errc::server_busy)}}};
    std::stop_source source;
    retry_policy policy = exact_retry(2);
    policy.first_wait = policy.longest_wait = 1h;
    reading_flow f{{"a"}, 1, policy};
    std::jthread stopper;
    f.before_next = [&, calls = 0]() mutable {
        if (++calls == 2) stopper = std::jthread{[&] { source.request_stop(); }};
    };
    call_options const o{.stop = source.get_token()};
    EXPECT_THAT(*detail::run_flow(s, f, o), ElementsAre(::testing::StartsWith("a: ")));
    EXPECT_EQ(s.asked(), 1u);
}

TEST(flow, waits_for_what_is_under_way_before_an_exception_leaves) {
    auto s = std::make_shared<pending_store>(always_found());
    reading_flow f{{"a", "b", "c"}, 3};
    f.before_next = [&, calls = 0]() mutable {
        if (++calls == 3) throw std::domain_error{"no"};
    };
    auto const answering = s->answer_from_now_on();
    EXPECT_THROW(static_cast<void>(detail::run_flow(*s, f, {})), std::domain_error);
    EXPECT_EQ(s->pending(), 0u);
    EXPECT_EQ(s->asked(), 2u);
}

TEST(flow, goes_on_after_a_store_that_threw) {
    for (bool const remote : {false, true}) {
        store_that_throws s{always_found(), remote};
        tablemap::testing::fixed_clock clock;
        call_options const o{.clock = &clock};
        detail::call_context call{s, o};
        reading_flow f{{"a", "b"}, 1, exact_retry(2)};
        detail::flow_runner runner{s, f, call};
        EXPECT_THROW(runner.step(true), std::bad_alloc);
        while (runner.step(true)) {
        }
        EXPECT_THAT(*f.take(), ElementsAre("a", "b")) << "a read without a response is tried again";
    }
}

TEST(concurrency_limit, grows_by_one_for_each_window_of_successes) {
    detail::concurrency_limit w{6};
    EXPECT_EQ(w.size(), 4u);
    for (int i = 0; i < 4; ++i) w.succeeded();
    EXPECT_EQ(w.size(), 5u);
    for (int i = 0; i < 100; ++i) w.succeeded();
    EXPECT_EQ(w.size(), 6u);
}

TEST(concurrency_limit, halves_once_for_requests_that_were_under_way_together) {
    detail::concurrency_limit w{8, 8};
    std::uint64_t marks[] = {w.begin(), w.begin(), w.begin()};
    w.on_throttled(marks[1]);
    w.on_throttled(marks[0]);
    w.on_throttled(marks[2]);
    EXPECT_EQ(w.size(), 4u);
    w.on_throttled(w.begin());
    EXPECT_EQ(w.size(), 2u);
    for (int i = 0; i < 5; ++i) w.on_throttled(w.begin());
    EXPECT_EQ(w.size(), 1u);
}

}  // namespace
}  // namespace tablemap::test

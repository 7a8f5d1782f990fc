// SPDX-License-Identifier: Apache-2.0
#include "tablemap/detail/store/async_task.hpp"

#include "support/observing.hpp"
#include "support/operations.hpp"
#include "support/tasks.hpp"
#include "support/waiting_stores.hpp"

#include <boost/asio/bind_executor.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/use_future.hpp>

#include <chrono>
#include <future>
#include <stdexcept>
#include <thread>

namespace tablemap::test {
namespace {

using namespace std::chrono_literals;
using tablemap::testing::answer_ok;
using tablemap::testing::response_failure;
using tablemap::testing::scripted_store;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using ::testing::StartsWith;

namespace asio = boost::asio;

store_ptr scripted(std::vector<tablemap::testing::exchange> script) {
    return std::make_shared<scripted_store>(std::move(script));
}

/// Each request has an id of its own.
struct reading_call : detail::plain_call<std::vector<std::string>> {
    using plain_call::plain_call;
    static constexpr auto ids = detail::id_scope::request;
};

template <class Token = asio::use_future_t<>>
auto start_reading(store_ptr s, readings what, call_options o = {}, Token&& token = {}) {
    return detail::start(std::move(s), reading_call{read_beside_each_other(std::move(what))}, std::move(o),
                         std::forward<Token>(token));
}

/// Keeps the value that it is called with.
auto keep_in(std::vector<std::string>& to) {
    return [&to](std::exception_ptr, std::vector<std::string> order) { to = std::move(order); };
}

retry_policy retry_in_an_hour() {
    retry_policy policy = exact_retry(2);
    policy.first_wait = policy.longest_wait = 1h;
    return policy;
}

TEST(async_task, completes_on_the_executor_of_its_handler) {
    asio::io_context io;
    std::vector<std::string> got;
    start_reading(always_found(), {{"a", "b"}, 2}, {}, asio::bind_executor(io, keep_in(got)));
    EXPECT_THAT(got, IsEmpty()) << "not inside the initiating call";
    io.run();
    EXPECT_THAT(got, ElementsAre("a", "b"));
}

TEST(async_task, goes_on_while_one_response_is_late) {
    auto s = std::make_shared<pending_store>(always_found());
    auto done = start_reading(s, {{"late", "b", "c"}, 2});
    s->answer_last();
    EXPECT_EQ(s->asked(), 3u);
    s->answer_last();
    s->answer_one();
    EXPECT_THAT(done.get(), ElementsAre("b", "c", "late"));
}

detail::plain_call<int> call_of(detail::task<result<int>> t) { return {std::move(t)}; }

detail::task<result<int>> asks_often(int count) {
    request const what = get_entity{"T", "p", "r"};
    for (int i = 0; i < count; ++i) {
        auto const answer = co_await detail::ask(what);
        if (answer.failure) co_return failure{*answer.failure};
    }
    co_return count;
}

TEST(async_task, responses_that_come_at_once_do_not_deepen_the_stack) {
    auto done = detail::start(std::make_shared<instant_store>(), call_of(asks_often(300'000)), {}, asio::use_future);
    EXPECT_EQ(done.get(), 300'000);
}

detail::task<result<int>> refuses() { co_return failure{error{library_errc::invalid_key}}; }

TEST(async_task, delivers_an_error) {
    auto done = detail::start(always_found(), call_of(refuses()), {}, asio::use_future);
    EXPECT_THROW(done.get(), error);
}

TEST(async_task, hands_on_what_a_store_throws) {
    for (bool const remote : {true, false})
        EXPECT_THROW(start_reading(std::make_shared<store_that_throws>(always_found(), remote), {{"a", "b"}, 2}).get(),
                     std::bad_alloc);
}

TEST(async_task, waits_for_the_requests_under_way_before_an_exception_is_delivered) {
    auto s = std::make_shared<pending_store>(always_found());
    readings r{{"a", "b", "c"}, 3};
    r.before_next = [calls = 0]() mutable {
        if (++calls == 3) throw std::domain_error{"no"};
    };
    auto done = start_reading(s, std::move(r));
    auto const under_way = s->pending();
    for (std::size_t i = 0; i < under_way; ++i) {
        EXPECT_EQ(done.wait_for(0s), std::future_status::timeout);
        s->answer_one();
    }
    EXPECT_THROW(done.get(), std::domain_error);
}

TEST(async_task, is_driven_by_one_thread_at_a_time) {
    auto s = std::make_shared<meeting_store>(always_found(), 4);
    std::vector<std::string> rows;
    for (int i = 0; i < 100; ++i) rows.push_back(std::to_string(i));
    EXPECT_THAT(start_reading(s, {rows, 8}).get(), SizeIs(100));
}

TEST(async_task, waits_by_a_timer_of_its_executor) {
    asio::io_context io;
    retry_policy policy = exact_retry(2);
    policy.first_wait = 1ms;
    auto s = scripted({{"find", response_failure(service_errc::server_busy)}, {"find", answer_ok()}});
    std::vector<std::string> got;
    start_reading(s, {{"a"}, 1}, {.retry = policy}, asio::bind_executor(io, keep_in(got)));
    io.run();
    EXPECT_THAT(got, ElementsAre("a"));
}

TEST(async_task, takes_a_response_that_comes_while_it_waits_for_a_time) {
    auto s = std::make_shared<pending_store>(always_found());
    std::stop_source source;
    auto done = start_reading(s, {{"a", "b", "c"}, 2}, {.retry = retry_in_an_hour(), .stop = source.get_token()});
    s->answer_one(response_failure(service_errc::server_busy));
    s->answer_one();  // b: a waits for its time
    EXPECT_EQ(s->asked(), 3u);
    s->answer_one();
    source.request_stop();
    EXPECT_THAT(done.get(), ElementsAre("b", "c", StartsWith("a: ")));
    EXPECT_EQ(s->asked(), 3u) << "nothing is sent after the stop";
}

TEST(async_task, waits_by_the_clock_of_the_call) {
    tablemap::testing::fixed_clock clock;
    auto s = scripted({{"find", response_failure(service_errc::server_busy)}, {"find", answer_ok()}});
    auto done = start_reading(s, {{"a"}, 1}, {.retry = exact_retry(2), .clock = &clock});
    EXPECT_THAT(done.get(), ElementsAre("a"));
    EXPECT_THAT(clock.waits(), ElementsAre(100ms));
}

TEST(async_task, asks_a_clock_once_for_a_wait_even_if_it_ends_early) {
    still_clock clock;
    auto s = scripted({{"find", response_failure(service_errc::server_busy)}, {"find", answer_ok()}});
    EXPECT_THAT(start_reading(s, {{"a"}, 1}, {.retry = exact_retry(2), .clock = &clock}).get(), ElementsAre("a"));
}

TEST(async_task, is_reported_to_an_observer_once_with_all_its_requests) {
    auto const seen = std::make_shared<keeping_observer>();
    tablemap::testing::fixed_clock clock;
    auto const s = with_observer(
        scripted({{"find", response_failure(service_errc::server_busy)}, {"find", answer_ok()}, {"find", answer_ok()}}),
        seen);
    start_reading(s, {{"a", "b"}, 1}, {.retry = exact_retry(2), .clock = &clock}).get();
    EXPECT_THAT(seen->requests, SizeIs(3));
    ASSERT_THAT(seen->operations, SizeIs(1));
    EXPECT_EQ(seen->operations[0].requests, 3u);
    EXPECT_EQ(seen->operations[0].retries, 1u);
    EXPECT_TRUE(seen->operations[0].ok());
}

TEST(async_task, a_handler_without_an_executor_runs_on_no_thread_of_the_store) {
    auto s = std::make_shared<pending_store>(always_found());
    std::promise<std::thread::id> ran_on;
    start_reading(s, {{"a"}, 1}, {},
                  [&](std::exception_ptr, std::vector<std::string>) { ran_on.set_value(std::this_thread::get_id()); });
    s->answer_all();
    EXPECT_NE(ran_on.get_future().get(), std::this_thread::get_id());
}

TEST(async_task, is_destroyed_with_its_handler_while_it_waits) {
    auto s = scripted({{"find", response_failure(service_errc::server_busy)}});
    std::weak_ptr<store> const kept = s;
    auto alive = std::make_shared<int>();
    std::weak_ptr<int> const handler = alive;
    {
        asio::io_context io;
        start_reading(std::move(s), {{"a"}, 1}, {.retry = retry_in_an_hour()},
                      asio::bind_executor(io, [a = std::move(alive)](std::exception_ptr, std::vector<std::string>) {}));
    }
    EXPECT_TRUE(handler.expired());
    EXPECT_TRUE(kept.expired());
}

TEST(async_task, waits_for_the_requests_under_way_when_the_context_of_its_handler_is_gone) {
    auto s = std::make_shared<pending_store>(always_found());
    {
        asio::io_context io;
        start_reading(s, {{"a", "b", "c"}, 2}, {},
                      asio::bind_executor(io, [](std::exception_ptr, std::vector<std::string>) {}));
    }
    EXPECT_GT(s.use_count(), 1);
    s->answer_all();
    EXPECT_EQ(s->asked(), 2u) << "nothing more is asked for";
    EXPECT_EQ(s.use_count(), 1);
}

TEST(async_task, keeps_its_handler_while_it_runs_though_the_context_is_being_destroyed) {
    auto s = std::make_shared<pending_store>(always_found());
    auto alive = std::make_shared<int>();
    std::weak_ptr<int> const handler = alive;
    std::promise<bool> began, was_kept;
    auto const look = [&, calls = 0]() mutable {
        if (++calls == 1) return;  // on this thread
        began.set_value(true);
        std::this_thread::sleep_for(50ms);
        was_kept.set_value(!handler.expired());
    };
    auto io = std::make_unique<asio::io_context>();
    start_reading(s, {{"a", "b"}, 1, look}, {},
                  asio::bind_executor(*io, [a = std::move(alive)](std::exception_ptr, std::vector<std::string>) {}));
    std::jthread answering{[&] { s->answer_one(); }};
    began.get_future().wait();
    io.reset();
    EXPECT_TRUE(was_kept.get_future().get());
    EXPECT_TRUE(handler.expired());
    answering.join();
    s->answer_all();  // the store and an operation that waits for it keep each other
}

}  // namespace
}  // namespace tablemap::test

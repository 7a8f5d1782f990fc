// SPDX-License-Identifier: Apache-2.0
#include "tablemap/detail/store/async_flow.hpp"

#include "support/flows.hpp"
#include "support/observing.hpp"
#include "support/operations.hpp"
#include "support/waiting_stores.hpp"

#include <boost/asio/bind_executor.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/use_future.hpp>

#include <future>
#include <memory>
#include <stdexcept>
#include <thread>

namespace tablemap::test {
namespace {

using namespace std::chrono_literals;
using tablemap::testing::answer_ok;
using tablemap::testing::exchange;
using tablemap::testing::response_failure;
using tablemap::testing::scripted_store;
using ::testing::ElementsAre;
using ::testing::SizeIs;
using ::testing::StartsWith;

namespace asio = boost::asio;

store_ptr scripted(std::vector<exchange> script) { return std::make_shared<scripted_store>(std::move(script)); }
store_ptr always_found() { return scripted(std::vector<exchange>(300, {"find", answer_ok()})); }

TEST(async_flow, completes_on_the_executor_of_its_handler) {
    asio::io_context io;
    std::vector<std::string> got;
    detail::start_flow(always_found(), reading_flow{{"a", "b"}, 2}, {},
                       asio::bind_executor(io, [&](std::exception_ptr e, std::vector<std::string> order) {
                           EXPECT_FALSE(e);
                           got = std::move(order);
                       }));
    EXPECT_THAT(got, SizeIs(0)) << "not inside the initiating call";
    io.run();
    EXPECT_THAT(got, ElementsAre("a", "b"));
}

TEST(async_flow, goes_on_while_one_answer_is_late) {
    auto s = std::make_shared<pending_store>(always_found());
    auto done = detail::start_flow(s, reading_flow{{"late", "b", "c"}, 2}, {}, asio::use_future);
    s->answer_last();
    EXPECT_EQ(s->asked(), 3u);
    s->answer_last();
    s->answer_one();
    EXPECT_THAT(done.get(), ElementsAre("b", "c", "late"));
}

TEST(async_flow, hands_on_what_a_store_throws) {
    auto s = std::make_shared<store_that_throws>(always_found(), true);
    EXPECT_THROW(detail::start_flow(s, reading_flow{{"a", "b"}, 2}, {}, asio::use_future).get(), std::bad_alloc);
}

TEST(async_flow, is_driven_by_one_thread_at_a_time) {
    auto s = std::make_shared<meeting_store>(always_found(), 4);
    std::vector<std::string> rows;
    for (int i = 0; i < 100; ++i) rows.push_back(std::to_string(i));
    auto done = detail::start_flow(s, reading_flow{rows, 8}, {}, asio::use_future);
    EXPECT_THAT(done.get(), SizeIs(100));
}

TEST(async_flow, waits_by_a_timer_of_its_executor) {
    asio::io_context io;
    retry_policy policy = exact_retry(2);
    policy.first_wait = 1ms;
    auto s = scripted({{"find", response_failure(service_errc::server_busy)}, {"find", answer_ok()}});
    std::vector<std::string> got;
    detail::start_flow(
        s, reading_flow{{"a"}, 1, policy}, {},
        asio::bind_executor(io, [&](std::exception_ptr, std::vector<std::string> order) { got = std::move(order); }));
    io.run();
    EXPECT_THAT(got, ElementsAre("a"));
}

TEST(async_flow, takes_an_answer_that_comes_while_it_waits_for_a_time) {
    auto s = std::make_shared<pending_store>(always_found());
    retry_policy policy = exact_retry(2);
    policy.first_wait = policy.longest_wait = 1h;
    std::stop_source source;
    call_options const o{.stop = source.get_token()};
    auto done = detail::start_flow(s, reading_flow{{"a", "b", "c"}, 2, policy}, o, asio::use_future);
    s->answer_one(response_failure(service_errc::server_busy));
    s->answer_one();  // b: a waits for its time
    EXPECT_EQ(s->asked(), 3u);
    s->answer_one();
    source.request_stop();
    EXPECT_THAT(done.get(), ElementsAre("b", "c", StartsWith("a: ")));
    EXPECT_EQ(s->asked(), 3u) << "nothing is sent after the stop";
}

TEST(async_flow, waits_by_the_calls_clock) {
    tablemap::testing::fixed_clock clock;
    auto s = scripted({{"find", response_failure(service_errc::server_busy)}, {"find", answer_ok()}});
    auto done = detail::start_flow(s, reading_flow{{"a"}, 1, exact_retry(2)}, {.clock = &clock}, asio::use_future);
    EXPECT_THAT(done.get(), ElementsAre("a"));
    EXPECT_THAT(clock.waits(), ElementsAre(100ms));
}

TEST(async_flow, waits_for_what_is_under_way_before_an_exception_is_delivered) {
    auto s = std::make_shared<pending_store>(always_found());
    reading_flow f{{"a", "b", "c"}, 3};
    f.before_next = [calls = 0]() mutable {
        if (++calls == 3) throw std::domain_error{"no"};
    };
    auto done = detail::start_flow(s, std::move(f), {}, asio::use_future);
    EXPECT_EQ(s->pending(), 2u);
    s->answer_one();
    EXPECT_EQ(done.wait_for(0s), std::future_status::timeout);
    s->answer_one();
    EXPECT_THROW(done.get(), std::domain_error);
}

TEST(async_flow, tells_an_observer_once_with_all_its_requests) {
    auto const seen = std::make_shared<keeping_observer>();
    tablemap::testing::fixed_clock clock;
    auto const s = with_observer(
        scripted({{"find", response_failure(service_errc::server_busy)}, {"find", answer_ok()}, {"find", answer_ok()}}),
        seen);
    detail::start_flow(s, reading_flow{{"a", "b"}, 1, exact_retry(2)}, {.clock = &clock}, asio::use_future).get();
    EXPECT_THAT(seen->requests, SizeIs(3));
    ASSERT_THAT(seen->operations, SizeIs(1));
    EXPECT_EQ(seen->operations[0].requests, 3u);
    EXPECT_EQ(seen->operations[0].retries, 1u);
    EXPECT_TRUE(seen->operations[0].ok());
}

TEST(async_flow, a_handler_without_an_executor_runs_on_no_thread_of_the_store) {
    auto s = std::make_shared<pending_store>(always_found());
    std::promise<std::thread::id> ran_on;
    detail::start_flow(s, reading_flow{{"a"}, 1}, {}, [&](std::exception_ptr, std::vector<std::string>) {
        ran_on.set_value(std::this_thread::get_id());
    });
    s->answer_all();
    EXPECT_NE(ran_on.get_future().get(), std::this_thread::get_id());
}

TEST(async_flow, goes_with_its_handler_while_it_waits) {
    auto s = scripted({{"find", response_failure(service_errc::server_busy)}});
    std::weak_ptr<store> const kept = s;
    auto alive = std::make_shared<int>();
    std::weak_ptr<int> const handler = alive;
    retry_policy policy = exact_retry(2);
    policy.first_wait = policy.longest_wait = 1h;
    {
        asio::io_context io;
        detail::start_flow(
            std::move(s), reading_flow{{"a"}, 1, policy}, {},
            asio::bind_executor(io, [alive = std::move(alive)](std::exception_ptr, std::vector<std::string>) {}));
    }
    EXPECT_TRUE(handler.expired());
    EXPECT_TRUE(kept.expired());
}

TEST(async_flow, waits_for_what_is_under_way_when_the_context_of_its_handler_is_gone) {
    auto s = std::make_shared<pending_store>(always_found());
    {
        asio::io_context io;
        detail::start_flow(s, reading_flow{{"a", "b", "c"}, 2}, {},
                           asio::bind_executor(io, [](std::exception_ptr, std::vector<std::string>) {}));
    }
    EXPECT_GT(s.use_count(), 1);
    s->answer_all();
    EXPECT_EQ(s->asked(), 2u) << "nothing more is asked for";
    EXPECT_EQ(s.use_count(), 1);
}

}  // namespace
}  // namespace tablemap::test

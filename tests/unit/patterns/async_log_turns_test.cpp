// SPDX-License-Identifier: Apache-2.0
#include "support/async_calls.hpp"
#include "support/log_samples.hpp"
#include "support/waiting_stores.hpp"

#include "tablemap/embedded/store.hpp"
#include "tablemap/patterns/async_log_writer.hpp"
#include "tablemap/testing/faulty_store.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <future>
#include <memory>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

namespace tablemap::test {
namespace {

using tablemap::testing::fault;
using tablemap::testing::faulty_store;
using ::testing::ElementsAre;
using ::testing::SizeIs;

class async_log_turns : public ::testing::Test {
protected:
    async_log_writer writer(store_ptr on, log_options o = {}) const {
        return {std::move(on), "logs", requests_log(), on_july_31(18, std::move(o))};
    }

    store_ptr clean = value_or_throw(open_embedded({.path = ":memory:"}));
    std::shared_ptr<faulty_store> faulty = std::make_shared<faulty_store>(clean);
    std::shared_ptr<pending_store> pending = std::make_shared<pending_store>(clean);
};

TEST_F(async_log_turns, are_taken_without_blocking) {
    auto const w = writer(pending);
    w.write("one", future).get();
    auto flushed = w.flush(future);
    auto written = w.write("two", future);
    EXPECT_EQ(pending->pending(), 1U);
    EXPECT_EQ(written.wait_for(std::chrono::seconds{0}), std::future_status::timeout);
    pending->answer_all();
    flushed.get();
    EXPECT_EQ(written.get(), line_outcome::taken);
    EXPECT_THAT(all_lines(clean), ElementsAre("one"));
}

TEST_F(async_log_turns, keep_the_order_of_calls) {
    auto const w = writer(pending);
    w.write("0", future).get();
    auto flushed = w.flush(future);
    std::vector<std::future<line_outcome>> all;
    std::vector<std::string> expected{"0"};
    for (int i = 1; i <= 20'000; ++i) all.push_back(w.write(expected.emplace_back(std::to_string(i)), future));
    auto const answering = pending->answer_from_now_on();
    for (auto& one : all) EXPECT_EQ(one.get(), line_outcome::taken);
    w.close(future).get();
    EXPECT_EQ(all_lines(clean), expected);
}

TEST_F(async_log_turns, take_lines_from_many_threads) {
    auto const w = writer(pending, {.buffer_bytes = 64});
    auto const answering = pending->answer_from_now_on();
    {
        std::vector<std::jthread> threads;
        for (int t = 0; t < 4; ++t)
            threads.emplace_back([&w] {
                for (int i = 0; i < 100; ++i) w.write("a line", future).get();
            });
    }
    w.close(future).get();
    EXPECT_THAT(all_lines(clean), SizeIs(400));
}

TEST_F(async_log_turns, give_the_turn_on_after_a_call_that_was_stopped) {
    auto const w = writer(pending);
    w.write("one", future).get();
    std::stop_source stop;
    auto stopped = w.flush(call_options{.stop = stop.get_token()}, future);
    auto flushed = w.flush(future);
    stop.request_stop();
    auto const answering = pending->answer_from_now_on();
    EXPECT_EQ(outcome_of(std::move(stopped)).error().code(), library_errc::cancelled);
    flushed.get();
    EXPECT_THAT(all_lines(clean), ElementsAre("one"));
}

asio::awaitable<void> flush_once(async_log_writer w, call_options o = {}) { co_await w.flush(o, awaited); }
asio::awaitable<void> write_once(async_log_writer w) { co_await w.write("two", awaited); }

TEST_F(async_log_turns, give_the_turn_on_after_the_context_of_a_handler_was_destroyed) {
    auto const w = writer(pending);
    w.write("one", future).get();
    {
        asio::io_context io;
        auto const never = [](std::exception_ptr) { FAIL() << "its context is gone"; };
        asio::co_spawn(io, flush_once(w), never);
        asio::co_spawn(io, write_once(w), never);
        io.poll();
    }
    auto const answering = pending->answer_from_now_on();
    w.close(future).get();
    EXPECT_THAT(all_lines(clean), ElementsAre("one"));
}

// ---- waiting for a turn ---------------------------------------------------------------------------------------------

class async_logs_that_flush : public async_log_turns {
protected:
    async_log_writer flushing_writer(log_options o = {}) {
        auto w = writer(pending, std::move(o));
        w.write("one", future).get();
        flushed = w.flush(future);
        return w;
    }

    void end_flush() {
        pending->answer_all();
        flushed.get();
    }

    std::future<void> flushed;
    call_options const soon{.deadline = within(std::chrono::milliseconds{20})};
};

TEST_F(async_logs_that_flush, count_lines_that_wait_for_it_as_lines_of_the_buffer) {
    auto const w = flushing_writer({.buffer_bytes = 8, .full = when_full::refuse});
    auto two = w.write("two", future);
    auto three = w.write("three", future);
    EXPECT_EQ(three.wait_for(std::chrono::seconds{10}), std::future_status::ready);
    auto four = w.write("4", future);
    EXPECT_EQ(w.status(future).get().refused_lines, 1U);
    end_flush();
    EXPECT_EQ(two.get(), line_outcome::taken);
    EXPECT_EQ(three.get(), line_outcome::no_room);
    EXPECT_EQ(four.get(), line_outcome::taken);
}

TEST_F(async_logs_that_flush, take_lines_again_after_those_that_waited) {
    auto const w = flushing_writer({.buffer_bytes = 8, .full = when_full::refuse});
    for (int i = 0; i < 3; ++i) {
        EXPECT_FALSE(outcome_of(w.write("longer", soon, future)));
        EXPECT_EQ(w.status(future).get().refused_lines, 0U) << "it counts for no longer than it waits";
    }
    end_flush();
    EXPECT_EQ(w.write("two", future).get(), line_outcome::taken);
    EXPECT_THAT(all_lines(clean), ElementsAre("one"));
}

TEST_F(async_logs_that_flush, end_a_wait_at_its_deadline) {
    auto const w = flushing_writer();
    auto const written = outcome_of(w.write("two", soon, future));
    EXPECT_EQ(written.error().code(), library_errc::deadline_exceeded);
    EXPECT_EQ(written.error().outcome(), outcome::not_applied);
    EXPECT_EQ(written.error().table(), "logs");
    EXPECT_EQ(outcome_of(w.flush(soon, future)).error().code(), library_errc::deadline_exceeded);
    EXPECT_EQ(outcome_of(w.close(soon, future)).error().code(), library_errc::deadline_exceeded);
    end_flush();
    EXPECT_EQ(w.write("three", future).get(), line_outcome::taken);
}

TEST_F(async_logs_that_flush, end_a_wait_that_is_stopped) {
    auto const w = flushing_writer();
    std::stop_source stop;
    auto stopped = w.write("two", call_options{.stop = stop.get_token()}, future);
    auto next = w.write("three", future);
    stop.request_stop();
    EXPECT_EQ(outcome_of(std::move(stopped)).error().code(), library_errc::cancelled);
    end_flush();
    EXPECT_EQ(next.get(), line_outcome::taken);
}

TEST_F(async_logs_that_flush, tell_their_status) {
    auto const w = flushing_writer();
    auto status = w.status(future);
    EXPECT_EQ(status.wait_for(std::chrono::seconds{10}), std::future_status::ready);
    end_flush();
    EXPECT_EQ(status.get().waiting_lines, 1U);
    EXPECT_EQ(w.status(future).get().written_lines, 1U);
}

/// Turns are given, and given up, at the same time.
TEST_F(async_log_turns, keep_each_line_that_was_taken_before_its_deadline) {
    auto const w = writer(pending, {.buffer_bytes = 64});
    auto const answering = pending->answer_from_now_on();
    std::atomic<std::size_t> taken = 0;
    {
        std::vector<std::jthread> threads;
        for (int t = 0; t < 4; ++t)
            threads.emplace_back([&w, &taken] {
                for (int i = 0; i < 200; ++i) {
                    call_options const soon{.deadline = within(std::chrono::microseconds{i * 10})};
                    if (outcome_of(w.write("a line", soon, future))) ++taken;
                }
            });
    }
    w.close(future).get();
    EXPECT_THAT(all_lines(clean), SizeIs(taken.load()));
}

/// The flush waits to try again, with a timer of an executor that does not run.
TEST_F(async_log_turns, do_not_wait_beyond_their_deadlines_for_an_executor_that_is_busy) {
    auto const w = writer(faulty);
    w.write("one", future).get();
    faulty->fail_next(fault::busy);
    asio::io_context io;
    auto const retrying = retry_policy::exponential();
    asio::co_spawn(io, flush_once(w, {.retry = retrying}), [](std::exception_ptr e) { EXPECT_FALSE(e); });
    io.poll();
    call_options const soon{.deadline = within(std::chrono::milliseconds{20})};
    EXPECT_EQ(outcome_of(w.write("two", soon, future)).error().code(), library_errc::deadline_exceeded);
    EXPECT_EQ(w.status(future).get().waiting_lines, 1U);
    io.run();
    w.close(future).get();
    EXPECT_THAT(all_lines(clean), ElementsAre("one"));
}

/// Otherwise writers that go on and on would keep it from passing the result of the flush to its handler.
TEST_F(async_log_turns, let_the_thread_go_that_ended_a_flush) {
    std::atomic<int> here = 0;
    auto const count = [&here, me = std::this_thread::get_id()] {
        here += std::this_thread::get_id() == me ? 1 : 0;
        return july_31(18);
    };
    async_log_writer const w{pending, "logs", requests_log(), {.now = count, .on_lost = [](lost_lines const&) {}}};
    w.write("one", future).get();
    auto flushed = w.flush(future);
    std::vector<std::future<line_outcome>> written;
    for (int i = 0; i < 1000; ++i) written.push_back(w.write("a line", future));
    pending->answer_all();
    for (auto& one : written) EXPECT_EQ(one.get(), line_outcome::taken);
    EXPECT_LT(here, 200);
}

}  // namespace
}  // namespace tablemap::test

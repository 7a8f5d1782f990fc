// SPDX-License-Identifier: Apache-2.0
#include "tablemap/detail/store/task_run.hpp"

#include "support/in_child.hpp"
#include "support/operations.hpp"
#include "support/waiting_stores.hpp"

#include <random>
#include <sstream>
#include <thread>

namespace tablemap::test {
namespace {

using namespace std::chrono_literals;
using tablemap::testing::answer_ok;
using tablemap::testing::scripted_store;

class blocking_driver : public script_test {};

/// Waits once. Its value: the wait was not ended early.
class waiting : public detail::plain_call<bool> {
public:
    explicit waiting(time_point t) : plain_call(wait_until(t)) {}

private:
    static detail::task<result<bool>> wait_until(time_point t) {
        auto const call = co_await detail::this_call();
        co_await detail::pause_until(t);
        co_return call.env.now() >= t;
    }
};

TEST_F(blocking_driver, answers_several_requests_in_the_order_asked) {
    auto const r = play(many_requests{{get_entity{"T", "p", "1"}, get_entity{"T", "p", "2"}}},
                        {{"find T [p] [1]", answer_ok("E1")}, {"find T [p] [2]", answer_ok("E2")}});
    ASSERT_TRUE(r);
    EXPECT_EQ((*r)[1].etag.text(), "E2");
}

TEST(blocking_driver_failure, a_store_that_throws_leaves_nothing_under_way) {
    std::atomic<bool> answered{false};
    store_that_throws_second s{answered};
    many_requests op{{get_entity{"T", "p", "1"}, get_entity{"T", "p", "2"}, get_entity{"T", "p", "3"}}};
    EXPECT_THROW(static_cast<void>(detail::run(s, op, {})), std::bad_alloc);
    EXPECT_TRUE(answered);
}

TEST_F(blocking_driver, waits_by_the_calls_clock) {
    EXPECT_EQ(play(waiting{clock.now() + 1h}, {}), result<bool>{true});
    EXPECT_EQ(play(waiting{clock.now() + 1h}, {}, exact_retry(3)), result<bool>{true});
    EXPECT_EQ(clock.waits().size(), 2u);
}

TEST_F(blocking_driver, sends_nothing_after_the_deadline) {
    options.deadline = clock.now();
    auto const r = play(one_request{request{create_table{"T"}}}, {});
    ASSERT_FALSE(r);
    EXPECT_EQ(r.error().code(), library_errc::deadline_exceeded);
    EXPECT_STREQ(r.error().what(), "create table 'T': the deadline passed: nothing was sent");
}

TEST_F(blocking_driver, a_stop_ends_a_wait_of_the_system_clock) {
    std::stop_source source;
    options.stop = source.get_token();
    scripted_store s{{}};
    std::jthread stopper{[&] { source.request_stop(); }};
    waiting op{std::chrono::steady_clock::now() + 1h};
    EXPECT_EQ(detail::run(s, op, options), result<bool>{false});
}

TEST(system_clock, gives_different_random_numbers_on_different_threads) {
    std::uint64_t a = 0, b = 0;
    std::thread{[&] { a = clock::system().random(); }}.join();
    std::thread{[&] { b = clock::system().random(); }}.join();
    EXPECT_NE(a, b);
}

/// The state of a Mersenne twister from one of its numbers: its last step undone.
std::uint64_t untempered(std::uint64_t y) {
    auto const undo = [&](auto step) {
        auto x = y;
        for (int i = 0; i < 64; ++i) x = y ^ step(x);
        y = x;
    };
    undo([](std::uint64_t x) { return x >> 43; });
    undo([](std::uint64_t x) { return (x << 37) & 0xFFF7EEE000000000U; });
    undo([](std::uint64_t x) { return (x << 17) & 0x71D67FFFEDA60000U; });
    undo([](std::uint64_t x) { return (x >> 29) & 0x5555555555555555U; });
    return y;
}

/// The number of a Mersenne twister after those that `draw` gives.
template <class Draw> std::uint64_t predicted(Draw draw) {
    std::stringstream state;
    for (std::size_t i = 0; i < std::mt19937_64::state_size; ++i) state << untempered(draw()) << ' ';
    state << std::mt19937_64::state_size;
    std::mt19937_64 engine;
    state >> engine;
    return engine();
}

TEST(system_clock, gives_random_numbers_that_those_before_do_not_tell) {
    std::mt19937_64 twister{7};
    auto const of_twister = predicted([&] { return twister(); });
    ASSERT_EQ(of_twister, twister());
    auto const of_clock = predicted([] { return clock::system().random(); });
    EXPECT_NE(of_clock, clock::system().random());
}

TEST(system_clock, a_child_of_fork_has_random_numbers_of_its_own) {
    static_cast<void>(clock::system().random());
    auto const of_child = in_child([] { return clock::system().random(); });
    EXPECT_NE(of_child, 0U);
    EXPECT_NE(of_child, clock::system().random());
}

}  // namespace
}  // namespace tablemap::test

// SPDX-License-Identifier: Apache-2.0
#include "embedded/worker_pool.hpp"

#include "support/answers.hpp"
#include "support/calling_receiver.hpp"

#include "store/answering_thread.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

namespace tablemap::test {
namespace {

using detail::embedded::worker_pool;
using ::testing::ElementsAre;

/// A pool whose writes of rows are carried out as the test wants. The first one begins alone and waits until the test
/// lets it go on.
class pool_of_workers : public ::testing::Test {
protected:
    using job_list = worker_pool::job_list;

    /// Begins a write, and sends so many while it is held; their numbers are 1 and up.
    void send_behind_another(int count, std::function<void(int, response const&)> const& answered) {
        send([](auto&) {});
        begun_.get_future().wait();
        for (int i = 1; i <= count; ++i) send([=](auto& r) { answered(i, r); });
    }
    void go_on() { go_on_.set_value(); }

    void send(std::function<void(response const&)> f) {
        receivers_.push_back(std::make_unique<calling_receiver>(std::move(f)));
        pool_->submit(write_, options_, *receivers_.back());
    }

    /// Carries out the writes behind the first one: all of them, unless a test says something else.
    std::function<void(job_list&)> execute = answer_all;
    static void answer_all(job_list& jobs) {
        for (auto& j : jobs) j.answer.emplace();
    }

    std::unique_ptr<worker_pool>& pool() { return pool_; }

private:
    void execute_held(job_list& jobs) {
        if (std::exchange(is_first_, false)) {
            begun_.set_value();
            go_on_.get_future().wait();
            return answer_all(jobs);
        }
        execute(jobs);
    }

    request const write_ = write_entity{"People", {}};
    call_options const options_{};
    bool is_first_ = true;
    std::promise<void> begun_{}, go_on_{};
    std::vector<std::unique_ptr<calling_receiver>> receivers_{};
    std::unique_ptr<worker_pool> pool_ = std::make_unique<worker_pool>([this](job_list& jobs) { execute_held(jobs); });
};

TEST_F(pool_of_workers, carries_out_writes_that_wait_together) {
    std::promise<std::size_t> together;
    execute = [&](job_list& jobs) {
        together.set_value(jobs.size());
        answer_all(jobs);
    };
    send_behind_another(5, [](auto...) {});
    go_on();
    EXPECT_EQ(together.get_future().get(), 5u);
    pool().reset();
}

TEST_F(pool_of_workers, answers_a_write_before_it_carries_out_those_without_an_answer) {
    std::promise<void> first, last;
    auto answered = first.get_future();
    execute = [&](job_list& jobs) {
        if (jobs.size() < 3) answered.wait();
        jobs.front().answer.emplace();
    };
    send_behind_another(3, [&](int i, auto&) {
        if (i == 1) first.set_value();
        if (i == 3) last.set_value();
    });
    go_on();
    last.get_future().wait();
    pool().reset();
}

TEST_F(pool_of_workers, carries_out_writes_without_an_answer_in_their_order) {
    std::vector<int> order;
    std::promise<void> last;
    execute = [&](job_list& jobs) { jobs.front().answer.emplace(); };
    send_behind_another(4, [&](int i, auto&) {
        order.push_back(i);
        if (i == 4) last.set_value();
    });
    go_on();
    last.get_future().wait();
    pool().reset();
    EXPECT_THAT(order, ElementsAre(1, 2, 3, 4));
}

TEST_F(pool_of_workers, carries_out_writes_while_a_function_that_it_calls_waits_for_them) {
    std::promise<void> other, ended;
    send_behind_another(1, [&](int, auto&) {
        send([&](auto&) { other.set_value(); });
        other.get_future().wait();
        ended.set_value();
    });
    go_on();
    ended.get_future().wait();
    pool().reset();
}

TEST_F(pool_of_workers, marks_its_thread_while_it_calls_functions) {
    std::promise<bool> marked;
    send_behind_another(1, [&](int, auto&) { marked.set_value(detail::answering_thread::is_this()); });
    go_on();
    EXPECT_TRUE(marked.get_future().get());
    EXPECT_FALSE(detail::answering_thread::is_this());
    pool().reset();
}

TEST_F(pool_of_workers, answers_all_before_its_destruction_by_one_of_them_returns) {
    int answered = 0;
    std::promise<int> at_the_end;
    send_behind_another(5, [&](int i, auto& r) {
        if (r.ok()) ++answered;
        if (i != 1) return;
        pool().reset();
        at_the_end.set_value(answered);
    });
    go_on();
    EXPECT_EQ(at_the_end.get_future().get(), 5);
}

TEST_F(pool_of_workers, cancels_writes_without_an_answer_when_it_ends) {
    std::promise<void> begun, going;
    execute = [&](job_list& jobs) {
        jobs.front().answer.emplace();
        begun.set_value();
        going.get_future().wait();
    };
    std::array<std::optional<response>, 3> answers;
    send_behind_another(2, [&](int i, auto& r) { answers.at(static_cast<std::size_t>(i)) = r; });
    go_on();
    begun.get_future().wait();
    send([&](auto& r) {
        answers[0] = r;
        going.set_value();
    });
    pool().reset();
    EXPECT_TRUE(refused(*answers[0], library_errc::cancelled));
    EXPECT_TRUE(carried_out(*answers[1]));
    EXPECT_TRUE(refused(*answers[2], library_errc::cancelled));
}

}  // namespace
}  // namespace tablemap::test

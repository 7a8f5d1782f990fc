// SPDX-License-Identifier: Apache-2.0
#include "unit/rest/transport_fixture.hpp"

#include "support/sanitizers.hpp"

#include <gtest/gtest.h>

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <deque>
#include <filesystem>
#include <future>
#include <set>
#include <thread>
#include <vector>

namespace {

using namespace tablemap;
using namespace tablemap::test;
using namespace std::chrono_literals;

class transport_lifetime : public scripted_transport {};

/// The same, by `transport::send` alone.
class transport_lifetime_async : public scripted_transport {};

INSTANTIATE_TEST_SUITE_P(, transport_lifetime, ::testing::ValuesIn(ways_to_send()),
                         [](auto const& instance) { return instance.param.name(); });
INSTANTIATE_TEST_SUITE_P(, transport_lifetime_async, ::testing::ValuesIn(asynchronous_ways_to_send()),
                         [](auto const& instance) { return instance.param.name(); });

TEST_P(transport_lifetime_async, takes_ten_thousand_requests_from_one_thread) {
    auto const t = connect();
    constexpr std::size_t n = 10'000;
    std::deque<http_request> requests;
    std::deque<http_answer> answers(n);
    call_options const o = deadline_in(100s);
    for (std::size_t i = 0; i < n; ++i) requests.push_back(http_message("PUT", "/" + std::to_string(i), "{}"));
    for (std::size_t i = 0; i < n; ++i) t->send(requests[i], o, answers[i]);
    for (auto& a : answers) ASSERT_TRUE(answered(a.wait(), 204));

    std::set<std::string> targets;
    for (auto const& r : server.seen()) EXPECT_TRUE(targets.insert(r.target).second) << "seen twice: " << r.target;
    EXPECT_EQ(targets.size(), n);
    EXPECT_LE(server.accepted(), 32u);
    EXPECT_LE(server.most_open(), 32u);
}

TEST_P(transport_lifetime, may_be_used_by_many_threads_while_connections_break) {
    auto const t = connect({.connections = 8});
    std::atomic<int> lost{0}, done{0};
    std::vector<std::thread> threads;
    for (int k = 0; k < 8; ++k)
        threads.emplace_back([&, k] {
            for (int i = 0; i < 250; ++i) {
                auto const target =
                    i % 10 == 3 ? std::string{"/hang-up"} : "/" + std::to_string(k) + "-" + std::to_string(i);
                auto const result = call(*t, http_message("POST", target, "{}"));
                if (target == "/hang-up") {
                    EXPECT_TRUE(failed(result, transport_errc::connection_lost, outcome::in_doubt));
                    ++lost;
                } else {
                    EXPECT_TRUE(answered(result, 204));
                    ++done;
                }
            }
        });
    for (auto& thread : threads) thread.join();
    EXPECT_EQ(lost, 8 * 25);
    EXPECT_EQ(server.seen().size(), static_cast<std::size_t>(lost + done));
    EXPECT_LE(server.most_open(), 8u + 8u);  // closing and opening overlap at the server
}

TEST_P(transport_lifetime, uses_one_connection_for_one_request_after_another) {
    auto const t = connect();
    for (int i = 0; i < 200; ++i) ASSERT_TRUE(answered(call(*t, http_message("PUT", "/T", "{}")), 204));
    EXPECT_EQ(server.accepted(), 1u);
}

TEST_P(transport_lifetime_async, completes_outstanding_requests_at_its_end) {
    auto t = connect({.connections = 4});
    std::deque<http_answer> answers(20);
    auto const write = http_message("PUT", "/silence");
    auto const read = http_message("GET", "/silence");
    call_options const o;
    for (std::size_t i = 0; i < answers.size(); ++i) t->send(i % 2 ? write : read, o, answers[i]);
    while (server.seen().size() < 4) std::this_thread::sleep_for(1ms);
    t.reset();
    for (std::size_t i = 0; i < answers.size(); ++i) {
        ASSERT_TRUE(answers[i].is_there());
        bool const in_doubt = i < 4 && i % 2;
        EXPECT_TRUE(
            failed(answers[i].wait(), library_errc::cancelled, in_doubt ? outcome::in_doubt : outcome::not_applied))
            << i;
    }
}

TEST_P(transport_lifetime_async, may_end_within_a_receiver) {
    struct last final : http_receiver {
        std::shared_ptr<transport> t;
        std::promise<int> status;
        void complete(http_result&& r) noexcept override {
            t.reset();
            status.set_value(r.response.status);
        }
    } receiver;
    receiver.t = connect();
    auto const r = http_message("GET");
    call_options const o;
    auto status = receiver.status.get_future();
    receiver.t->send(r, o, receiver);
    ASSERT_EQ(status.wait_for(20s), std::future_status::ready);
    EXPECT_EQ(status.get(), 200);
}

TEST_P(transport_lifetime_async, may_be_asked_again_within_a_receiver) {
    struct chain final : http_receiver {
        transport* t = nullptr;
        http_request r = http_message("GET");
        call_options o{};
        int left = 500;
        std::promise<void> done;
        void complete(http_result&& result) noexcept override {
            EXPECT_TRUE(answered(result, 200));
            --left == 0 ? done.set_value() : t->send(r, o, *this);
        }
    } chain;
    auto const t = connect();
    chain.t = t.get();
    auto done = chain.done.get_future();
    t->send(chain.r, chain.o, chain);
    ASSERT_EQ(done.wait_for(60s), std::future_status::ready);
    EXPECT_EQ(server.accepted(), 1u);
}

TEST_P(transport_lifetime_async, starts_no_thread_before_it_is_used) {
    // In a process of its own that begins anew: other tests have used the pool.
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    auto const threads = [] {
        auto n = 0;
        for ([[maybe_unused]] auto const& task : std::filesystem::directory_iterator{"/proc/self/task"}) ++n;
        return n;
    };
    EXPECT_EXIT(
        {
            auto const before = threads();
            auto const t = connect_to(origin_of(1));
            auto const made = threads();
            call(*t, http_message("GET"));
            auto const used = threads();
            // One more may look up names.
            bool const few = is("cpprest") ? used >= before + 2 && used <= before + 5 : used == before + 1;
            std::exit(made == before && few ? 0 : 1);
        },
        ::testing::ExitedWithCode(0), "");
}

/// Closes the transport as soon as it has a result.
struct closing_receiver final : http_receiver {
    std::shared_ptr<transport> t;
    http_answer later;
    std::promise<bool> later_was_there;
    void complete(http_result&&) noexcept override {
        t.reset();
        later_was_there.set_value(later.is_there());
    }
};

TEST_P(transport_lifetime_async, ends_what_was_sent_meanwhile_before_its_end_returns) {
    if (is("cpprest")) GTEST_SKIP() << "it calls receivers on several threads: the end could meet the second send()";
    /// Sends two on the thread of the transport, which then takes both at once.
    struct sending_receiver final : http_receiver {
        http_request const r = http_message("PUT");
        call_options const o{};
        closing_receiver first{};
        void complete(http_result&&) noexcept override {
            auto const t = first.t.get();
            t->send(r, o, first);
            t->send(r, o, first.later);
        }
    } receiver;
    receiver.first.t = connect_to({"http", "255.255.255.255", "9"});  // the system refuses to connect there at once
    auto there = receiver.first.later_was_there.get_future();
    receiver.first.t->send(receiver.r, receiver.o, receiver);
    ASSERT_EQ(there.wait_for(20s), std::future_status::ready);
    EXPECT_TRUE(there.get());
}

TEST_P(transport_lifetime_async, is_not_disturbed_by_a_child_that_destroys_its_copy) {
    if (is("cpprest")) GTEST_SKIP() << "cpprestsdk's pool waits for its threads in the child";
    auto t = connect();
    EXPECT_TRUE(answered(call(*t, http_message("GET")), 200));
    auto const child = ::fork();
    if (child == 0) {
        t.reset();
        ::_exit(7);
    }
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 7) << status;
    for (int i = 0; i < 3; ++i) EXPECT_TRUE(answered(call(*t, http_message("PUT"), deadline_in(20s)), 204));
    EXPECT_EQ(server.accepted(), 1u);
}

/// Leaves this process no descriptor to open.
class no_descriptors {
public:
    no_descriptors() {
        ::getrlimit(RLIMIT_NOFILE, &before_);
        rlimit const few{256, before_.rlim_max};
        ::setrlimit(RLIMIT_NOFILE, &few);
        for (int d = 0; (d = ::open("/dev/null", O_RDONLY | O_CLOEXEC)) >= 0;) taken_.push_back(d);
    }
    ~no_descriptors() {
        for (int const d : taken_) ::close(d);
        ::setrlimit(RLIMIT_NOFILE, &before_);
    }
    no_descriptors(no_descriptors const&) = delete;
    no_descriptors& operator=(no_descriptors const&) = delete;

private:
    rlimit before_{};
    std::vector<int> taken_;
};

TEST_P(transport_lifetime, overlooks_no_stop_for_want_of_descriptors) {
    if (has_address_sanitizer)
        GTEST_SKIP()
            << "the undefined-behaviour sanitizer opens descriptors itself when it checks the type of an object";
    auto const t = connect();
    EXPECT_TRUE(answered(call(*t, http_message("PUT")), 204));
    std::stop_source stop;
    auto const r = http_message("PUT", "/silence");
    call_options const o{.deadline = within(20s), .stop = stop.get_token()};
    no_descriptors const none;
    http_answer a;
    t->send(r, o, a);
    while (!a.is_there() && server.times_seen("PUT", "/silence") == 0) std::this_thread::sleep_for(1ms);
    stop.request_stop();
    auto const& result = a.wait();
    if (GetParam().blocking) {
        EXPECT_TRUE(failed(result, transport_errc::failed, outcome::not_applied));
        EXPECT_EQ(server.times_seen("PUT", "/silence"), 0u);
    } else {
        EXPECT_TRUE(failed(result, library_errc::cancelled, outcome::in_doubt));
    }
}

}  // namespace

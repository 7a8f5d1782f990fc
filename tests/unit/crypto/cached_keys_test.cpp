// SPDX-License-Identifier: Apache-2.0
#include "tablemap/crypto/cached_keys.hpp"

#include "tablemap/base/bytes.hpp"

#include "support/answers.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>

namespace {

using namespace tablemap;
using namespace std::chrono_literals;
using test::failed_with;

/// Counts what it is asked, fails when it is told to, and can be held within a call.
struct vault : key_provider {
    mutable std::atomic<int> asked = 0;
    std::atomic<int> version = 1;
    std::optional<error> failing;
    bool throwing = false;

    mutable std::mutex mutex;
    mutable std::condition_variable changed;
    mutable bool held = false;
    mutable int inside = 0;

    result<encryption_key> current() const override { return find(std::to_string(version)); }
    result<encryption_key> find(std::string_view id) const override {
        ++asked;
        std::unique_lock lock{mutex};
        ++inside;
        changed.notify_all();
        changed.wait(lock, [&] { return !held; });
        --inside;
        if (throwing) throw std::runtime_error{"the vault's client"};
        if (failing) return failure{*failing};
        if (id == "none") return fail(library_errc::unknown_encryption_key);
        return encryption_key::try_make(id, bytes(32, std::byte{1}));
    }

    void hold(bool on) {
        std::lock_guard const lock{mutex};
        held = on;
        changed.notify_all();
    }
    void await_call() {
        std::unique_lock lock{mutex};
        changed.wait(lock, [&] { return inside > 0; });
    }
};

struct cached_keys_test : ::testing::Test {
    std::shared_ptr<vault> behind = std::make_shared<vault>();
    std::atomic<std::chrono::steady_clock::duration> time{std::chrono::steady_clock::duration{1000h}};
    cached_keys keys{behind, {.fresh_for = 10min, .stale_for = 60min, .failed_for = 5s, .now = [this] {
                                  return std::chrono::steady_clock::time_point{time.load()};
                              }}};

    void pass(std::chrono::steady_clock::duration d) { time = time.load() + d; }
    void break_down() { behind->failing.emplace(transport_errc::cannot_connect); }
};

TEST_F(cached_keys_test, asks_once_for_each_key) {
    for (int i = 0; i < 3; ++i) {
        EXPECT_EQ(keys.find("a")->id(), "a");
        EXPECT_EQ(keys.find("b")->id(), "b");
        EXPECT_EQ(keys.current()->id(), "1");
        EXPECT_EQ(keys.all()->front().id(), "1");
    }
    EXPECT_EQ(behind->asked, 4);
}

TEST_F(cached_keys_test, asks_again_when_an_answer_is_no_longer_fresh) {
    keys.current();
    behind->version = 2;
    pass(10min - 1s);
    EXPECT_EQ(keys.current()->id(), "1");
    pass(1s);
    EXPECT_EQ(keys.current()->id(), "2");
}

TEST_F(cached_keys_test, goes_on_with_old_answers_while_the_provider_fails) {
    keys.find("a");
    break_down();
    pass(30min);
    EXPECT_TRUE(keys.find("a"));
    EXPECT_TRUE(keys.find("a"));
    EXPECT_EQ(behind->asked, 2) << "a failure is not asked for again at once";
    pass(40min);
    EXPECT_TRUE(failed_with(keys.find("a"), transport_errc::cannot_connect)) << "stale";
    behind->failing.reset();
    EXPECT_FALSE(keys.find("a"));
    pass(5s);
    EXPECT_TRUE(keys.find("a"));
}

TEST_F(cached_keys_test, drops_a_key_that_the_provider_no_longer_knows) {
    keys.find("a");
    behind->failing.emplace(library_errc::unknown_encryption_key);
    pass(10min);
    EXPECT_TRUE(failed_with(keys.find("a"), library_errc::unknown_encryption_key));
}

TEST_F(cached_keys_test, keeps_failures_for_a_short_time) {
    for (int i = 0; i < 1'000; ++i) EXPECT_TRUE(failed_with(keys.find("none"), library_errc::unknown_encryption_key));
    EXPECT_EQ(behind->asked, 1);
    pass(5s);
    EXPECT_FALSE(keys.find("none"));
    EXPECT_EQ(behind->asked, 2);
}

TEST_F(cached_keys_test, lets_others_wait_for_the_one_that_asks) {
    behind->hold(true);
    std::vector<std::jthread> threads;
    std::atomic<int> found = 0;
    for (int i = 0; i < 5; ++i) threads.emplace_back([&] { found += keys.find("a").has_value(); });
    behind->await_call();
    EXPECT_EQ(found, 0);
    behind->hold(false);
    threads.clear();
    EXPECT_EQ(found, 5);
    EXPECT_EQ(behind->asked, 1);
}

TEST_F(cached_keys_test, lets_others_go_on_with_the_old_key_while_one_asks) {
    keys.current();
    behind->version = 2;
    pass(10min);
    behind->hold(true);
    std::jthread asking{[&] { EXPECT_EQ(keys.current()->id(), "2"); }};
    behind->await_call();
    EXPECT_EQ(keys.current()->id(), "1");
    behind->hold(false);
    asking.join();
    EXPECT_EQ(keys.current()->id(), "2");
}

TEST_F(cached_keys_test, asks_again_after_an_exception) {
    behind->throwing = true;
    EXPECT_THROW(keys.find("a"), std::runtime_error);
    behind->throwing = false;
    EXPECT_TRUE(keys.find("a"));
}

}  // namespace

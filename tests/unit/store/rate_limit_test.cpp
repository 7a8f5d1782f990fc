// SPDX-License-Identifier: Apache-2.0
#include "tablemap/store/rate_limit.hpp"

#include "support/random.hpp"

#include <gtest/gtest.h>

#include <deque>
#include <map>

namespace tablemap::test {
namespace {

using namespace std::chrono_literals;

constexpr time_point start{1h};

/// Sends whatever may go at once until the time is up. Returns how much went in all, and checks every second of it.
std::size_t send_for(rate_limiter& limiter, std::vector<std::string> const& partitions, std::chrono::seconds time,
                     random_source& random, rate_limits most) {
    std::map<std::string, std::deque<std::pair<time_point, std::size_t>>> sent;
    auto const note = [&](std::string const& whom, time_point now, std::size_t count, double limit) {
        auto& last_second = sent[whom];
        last_second.emplace_back(now, count);
        while (last_second.front().first + 1s <= now) last_second.pop_front();
        std::size_t sum = 0;
        for (auto const& s : last_second) sum += s.second;
        EXPECT_LE(static_cast<double>(sum - count), limit) << "what the last group had to wait for";
    };
    std::size_t total = 0;
    for (auto now = start; now < start + time;) {
        std::optional<time_point> next;
        for (auto const& p : partitions) {
            auto const count = 1 + random.below(100);
            auto const v = limiter.try_take(p, count, now);
            if (v.not_before) {
                EXPECT_GT(*v.not_before, now);
                next = std::min(next.value_or(*v.not_before), *v.not_before);
                continue;
            }
            total += count;
            note(p, now, count, most.per_partition);
            note("account", now, count, most.per_account);
        }
        if (next) now = *next;
    }
    return total;
}

TEST(rate_limiter, never_exceeds_its_limits) {
    random_source random;
    rate_limits const limits{2'000, 5'000};
    rate_limiter limiter{limits};
    auto const total = send_for(limiter, {"a", "b", "c", "d"}, 20s, random, limits);
    EXPECT_LE(total, 20u * 5'000 + 100);
    EXPECT_GE(total, 20u * 4'900);
}

TEST(rate_limiter, holds_each_partition_to_its_own_limit) {
    rate_limiter limiter{{.per_partition = 1'000}};
    EXPECT_FALSE(limiter.try_take("a", 100, start).not_before);
    EXPECT_EQ(limiter.try_take("a", 1, start).not_before, start + 100ms);
    EXPECT_FALSE(limiter.try_take("b", 100, start).not_before);
    EXPECT_FALSE(limiter.try_take("a", 1, start + 100ms).not_before);
}

TEST(rate_limiter, says_when_it_is_the_account_that_holds_back) {
    rate_limiter limiter{{.per_account = 1'000}};
    EXPECT_FALSE(limiter.try_take("a", 100, start).not_before);
    auto const v = limiter.try_take("b", 1, start + 1ms);
    EXPECT_EQ(v.not_before, start + 100ms);
    EXPECT_TRUE(v.account);
}

TEST(rate_limiter, saves_nothing_up) {
    rate_limiter limiter{{.per_partition = 1'000}};
    EXPECT_FALSE(limiter.try_take("a", 10, start).not_before);
    EXPECT_FALSE(limiter.try_take("a", 10, start + 1h).not_before);
    EXPECT_TRUE(limiter.try_take("a", 10, start + 1h).not_before);
}

TEST(rate_limiter, without_limits_lets_everything_pass) {
    rate_limiter limiter{{}};
    for (int i = 0; i < 1'000; ++i) EXPECT_FALSE(limiter.try_take("a", 100, start).not_before);
}

TEST(rate_limiter, forgets_partitions_that_may_send_again) {
    rate_limiter limiter{{.per_partition = 1'000}};
    auto now = start;
    for (int i = 0; i < 100'000; ++i) {
        EXPECT_FALSE(limiter.try_take(std::to_string(i), 10, now).not_before);
        now += 1ms;
    }
    EXPECT_LE(limiter.known_partitions(), 1'024u);
}

}  // namespace
}  // namespace tablemap::test

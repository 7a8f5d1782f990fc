// SPDX-License-Identifier: Apache-2.0
#include "store/concurrency_limit.hpp"

#include <gtest/gtest.h>

#include <cstdint>

namespace tablemap::test {
namespace {

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

// SPDX-License-Identifier: Apache-2.0
#include "crypto/random_stock.hpp"

#include <gtest/gtest.h>

#include <set>

#include <sys/wait.h>
#include <unistd.h>

namespace {

using stock = tablemap::detail::random_stock<12>;
using portion = std::array<std::byte, 12>;

TEST(random_stock, gives_no_portion_twice) {
    stock s;
    std::set<portion> seen;
    for (int i = 0; i < 1000; ++i) EXPECT_TRUE(seen.insert(s.take()).second) << i;
}

TEST(random_stock, gives_a_forked_child_other_portions_than_its_parent) {
    stock s;
    s.take();
    std::array<int, 2> pipe_ends{};
    ASSERT_EQ(pipe(pipe_ends.data()), 0);
    auto const child = fork();
    if (child == 0) {
        auto const its = s.take();
        _exit(write(pipe_ends[1], its.data(), its.size()) == 12 ? 0 : 1);
    }
    portion its;
    ASSERT_EQ(read(pipe_ends[0], its.data(), its.size()), 12);
    int status = 0;
    waitpid(child, &status, 0);
    EXPECT_NE(s.take(), its);
    for (int const end : pipe_ends) close(end);
}

}  // namespace

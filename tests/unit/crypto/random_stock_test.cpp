// SPDX-License-Identifier: Apache-2.0
#include "crypto/random_stock.hpp"

#include "support/in_child.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <set>

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
    auto const of_child = tablemap::test::in_child([&] { return s.take(); });
    EXPECT_NE(of_child, portion{});
    EXPECT_NE(of_child, s.take());
}

}  // namespace

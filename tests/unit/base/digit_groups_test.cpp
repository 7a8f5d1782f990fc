// SPDX-License-Identifier: Apache-2.0
#include "base/digit_groups.hpp"

#include <gtest/gtest.h>

namespace tablemap::test {
namespace {

TEST(digit_groups, are_of_three) {
    EXPECT_EQ(detail::with_separators(0), "0");
    EXPECT_EQ(detail::with_separators(999), "999");
    EXPECT_EQ(detail::with_separators(1'000), "1,000");
    EXPECT_EQ(detail::with_separators(12'345'678), "12,345,678");
}

TEST(digit_groups, are_in_counts_of_things) {
    EXPECT_EQ(detail::counted(1, "row has", "rows have"), "1 row has");
    EXPECT_EQ(detail::counted(2'000, "row has", "rows have"), "2,000 rows have");
}

}  // namespace
}  // namespace tablemap::test

// SPDX-License-Identifier: Apache-2.0
#include "base/direction.hpp"

#include <gtest/gtest.h>

namespace tablemap::test {
namespace {

TEST(direction, is_turned_by_characters_of_two_or_three_bytes) {
    EXPECT_EQ(detail::turning_bytes("\u061Ca"), 2u);
    EXPECT_EQ(detail::turning_bytes("\u202Ea"), 3u);
}

TEST(direction, is_not_turned_by_others) {
    for (auto const* text : {"", "a\u202E", "\u200D", "\u2026", "\xE2\x80"}) EXPECT_EQ(detail::turning_bytes(text), 0u);
}

}  // namespace
}  // namespace tablemap::test

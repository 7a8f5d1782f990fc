// SPDX-License-Identifier: Apache-2.0
#include "tablemap/edm/key_bounds.hpp"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace {

using namespace tablemap;

TEST(key_bounds, of_one_key_hold_that_alone) {
    auto const bounds = key_bounds::exactly("Sales");
    EXPECT_TRUE(bounds.holds(std::string{"Sales"}));
    for (auto const* other : {"", "Sale", "Sales1", "sales", "Tales"}) EXPECT_FALSE(bounds.holds(other)) << other;
    std::string const first = "Sales", second = first;
    EXPECT_TRUE((key_bounds{first, second, true, true}).holds("Sales"));
    EXPECT_FALSE((key_bounds{first, second, true, true}).holds("Sales1"));
    EXPECT_TRUE(key_bounds::exactly("").holds(""));
    EXPECT_FALSE(key_bounds::exactly("").holds("a"));
}

TEST(key_bounds, without_one_of_their_ends_hold_no_key_if_both_are_the_same) {
    std::string_view const key = "Sales";
    std::string const again{key};
    for (auto const& b : {key_bounds{key, key, true, false}, key_bounds{key, key, false, true},
                          key_bounds{key, again, true, false}, key_bounds{key, again, false, true}})
        for (auto const* k : {"Sales", "Sale", "Sales1"}) EXPECT_FALSE(b.holds(k)) << k;
}

TEST(key_bounds, hold_keys_in_the_order_of_utf16) {
    key_bounds const b{.from = "b", .to = "\uFFFD"};
    for (auto const* inside : {"b", "c", "\u00FC", "\U0001F600"}) EXPECT_TRUE(b.holds(inside)) << inside;
    for (auto const* outside : {"", "a", "\uFFFD"}) EXPECT_FALSE(b.holds(outside)) << outside;
    EXPECT_TRUE(key_bounds{}.holds("anything"));
}

}  // namespace

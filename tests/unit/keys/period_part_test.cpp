// SPDX-License-Identifier: Apache-2.0
#include "tablemap/detail/keys/key_codec.hpp"
#include "tablemap/detail/keys/text.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <string>

namespace tablemap {
namespace {

struct lease {
    ticks until{};
    std::optional<ticks> warned{};
};

constexpr std::uint64_t hour = 36'000'000'000;
constexpr auto hours_of_until = key(period_part<&lease::until>{part<&lease::until>, hour}, "_end");

std::optional<std::string> key_of_hour(std::int64_t count) {
    lease const l{ticks{count}};
    std::string text;
    auto const get = [&]<auto M>(member_part<M> const&)->auto const& { return l.*M; };
    if (!detail::make_key(text, hours_of_until, get)) return std::nullopt;
    return text;
}

TEST(period_part, is_the_beginning_of_the_period) {
    EXPECT_EQ(key_of_hour(0), "0000000000000000000_end");
    EXPECT_EQ(key_of_hour(35'999'999'999), "0000000000000000000_end");
    EXPECT_EQ(key_of_hour(36'000'000'000), "0000000036000000000_end");
    EXPECT_EQ(key_of_hour(ticks::max().count()), "3155378940000000000_end");
}

TEST(period_part, refuses_a_time_that_no_key_holds) {
    EXPECT_FALSE(key_of_hour(-1));
    EXPECT_FALSE(key_of_hour(ticks::max().count() + 1));
}

TEST(period_part, of_a_key_that_is_read_begins_a_period) {
    auto const& layout = hours_of_until.layouts[0];
    detail::parsed_part value;
    EXPECT_TRUE(detail::read_part(layout, "0000000036000000000", value));
    EXPECT_FALSE(detail::read_part(layout, "0000000036000000001", value));
    EXPECT_FALSE(detail::read_part(layout, "000000003600000000", value));
    EXPECT_FALSE(detail::is_readable(layout));
    EXPECT_FALSE(detail::sorts_by_value(layout, true));
}

}  // namespace
}  // namespace tablemap

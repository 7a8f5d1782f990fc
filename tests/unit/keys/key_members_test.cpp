// SPDX-License-Identifier: Apache-2.0
#include "tablemap/detail/keys/key_codec.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>

namespace {

using namespace tablemap;
using detail::given_members_of;
using detail::is_also_stored;
using detail::is_readable_from_keys;
using detail::key_members;
using detail::member_list;
using detail::members_of;

struct event {
    std::string device{};
    std::string site{};
    ticks at{};
    guid id{};
    guid batch{};
};

/// Stands for a discriminator: a type that gives its text as a literal.
struct viewed_prefix {
    constexpr std::string_view as_key_part() const { return "event_"; }
};

constexpr auto spread_key = key(spread<16>(part<&event::device>));
constexpr auto row_key = key(part<&event::at>.descending(), "_", part<&event::id>.generated());
constexpr auto device_row_key = key(part<&event::device>.escaped(), part<&event::site>.escaped());
constexpr auto stored_key =
    key(part<&event::site>.hashed().also_stored(), spread<2>(part<&event::device>.also_stored()));
constexpr auto viewed_key = key(viewed_prefix{}, part<&event::id>);

TEST(key_members, that_only_choose_buckets_come_last) {
    static_assert(
        std::is_same_v<key_members<spread_key, row_key>, member_list<&event::at, &event::id, &event::device>>);
    static_assert(std::is_same_v<key_members<spread_key, device_row_key>, member_list<&event::device, &event::site>>);
    static_assert(std::is_same_v<given_members_of<spread_key>, member_list<>>);
}

TEST(key_members, are_read_from_no_hash_and_no_bucket) {
    static_assert(std::is_same_v<members_of<stored_key>, member_list<>>);
    static_assert(std::is_same_v<given_members_of<stored_key>, member_list<&event::site>>);
    static_assert(!is_readable_from_keys<spread_key, row_key, &event::device>);
    static_assert(is_readable_from_keys<spread_key, device_row_key, &event::device>);
}

TEST(key_members, are_stored_as_properties_where_a_part_says_so) {
    static_assert(is_also_stored<stored_key, row_key, &event::site>);
    static_assert(is_also_stored<row_key, stored_key, &event::device>);
    static_assert(!is_also_stored<stored_key, row_key, &event::at>);
}

TEST(key, takes_the_text_of_other_types_as_a_literal) {
    std::string text;
    guid const id{};
    auto const get = [&](auto const&) -> guid const& { return id; };
    ASSERT_TRUE(detail::make_key(text, viewed_key, get));
    EXPECT_EQ(text, "event_00000000-0000-0000-0000-000000000000");
}

TEST(two_parts, of_escaped_text_stand_side_by_side) {
    event const e{.device = "a/b !", .site = " "};
    std::string text;
    auto const get = [&]<auto M>(member_part<M> const&)->auto const& { return e.*M; };
    ASSERT_TRUE(detail::make_key(text, device_row_key, get));
    EXPECT_EQ(text, "a.1b z! ! z");
    event again;
    auto const set = [&]<auto M>(member_part<M> const&)->auto& { return again.*M; };
    ASSERT_TRUE(detail::read_key(text, device_row_key, set));
    EXPECT_EQ(again.device, e.device);
    EXPECT_EQ(again.site, e.site);
}

TEST(key_that_cannot_be_read, leaves_every_member_alone) {
    event e{.at = ticks{1}};
    auto const set = [&]<auto M>(member_part<M> const&)->auto& { return e.*M; };
    auto const r = detail::read_key("0000000000000000007_nonsense", row_key, set);
    ASSERT_FALSE(r);
    EXPECT_EQ(r.error().member(), "id");
    EXPECT_EQ(e.at, ticks{1});
}

}  // namespace

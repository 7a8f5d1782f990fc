// SPDX-License-Identifier: Apache-2.0
#include "tablemap/query/access_range.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

namespace tablemap {
namespace {

struct sale {
    std::string shop{};
    std::int32_t number{};
};

struct reading {
    std::string site{};
    std::int32_t device{};
};

struct visit {
    std::string house{};
    std::int32_t room{};
    std::int32_t day{};
};

/// Names sort by their texts, codes do not. Neither has an operator ==.
struct shop_name {
    std::string text{};
};
struct shop_code {
    std::string text{};
};

struct branch {
    shop_name name{};
    shop_code code{};
};

}  // namespace

template <> struct converter<shop_name> {
    using stored = std::string;
    static constexpr bool keeps_order = true;
    static stored to_property(shop_name const& n) { return n.text; }
    static shop_name from_property(stored const& text) { return {text}; }
};

template <> struct converter<shop_code> {
    using stored = std::string;
    static stored to_property(shop_code const& c) { return c.text; }
    static shop_code from_property(stored const& text) { return {text}; }
};

template <> struct mapping<branch> {
    static constexpr auto partition_key = key(part<&branch::name>);
    static constexpr auto row_key = key(part<&branch::code>);
};

template <> struct mapping<visit> {
    static constexpr auto partition_key = key(part<&visit::house>);
    static constexpr auto row_key = key(part<&visit::room>, "_", part<&visit::day>.width(2));
};

template <> struct mapping<sale> {
    static constexpr auto partition_key = key("shop_", part<&sale::shop>);
    static constexpr auto row_key = key(part<&sale::number>.width(6));
};

template <> struct mapping<reading> {
    static constexpr auto partition_key = key(part<&reading::site>, "_", spread<3>(part<&reading::device>));
    static constexpr auto row_key = key(part<&reading::device>.width(6));
};

namespace {

TEST(access_range, of_a_partition_begins_and_ends_with_it) {
    EXPECT_EQ(access_range_of<sale>(partition("a")), access_range::partition("shop_a"));
}

TEST(access_range, between_two_keys_includes_both) {
    access_range const expected{
        .first_partition = "shop_a", .first_row = "000007", .last_partition = "shop_b", .last_row = "000012"};
    EXPECT_EQ(access_range_of<sale>({"a", 7}, {"b", 12}), expected);
}

TEST(access_range, of_keys_that_cannot_be_made_names_the_member) {
    EXPECT_EQ(try_access_range_of<sale>(partition("a/b")).error().member(), "shop");
    EXPECT_EQ(try_access_range_of<sale>({"a", 1}, {"a", -1}).error().member(), "number");
    EXPECT_THROW(access_range_of<sale>(partition("a/b")), error);
}

TEST(access_range, never_spans_the_buckets_of_a_spread_key) {
    auto const r = try_access_range_of<reading>(partition("north"));
    ASSERT_FALSE(r);
    EXPECT_EQ(r.error().code(), library_errc::invalid_access_signature);
}

std::string refused_member(result<access_range> const& r) {
    EXPECT_FALSE(r);
    if (r) return {};
    EXPECT_EQ(r.error().code(), library_errc::invalid_access_signature);
    return std::string{r.error().member()};
}

TEST(access_range, between_two_keys_never_spans_buckets) {
    EXPECT_EQ(refused_member(try_access_range_of<reading>({"north", 1}, {"north", 9})), "device");
    EXPECT_EQ(refused_member(try_access_range_of<reading>({"north", 1}, {"south", 1})), "site");
    auto const one = access_range_of<reading>({"north", 1}, {"north", 1});
    EXPECT_EQ(one.first_row, one.last_row);
}

TEST(access_range, between_two_keys_needs_parts_that_sort_by_their_values) {
    EXPECT_EQ(refused_member(try_access_range_of<visit>({"a", 1, 5}, {"a", 20, 5})), "room");
    EXPECT_EQ(refused_member(try_access_range_of<visit>({"a", 1, 5}, {"b", 1, 5})), "room");
    access_range const expected{.first_partition = "a", .first_row = "7_05", .last_partition = "a", .last_row = "7_12"};
    EXPECT_EQ(access_range_of<visit>({"a", 7, 5}, {"a", 7, 12}), expected);
}

TEST(access_range, between_two_keys_needs_converters_that_keep_the_order_of_values) {
    auto const same = access_range_of<branch>({shop_name{"a"}, shop_code{"x"}}, {shop_name{"a"}, shop_code{"x"}});
    EXPECT_EQ(same.last_partition, "a");
    EXPECT_EQ(same.last_row, "x");
    auto const r = try_access_range_of<branch>({shop_name{"a"}, shop_code{"x"}}, {shop_name{"a"}, shop_code{"y"}});
    ASSERT_FALSE(r);
    EXPECT_EQ(r.error().member(), "code");
}

TEST(access_range, between_keys_of_dynamic_entities_is_that_of_their_texts) {
    access_range const expected{.first_partition = "a", .first_row = "2", .last_partition = "a", .last_row = "20"};
    EXPECT_EQ(access_range_of<dynamic_entity>({"a", "2"}, {"a", "20"}), expected);
}

TEST(access_range, that_ends_before_it_begins_is_refused) {
    EXPECT_EQ(refused_member(try_access_range_of<sale>({"b", 1}, {"a", 9})), "last_partition");
    EXPECT_EQ(refused_member(try_access_range_of<sale>({"a", 9}, {"a", 1})), "last_row");
}

}  // namespace
}  // namespace tablemap

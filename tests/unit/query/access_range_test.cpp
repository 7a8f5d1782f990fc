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

}  // namespace

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

}  // namespace
}  // namespace tablemap

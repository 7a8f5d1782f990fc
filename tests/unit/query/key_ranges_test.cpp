// SPDX-License-Identifier: Apache-2.0
#include "tablemap/query/key_ranges.hpp"

#include <gtest/gtest.h>

namespace tablemap {
namespace {

struct order {
    std::string region{};
    std::int32_t year{};
    std::int64_t number{};
    std::string note{};
};

struct setting {
    std::string name{};
    std::string value{};
};

}  // namespace

template <> struct mapping<order> {
    static constexpr auto partition_key = key(part<&order::region>, "-", part<&order::year>);
    static constexpr auto row_key = key("order_", part<&order::number>.width(8), "_", part<&order::note>);
};

template <> struct mapping<setting> {
    static constexpr auto partition_key = key("settings");
    static constexpr auto row_key = key(part<&setting::name>);
};

namespace {

using detail::encode_all_rows;
using detail::encode_partition;
using detail::encode_row_range;
using detail::query_keys;

TEST(partition, is_made_of_the_values_of_the_partition_keys_members) {
    query_keys keys;
    ASSERT_TRUE(encode_partition<order>(keys.partition, partition("north", 2024)));
    EXPECT_EQ(keys.partition, "north-2024");
    EXPECT_TRUE(keys.partition_bounds().is_exact());
}

TEST(partition, of_a_constant_key_takes_no_value) {
    query_keys keys;
    ASSERT_TRUE(encode_partition<setting>(keys.partition, partition()));
    EXPECT_EQ(keys.partition, "settings");
}

TEST(partition, that_cannot_be_made_names_its_member) {
    query_keys keys;
    auto const r = encode_partition<order>(keys.partition, partition("nor/th", 2024));
    ASSERT_FALSE(r);
    EXPECT_EQ(r.error().member(), "region");
}

TEST(row_range, reaches_from_its_first_value_up_to_its_second) {
    query_keys keys;
    ASSERT_TRUE(encode_row_range<order>(keys, row_range(7, 42)));
    EXPECT_EQ(keys.row_bounds(), (key_bounds{.from = "order_00000007", .to = "order_00000042"}));
}

TEST(row_range, of_text_is_bounded_by_the_texts) {
    query_keys keys;
    ASSERT_TRUE(encode_row_range<setting>(keys, row_range("a", "c")));
    EXPECT_EQ(keys.row_bounds(), (key_bounds{.from = "a", .to = "c"}));
}

TEST(row_range, that_begins_with_the_empty_text_is_still_bounded_above) {
    query_keys keys;
    ASSERT_TRUE(encode_row_range<setting>(keys, row_range("", "c")));
    EXPECT_EQ(keys.row_bounds().to, "c");
}

TEST(row_range, reaches_the_last_key_by_a_bound_that_is_none) {
    query_keys keys;
    ASSERT_TRUE(encode_row_range<order>(keys, row_range(-1, 100'000'000)));
    EXPECT_EQ(keys.row_bounds(), (key_bounds{.from = "order_00000000", .to = "order_:"}));
}

TEST(row_range, of_text_that_cannot_be_in_a_key_names_its_member) {
    query_keys keys;
    auto const r = encode_row_range<setting>(keys, row_range("a/b", "c"));
    ASSERT_FALSE(r);
    EXPECT_EQ(r.error().member(), "name");
}

TEST(all_rows, are_those_that_begin_with_the_row_keys_literal) {
    query_keys keys;
    encode_all_rows<order>(keys);
    EXPECT_EQ(keys.row_bounds(), (key_bounds{.from = "order_", .to = "order`"}));
}

struct switchboard {
    std::string id{};
    bool on{};
};

}  // namespace

template <> struct mapping<switchboard> {
    static constexpr auto partition_key = key(part<&switchboard::id>);
    static constexpr auto row_key = key("switch");
};

namespace {

TEST(all_rows, of_a_constant_row_key_are_one_row) {
    query_keys keys;
    ASSERT_TRUE(encode_partition<switchboard>(keys.partition, partition("hall")));
    encode_all_rows<switchboard>(keys);
    EXPECT_EQ(keys.row_bounds(), key_bounds::exactly("switch"));
}

TEST(all_rows, are_unbounded_without_a_leading_literal) {
    query_keys keys;
    encode_all_rows<setting>(keys);
    EXPECT_EQ(keys.row_bounds(), key_bounds{});
}

TEST(key_of, orders_its_values_as_the_keys_do) {
    key_of<order> const k{"north", 2024, 7, "urgent"};
    EXPECT_EQ(k.get<&order::number>(), 7);
    EXPECT_EQ(k, (key_of<order>{"north", 2024, 7, "urgent"}));
    EXPECT_FALSE(k == (key_of<order>{"north", 2024, 8, "urgent"}));
}

}  // namespace
}  // namespace tablemap

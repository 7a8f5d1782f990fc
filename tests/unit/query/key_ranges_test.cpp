// SPDX-License-Identifier: Apache-2.0
#include "tablemap/query/key_ranges.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

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

struct customer_id {
    std::string text{};
};

/// Its text sorts as the tags do.
struct tag {
    std::string text{};
};

struct order_number {
    std::int64_t value{};
};

struct invoice {
    customer_id customer{};
    tag label{};
    order_number number{};
};

}  // namespace

template <> struct converter<customer_id> {
    using stored = std::string;
    static result<stored> to_property(customer_id const& c) {
        if (c.text == "nobody") return fail(library_errc::value_out_of_range, {.reason = "nobody orders"});
        return c.text;
    }
    static customer_id from_property(stored const& text) { return {text}; }
};

template <> struct converter<tag> {
    using stored = std::string;
    static constexpr bool keeps_order = true;
    static stored to_property(tag const& t) { return t.text; }
    static tag from_property(stored const& text) { return {text}; }
};

template <> struct converter<order_number> {
    using stored = std::int64_t;
    static stored to_property(order_number const& n) { return n.value; }
    static order_number from_property(stored const& value) { return {value}; }
};

template <> struct mapping<invoice> {
    static constexpr auto partition_key = key(part<&invoice::customer>, "_", spread<2>(part<&invoice::number>));
    static constexpr auto row_key =
        key("i_", part<&invoice::label>.escaped(), part<&invoice::number>.descending(), part<&invoice::customer>);
};

template <> struct mapping<order> {
    static constexpr auto partition_key = key(part<&order::region>, "-", part<&order::year>);
    static constexpr auto row_key = key("order_", part<&order::number>.width(8), "_", part<&order::note>);
};

template <> struct mapping<setting> {
    static constexpr auto partition_key = key("settings");
    static constexpr auto row_key = key(part<&setting::name>);
};

namespace {

using detail::encode_partition;
using detail::encode_rows;
using detail::query_keys;
using ::testing::ElementsAre;

TEST(partition, is_made_of_the_values_of_the_partition_keys_members) {
    query_keys keys;
    ASSERT_TRUE(encode_partition<order>(keys, partition("north", 2024)));
    EXPECT_THAT(keys.partitions, ElementsAre("north-2024"));
    EXPECT_TRUE(keys.partition_bounds().is_exact());
}

TEST(partition, of_a_constant_key_takes_no_value) {
    query_keys keys;
    ASSERT_TRUE(encode_partition<setting>(keys, partition()));
    EXPECT_THAT(keys.partitions, ElementsAre("settings"));
}

TEST(partition, that_cannot_be_made_names_its_member) {
    query_keys keys;
    auto const r = encode_partition<order>(keys, partition("nor/th", 2024));
    ASSERT_FALSE(r);
    EXPECT_EQ(r.error().member(), "region");
}

TEST(row_range, reaches_from_its_first_value_up_to_its_second) {
    query_keys keys;
    ASSERT_TRUE(encode_rows<order>(keys, row_range(7, 42)));
    EXPECT_EQ(keys.row_bounds(), (key_bounds{.from = "order_00000007", .to = "order_00000042"}));
}

TEST(row_range, of_text_is_bounded_by_the_texts) {
    query_keys keys;
    ASSERT_TRUE(encode_rows<setting>(keys, row_range("a", "c")));
    EXPECT_EQ(keys.row_bounds(), (key_bounds{.from = "a", .to = "c"}));
}

TEST(row_range, that_begins_with_the_empty_text_is_still_bounded_above) {
    query_keys keys;
    ASSERT_TRUE(encode_rows<setting>(keys, row_range("", "c")));
    EXPECT_EQ(keys.row_bounds().to, "c");
}

TEST(row_range, reaches_the_last_key_by_a_bound_that_is_none) {
    query_keys keys;
    ASSERT_TRUE(encode_rows<order>(keys, row_range(-1, 100'000'000)));
    EXPECT_EQ(keys.row_bounds(), (key_bounds{.from = "order_", .to = "order_:"}));
}

TEST(row_range, of_text_that_cannot_be_in_a_key_names_its_member) {
    query_keys keys;
    auto const r = encode_rows<setting>(keys, row_range("a/b", "c"));
    ASSERT_FALSE(r);
    EXPECT_EQ(r.error().member(), "name");
}

TEST(row_between, takes_its_last_value_too) {
    query_keys keys;
    ASSERT_TRUE(encode_rows<order>(keys, row_between(7, 42)));
    EXPECT_EQ(keys.row_bounds(), (key_bounds{.from = "order_00000007", .to = "order_00000043"}));
    ASSERT_TRUE(encode_rows<setting>(keys, row_between("a", "c")));
    EXPECT_EQ(keys.row_bounds(), (key_bounds{.from = "a", .to = "c "}));
}

TEST(leading, are_the_rows_that_begin_with_whole_values) {
    query_keys keys;
    ASSERT_TRUE(encode_rows<order>(keys, leading(7)));
    EXPECT_EQ(keys.row_bounds(), (key_bounds{.from = "order_00000007_", .to = "order_00000007`"}));
    ASSERT_TRUE(encode_rows<order>(keys, leading(7, "urgent")));
    EXPECT_EQ(keys.row_bounds(), key_bounds::exactly("order_00000007_urgent"));
}

TEST(leading, narrow_the_member_that_follows) {
    query_keys keys;
    ASSERT_TRUE(encode_rows<order>(keys, leading(7).range("a", "c")));
    EXPECT_EQ(keys.row_bounds(), (key_bounds{.from = "order_00000007_a", .to = "order_00000007_c"}));
    ASSERT_TRUE(encode_rows<order>(keys, leading(7).starting_with("a")));
    EXPECT_EQ(keys.row_bounds(), (key_bounds{.from = "order_00000007_a", .to = "order_00000007_b"}));
}

TEST(starting_with, takes_all_values_but_the_last_whole) {
    query_keys keys;
    ASSERT_TRUE(encode_rows<setting>(keys, starting_with("net")));
    EXPECT_EQ(keys.row_bounds(), (key_bounds{.from = "net", .to = "neu"}));
    ASSERT_TRUE(encode_rows<order>(keys, starting_with(7, "a")));
    EXPECT_EQ(keys.row_bounds(), (key_bounds{.from = "order_00000007_a", .to = "order_00000007_b"}));
}

TEST(starting_with, ends_nowhere_after_the_last_character) {
    query_keys keys;
    ASSERT_TRUE(encode_rows<setting>(keys, starting_with("\xEF\xBF\xBF")));
    EXPECT_EQ(keys.row_bounds(), (key_bounds{.from = "\xEF\xBF\xBF"}));
    ASSERT_TRUE(encode_rows<setting>(keys, starting_with("\xF4\x8F\xBF\xBF")));
    EXPECT_EQ(keys.row_bounds(), (key_bounds{.from = "\xF4\x8F\xBF\xBF", .to = "\xEE\x80\x80"}));
}

TEST(all_rows, are_those_that_begin_with_the_row_keys_literal) {
    query_keys keys;
    ASSERT_TRUE(encode_rows<order>(keys, leading()));
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
    ASSERT_TRUE(encode_partition<switchboard>(keys, partition("hall")));
    ASSERT_TRUE(encode_rows<switchboard>(keys, leading()));
    EXPECT_EQ(keys.row_bounds(), key_bounds::exactly("switch"));
}

TEST(all_rows, are_unbounded_without_a_leading_literal) {
    query_keys keys;
    ASSERT_TRUE(encode_rows<setting>(keys, leading()));
    EXPECT_EQ(keys.row_bounds(), key_bounds{});
}

struct path {
    std::string folder{};
    std::string file{};
};

struct event {
    std::string site{};
    std::string device{};
    ticks at{};
};

}  // namespace

template <> struct mapping<path> {
    [[maybe_unused]] static constexpr auto partition_key = key("paths");
    static constexpr auto row_key = key(part<&path::folder>, "--", part<&path::file>);
};

template <> struct mapping<event> {
    static constexpr auto partition_key = key(part<&event::site>, "_", spread<3>(part<&event::device>));
    static constexpr auto row_key = key(part<&event::at>.descending(), "_", part<&event::device>);
};

namespace {

TEST(starting_with, refuses_text_that_a_literal_could_end) {
    query_keys keys;
    EXPECT_TRUE(encode_rows<path>(keys, starting_with("a-b")));
    for (auto const* bad : {"a--b", "a-", "-", "--"}) {
        auto const r = encode_rows<path>(keys, starting_with(bad));
        ASSERT_FALSE(r) << bad;
        EXPECT_EQ(r.error().member(), "folder");
    }
}

TEST(row_range, of_times_newest_first_is_given_in_the_order_of_times) {
    query_keys keys;
    ASSERT_TRUE(encode_rows<event>(keys, row_range(ticks{1}, ticks{4})));
    EXPECT_EQ(keys.row_bounds(), (key_bounds{.from = "3155378975999999996", .to = "3155378975999999999"}));
}

TEST(row_range, takes_bounds_that_no_key_holds) {
    query_keys keys;
    ASSERT_TRUE(encode_rows<event>(keys, row_between(ticks{-5}, ticks{std::numeric_limits<std::int64_t>::max()})));
    EXPECT_EQ(keys.row_bounds(), (key_bounds{.to = ":"}));
}

TEST(partition, of_rows_that_are_spread_has_a_key_for_each_bucket) {
    query_keys keys;
    ASSERT_TRUE(encode_partition<event>(keys, partition("north")));
    EXPECT_THAT(keys.partitions, ElementsAre("north_0", "north_1", "north_2"));
}

struct owned_event {
    std::string device{};
    std::int32_t number{};
};

}  // namespace

template <> struct mapping<owned_event> {
    static constexpr auto partition_key = key(spread<16>(part<&owned_event::device>), "_", part<&owned_event::device>);
    [[maybe_unused]] static constexpr auto row_key = key(part<&owned_event::number>.ordered());
};

namespace {

TEST(partition, that_names_the_spread_member_is_in_one_bucket) {
    query_keys keys;
    ASSERT_TRUE(encode_partition<owned_event>(keys, partition("north")));
    EXPECT_THAT(keys.partitions, ElementsAre("01_north"));
}

TEST(key_of, orders_its_values_as_the_keys_do) {
    key_of<order> const k{"north", 2024, 7, "urgent"};
    EXPECT_EQ(k.get<&order::number>(), 7);
    EXPECT_EQ(k, (key_of<order>{"north", 2024, 7, "urgent"}));
    EXPECT_FALSE(k == (key_of<order>{"north", 2024, 8, "urgent"}));
}

// ---- members of types with a converter ------------------------------------------------------------------------------

TEST(converted_part, makes_the_keys_of_a_partition) {
    query_keys keys;
    ASSERT_TRUE(encode_partition<invoice>(keys, partition(customer_id{"Don"})));
    EXPECT_THAT(keys.partitions, ElementsAre("Don_0", "Don_1"));
    auto const r = encode_partition<invoice>(keys, partition(customer_id{"nobody"}));
    ASSERT_FALSE(r);
    EXPECT_EQ(r.error().code(), library_errc::value_out_of_range);
    EXPECT_EQ(r.error().member(), "customer");
}

TEST(converted_part, gives_ranges_of_its_values) {
    query_keys keys;
    ASSERT_TRUE(encode_rows<invoice>(keys, row_range(tag{"a b"}, tag{"b"})));
    EXPECT_EQ(keys.row_bounds(), (key_bounds{.from = "i_a zb !", .to = "i_b !"}));
    ASSERT_TRUE(encode_rows<invoice>(keys, leading(tag{"a"}).range(order_number{1}, order_number{2})));
    EXPECT_EQ(keys.row_bounds(), (key_bounds{.from = "i_a !09223372036854775806", .to = "i_a !09223372036854775807"}));
}

TEST(converted_part, whose_stored_form_is_text_begins_with_text) {
    query_keys keys;
    ASSERT_TRUE(encode_rows<invoice>(keys, starting_with("a b")));
    EXPECT_EQ(keys.row_bounds(), (key_bounds{.from = "i_a zb", .to = "i_a zc"}));
    ASSERT_TRUE(encode_rows<invoice>(keys, starting_with(tag{"a"}, order_number{7}, "Do")));
    EXPECT_EQ(keys.row_bounds(),
              (key_bounds{.from = "i_a !09223372036854775800Do", .to = "i_a !09223372036854775800Dp"}));
}

}  // namespace
}  // namespace tablemap

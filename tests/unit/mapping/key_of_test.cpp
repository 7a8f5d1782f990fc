// SPDX-License-Identifier: Apache-2.0
#include "tablemap/mapping/key_of.hpp"

#include "support/answers.hpp"
#include "unit/mapping/samples.hpp"
#include "tablemap/detail/mapping/encode.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>

namespace {

using namespace tablemap;
using test::employee;
using test::failed_with;
using test::in_both_keys;

template <class Keyed> std::string text_of(Keyed const& k) {
    std::string partition, row;
    auto const r = detail::encode_keys(k, partition, row);
    return r ? partition + '|' + row : "failed: " + std::string{r.error().what()};
}

struct switched {
    std::string device{};
    bool on{};
};

}  // namespace

template <> struct tablemap::mapping<switched> {
    static constexpr auto partition_key = tablemap::key(tablemap::part<&switched::device>.may_be_empty());
    static constexpr auto row_key = tablemap::key(tablemap::part<&switched::on>);
};

namespace {

TEST(key_of, takes_a_bool_for_a_bool_and_nothing_else) {
    EXPECT_EQ(text_of(key_of<switched>{"d1", true}), "d1|1");
    EXPECT_FALSE((detail::exactly_convertible<bool, char>));
    EXPECT_FALSE((detail::exactly_convertible<bool, int>));
    EXPECT_FALSE((detail::exactly_convertible<int, bool>));
}

TEST(key_of, takes_the_values_of_both_keys_in_their_order) {
    key_of<employee> const k{"Sales", 212};
    EXPECT_EQ(k.get<&employee::department>(), "Sales");
    EXPECT_EQ(k.get<&employee::id>(), 212);
    EXPECT_EQ(text_of(k), "Sales|empid_000212");
}

TEST(key_of, takes_text_in_any_form_and_numbers_without_loss) {
    std::string department = "Sales";
    std::int16_t const id = 212;
    key_of<employee> const expected{"Sales", 212};
    EXPECT_EQ((key_of<employee>{department, 212}), expected);
    EXPECT_EQ((key_of<employee>{std::string_view{department}, id}), expected);
    EXPECT_EQ((key_of<employee>{std::move(department), std::int32_t{212}}), expected);
}

TEST(key_of, has_a_member_of_both_keys_once) {
    static_assert(std::is_same_v<key_of<in_both_keys>::values_type, std::tuple<std::string, std::int32_t>>);
    EXPECT_EQ(text_of(key_of<in_both_keys>{"eu", -5}), "eu|eu_-5");
}

TEST(key_of, has_no_values_where_keys_are_constant) {
    static_assert(std::is_same_v<key_of<test::singleton>::values_type, std::tuple<>>);
    EXPECT_EQ(text_of(key_of<test::singleton>{}), "settings|");
}

TEST(key_of, is_copied_moved_and_compared) {
    key_of<employee> a{"Sales", 1};
    auto b = a;
    EXPECT_EQ(a, b);
    auto const c = std::move(b);
    EXPECT_EQ(a, c);
    EXPECT_NE(a, (key_of<employee>{"Sales", 2}));
    a = key_of<employee>{"Marketing", 1};
    EXPECT_NE(a, c);
}

TEST(key_of, makes_the_keys_of_the_value_it_is_the_key_of) {
    employee const e{.department = "Sales", .id = 7};
    EXPECT_EQ(text_of(e), text_of(key_of<employee>{e.department, e.id}));
}

TEST(key_of, is_taken_from_an_entity) {
    EXPECT_EQ(key_of<employee>::of({.department = "Sales", .id = 7, .name = "Don"}), (key_of<employee>{"Sales", 7}));
    EXPECT_EQ(key_of<test::singleton>::of({}), key_of<test::singleton>{});
    switched const s{.device = "d1", .on = true};
    EXPECT_TRUE(key_of<switched>::of(s).get<&switched::on>());
}

TEST(key_of, tells_the_keys_that_stand_in_the_store) {
    EXPECT_EQ((key_of<employee>{"Sales", 212}.encode()), (entity_key{"Sales", "empid_000212"}));
    auto const refused = key_of<employee>{"Sales", -1}.try_encode();
    ASSERT_TRUE(failed_with(refused, library_errc::key_part_does_not_fit));
    EXPECT_EQ(refused.error().member(), "id");
}

TEST(key_of, is_refused_where_its_value_would_be) {
    std::string partition, row;
    auto const r = detail::encode_keys(key_of<employee>{"Sales", -1}, partition, row);
    ASSERT_TRUE(failed_with(r, library_errc::key_part_does_not_fit));
    EXPECT_EQ(r.error().member(), "id");
}

}  // namespace

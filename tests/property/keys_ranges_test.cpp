// SPDX-License-Identifier: Apache-2.0
#include "support/random.hpp"
#include "tablemap/detail/base/utf.hpp"
#include "tablemap/query/key_ranges.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

namespace tablemap {
namespace {

template <int Form> struct row {
    std::string group{};
    std::int32_t number{};
};

template <int Form> struct note {
    std::string text{};
    std::string more{};
};

}  // namespace

template <> struct mapping<row<0>> {
    [[maybe_unused]] static constexpr auto partition_key = key("p");
    static constexpr auto row_key = key("r_", part<&row<0>::number>.width(2), "_", part<&row<0>::group>);
};
template <> struct mapping<row<1>> {
    [[maybe_unused]] static constexpr auto partition_key = key("p");
    static constexpr auto row_key = key("r_", part<&row<1>::number>.width(2).descending(), "_", part<&row<1>::group>);
};
template <> struct mapping<row<2>> {
    [[maybe_unused]] static constexpr auto partition_key = key("p");
    static constexpr auto row_key = key(part<&row<2>::number>.range(10, 60), part<&row<2>::group>.escaped());
};
template <> struct mapping<row<3>> {
    [[maybe_unused]] static constexpr auto partition_key = key("p");
    static constexpr auto row_key = key(part<&row<3>::number>.descending());
};
template <> struct mapping<note<0>> {
    [[maybe_unused]] static constexpr auto partition_key = key("p");
    static constexpr auto row_key = key("n", part<&note<0>::text>);
};
template <> struct mapping<note<1>> {
    [[maybe_unused]] static constexpr auto partition_key = key("p");
    static constexpr auto row_key = key(part<&note<1>::text>.escaped(), part<&note<1>::more>.descending());
};
template <> struct mapping<note<2>> {
    [[maybe_unused]] static constexpr auto partition_key = key("p");
    static constexpr auto row_key = key("n", part<&note<2>::text>.descending(), part<&note<2>::more>.escaped());
};

namespace {

/// True if a store would find a row key within a selection's bounds.
template <class T, class Selection> bool finds(Selection const& s, T const& value) {
    detail::query_keys keys;
    value_or_throw(detail::encode_rows<T>(keys, s));
    std::string text;
    auto const get = [&]<auto M>(member_part<M> const&)->auto const& { return value.*M; };
    value_or_throw(detail::make_key(text, mapping<T>::row_key, get));
    auto const bounds = keys.row_bounds();
    if (bounds.is_exact()) return text == *bounds.from;
    return (!bounds.from || detail::compare_utf16(text, *bounds.from) >= 0) &&
           (!bounds.to || detail::compare_utf16(text, *bounds.to) < 0);
}

template <class T> class number_rows : public ::testing::Test {};
using number_rows_types = ::testing::Types<row<0>, row<1>, row<2>, row<3>>;
TYPED_TEST_SUITE(number_rows, number_rows_types);

TYPED_TEST(number_rows, of_a_range_are_those_whose_values_lie_in_it) {
    test::random_source random;
    auto const near = [&] { return static_cast<std::int32_t>(random.below(140)) - 20; };
    for (int i = 0; i < 2000; ++i) {
        TypeParam const value{.group = random.key_text(3), .number = static_cast<std::int32_t>(random.below(51)) + 10};
        auto const a = near(), b = near();
        auto const n = value.number;
        ASSERT_EQ(finds(row_range(a, b), value), a <= n && n < b) << a << ' ' << n << ' ' << b;
        ASSERT_EQ(finds(row_between(a, b), value), a <= n && n <= b) << a << ' ' << n << ' ' << b;
        auto const one = static_cast<std::int32_t>(random.below(51)) + 10;
        ASSERT_EQ(finds(leading(one), value), one == n);
        ASSERT_TRUE(finds(leading(), value));
    }
}

/// Text of few characters, the last of UTF-16's order and those that escapes begin with among them.
std::string short_text(test::random_source& random, bool escapes) {
    static constexpr char32_t all[] = {'a',     'b',      '!', 'z', 0xD7FF, 0xE000, 0xFFFF,
                                       0x10000, 0x10FFFF, ' ', '/', '~',    0x9F};
    std::string s;
    for (auto n = random.below(4); n > 0; --n) test::append_utf8(s, all[random.below(escapes ? 13 : 10)]);
    return s;
}

template <class T> class text_rows : public ::testing::Test {};
using text_rows_types = ::testing::Types<note<0>, note<1>, note<2>>;
TYPED_TEST_SUITE(text_rows, text_rows_types);

TYPED_TEST(text_rows, of_a_selection_are_those_whose_texts_are_meant) {
    constexpr bool escapes = !std::is_same_v<TypeParam, note<0>>;
    test::random_source random;
    for (int i = 0; i < 4000; ++i) {
        TypeParam const value{.text = short_text(random, escapes),
                              .more = escapes ? short_text(random, escapes) : std::string{}};
        auto const a = short_text(random, escapes), b = random.coin() ? short_text(random, escapes) : a;
        bool const from = detail::compare_utf16(value.text, a) >= 0;
        auto const to = detail::compare_utf16(value.text, b);
        ASSERT_EQ(finds(row_range(a, b), value), from && to < 0);
        ASSERT_EQ(finds(row_between(a, b), value), from && to <= 0);
        ASSERT_EQ(finds(starting_with(a), value), value.text.starts_with(a));
        ASSERT_EQ(finds(leading(a), value), value.text == a);
    }
}

template <class T> class rows_of_two_members : public ::testing::Test {};
using rows_of_two_members_types = ::testing::Types<note<1>, note<2>>;
TYPED_TEST_SUITE(rows_of_two_members, rows_of_two_members_types);

TYPED_TEST(rows_of_two_members, are_selected_by_the_second_within_the_first) {
    test::random_source random;
    for (int i = 0; i < 4000; ++i) {
        TypeParam const value{.text = short_text(random, true), .more = short_text(random, true)};
        auto const text = random.coin() ? value.text : short_text(random, true);
        auto const a = short_text(random, true), b = random.coin() ? short_text(random, true) : a;
        bool const same = value.text == text;
        bool const from = detail::compare_utf16(value.more, a) >= 0;
        auto const to = detail::compare_utf16(value.more, b);
        ASSERT_EQ(finds(leading(text).range(a, b), value), same && from && to < 0);
        ASSERT_EQ(finds(leading(text).between(a, b), value), same && from && to <= 0);
        ASSERT_EQ(finds(starting_with(text, a), value), same && value.more.starts_with(a));
        ASSERT_EQ(finds(leading(text, a), value), same && value.more == a);
    }
}

}  // namespace
}  // namespace tablemap

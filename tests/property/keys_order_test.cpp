// SPDX-License-Identifier: Apache-2.0
#include "support/one_part.hpp"
#include "support/random.hpp"
#include "tablemap/detail/base/utf.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <compare>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>

namespace {
enum class level : std::int16_t { low = -300, middle = 0, high = 2000 };
enum class code : std::uint8_t {};
}  // namespace

template <>
inline constexpr auto tablemap::enumeration<level> = tablemap::by_number<level::low, level::middle, level::high>;
template <> inline constexpr auto tablemap::enumeration<code> = tablemap::by_number<>;

namespace {

using namespace tablemap;
using test::part_of;

constexpr int tries = 2000;

// ---- random values, often close to one another ----------------------------------------------------------------------

template <class V> V pick(test::random_source& random) {
    if constexpr (std::is_same_v<V, std::string>) {
        // A few characters: those that are escaped, and those next to them, and those that UTF-16 orders otherwise.
        static constexpr char32_t near[] = {0,    1,    0x1F, ' ', '!', '"',    '#',    '$',    '-',     '.',
                                            '/',  '0',  '>',  '?', '[', '\\',   ']',    '}',    '~',     0x7F,
                                            0x80, 0x9F, 0xA0, 'a', 'z', 0xD7FF, 0xE000, 0xFFFF, 0x10000, 0x10FFFF};
        std::string s;
        for (auto n = random.below(5); n > 0; --n)
            test::append_utf8(s, random.coin() ? near[random.below(std::size(near))] : random.code_point());
        return s;
    } else if constexpr (std::is_same_v<V, guid>) {
        return random.coin() ? random.guid() : guid::from_random(0, random.below(3));
    } else if constexpr (std::is_same_v<V, double>) {
        static constexpr double special[] = {0.0,
                                             -1.0,
                                             1.0,
                                             5e-324,
                                             -5e-324,
                                             std::numeric_limits<double>::infinity(),
                                             -std::numeric_limits<double>::infinity()};
        return random.coin() ? special[random.below(std::size(special))] : random.real();
    } else if constexpr (std::is_same_v<V, ticks>) {
        return random.coin() ? random.time() : ticks{static_cast<std::int64_t>(random.below(4))};
    } else if constexpr (detail::is_sys_time<V>) {
        return std::chrono::floor<typename V::duration>(random.time().time());
    } else if constexpr (std::is_same_v<V, bool>) {
        return random.coin();
    } else if constexpr (std::is_same_v<V, level>) {
        static constexpr level all[] = {level::low, level::middle, level::high};
        return all[random.below(3)];
    } else if constexpr (std::is_enum_v<V>) {
        return static_cast<V>(random.word());
    } else {
        switch (random.below(4)) {
        case 0: return std::numeric_limits<V>::min();
        case 1: return std::numeric_limits<V>::max();
        default: return static_cast<V>(random.integer());
        }
    }
}

template <class V> std::weak_ordering order_of(V const& a, V const& b) {
    if constexpr (std::is_same_v<V, std::string>)
        return detail::compare_utf16(a, b);
    else if constexpr (std::is_same_v<V, double>)
        return a < b ? std::weak_ordering::less : b < a ? std::weak_ordering::greater : std::weak_ordering::equivalent;
    else
        return a <=> b;
}

std::weak_ordering reversed(std::weak_ordering o) { return 0 <=> o; }

/// Checks that keys sort as values do, or reversely, and are read back.
template <class V, class Key> void expect_order(Key const& k, bool descending) {
    test::random_source random;
    for (int i = 0; i < tries; ++i) {
        auto const a = pick<V>(random), b = random.below(8) == 0 ? a : pick<V>(random);
        auto const x = test::make(k, a), y = test::make(k, b);
        ASSERT_TRUE(x && y) << (x ? y : x).error().what();
        auto const order = order_of(a, b);
        ASSERT_EQ(std::weak_ordering{detail::compare_utf16(*x, *y)}, descending ? reversed(order) : order) << *x << '\n'
                                                                                                           << *y;
        auto const again = test::read<V>(k, *x);
        ASSERT_TRUE(again) << *x;
        ASSERT_EQ(*again, a) << *x;
    }
}

template <class V> class ordered_key : public ::testing::Test {};

using every_type =
    ::testing::Types<std::string, bool, std::int8_t, std::int16_t, std::int32_t, std::int64_t, long long, std::uint8_t,
                     std::uint16_t, std::uint32_t, std::uint64_t, double, guid, ticks, std::chrono::sys_days,
                     std::chrono::sys_seconds, std::chrono::sys_time<tick_duration>, level, code>;
TYPED_TEST_SUITE(ordered_key, every_type);

TYPED_TEST(ordered_key, sorts_as_its_values) {
    constexpr auto k = key("k_", part_of<TypeParam>.ordered());
    expect_order<TypeParam>(k, false);
}

TYPED_TEST(ordered_key, sorts_downwards_when_descending) {
    constexpr auto k = key("k_", part_of<TypeParam>.descending());
    expect_order<TypeParam>(k, true);
}

TEST(padded_key, sorts_downwards_when_descending) {
    constexpr auto k = key(part_of<std::uint64_t>.width(20).descending());
    expect_order<std::uint64_t>(k, true);
    constexpr auto bytes = key(part_of<std::uint8_t>.range(0, 255).descending());
    expect_order<std::uint8_t>(bytes, true);
}

// ---- two parts ------------------------------------------------------------------------------------------------------

template <class A, class B> struct two {
    A first{};
    B second{};

    friend bool operator==(two const&, two const&) = default;
};

template <class A, class B, class Key> void expect_order_of_two(Key const& k, bool first_down, bool second_down) {
    test::random_source random;
    auto make = [&](two<A, B> const& v) {
        std::string text;
        auto const get = [&]<auto M>(member_part<M> const&)->auto const& { return v.*M; };
        value_or_throw(detail::make_key(text, k, get));
        return text;
    };
    for (int i = 0; i < tries; ++i) {
        two<A, B> const a{pick<A>(random), pick<B>(random)};
        two<A, B> const b{random.coin() ? a.first : pick<A>(random), pick<B>(random)};
        auto const x = make(a), y = make(b);
        auto const first = order_of(a.first, b.first), second = order_of(a.second, b.second);
        auto const order =
            first != 0 ? (first_down ? reversed(first) : first) : (second_down ? reversed(second) : second);
        ASSERT_EQ(std::weak_ordering{detail::compare_utf16(x, y)}, order) << x << '\n' << y;
        two<A, B> again;
        auto const set = [&]<auto M>(member_part<M> const&)->auto& { return again.*M; };
        ASSERT_TRUE(detail::read_key(x, k, set)) << x;
        ASSERT_EQ(again, a) << x;
    }
}

template <class A, class B> inline constexpr auto first = part<&two<A, B>::first>;
template <class A, class B> inline constexpr auto second = part<&two<A, B>::second>;

template <class A, class B> void expect_all_orders_of_two() {
    constexpr auto up_up = key(first<A, B>.ordered(), second<A, B>.ordered());
    constexpr auto up_down = key(first<A, B>.ordered(), second<A, B>.descending());
    constexpr auto down_up = key(first<A, B>.descending(), "_", second<A, B>.ordered());
    constexpr auto down_down = key(first<A, B>.descending(), second<A, B>.descending(), "|");
    expect_order_of_two<A, B>(up_up, false, false);
    expect_order_of_two<A, B>(up_down, false, true);
    expect_order_of_two<A, B>(down_up, true, false);
    expect_order_of_two<A, B>(down_down, true, true);
}

TEST(key_of_two_parts, sorts_by_the_first_then_the_second) {
    expect_all_orders_of_two<std::string, std::string>();
    expect_all_orders_of_two<std::string, std::int32_t>();
    expect_all_orders_of_two<double, std::string>();
    expect_all_orders_of_two<level, guid>();
    expect_all_orders_of_two<ticks, std::string>();
}

}  // namespace

// SPDX-License-Identifier: Apache-2.0
#include "tablemap/patterns/hot_partitions.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

namespace tablemap::test {

enum class region : std::uint8_t { north, south };

struct hot_row {
    std::string name{};
    ticks at{};
    std::int32_t number{};
    guid id{};
    tablemap::test::region region{};
    bool flag{};
};

/// The same struct under keys that the tests number.
template <int> struct keyed : hot_row {};

}  // namespace tablemap::test

template <>
inline constexpr auto tablemap::enumeration<tablemap::test::region> =
    tablemap::by_number<tablemap::test::region::north, tablemap::test::region::south>;

// NOLINTNEXTLINE
#define TABLEMAP_TEST_KEYS(n, p, r)                                  \
    template <> struct tablemap::mapping<tablemap::test::keyed<n>> { \
        using row = tablemap::test::hot_row;                         \
        static constexpr auto partition_key = p;                     \
        static constexpr auto row_key = r;                           \
    }

TABLEMAP_TEST_KEYS(0, tablemap::key("settings"), tablemap::key(tablemap::part<&row::name>));
TABLEMAP_TEST_KEYS(1, tablemap::key("log"),
                   tablemap::key(tablemap::part<&row::at>.descending(), "_", tablemap::part<&row::name>));
TABLEMAP_TEST_KEYS(2, tablemap::key(tablemap::part<&row::at>), tablemap::key(tablemap::part<&row::name>));
TABLEMAP_TEST_KEYS(3,
                   tablemap::key("t_", tablemap::part<&row::region>.width(1), "_",
                                 tablemap::part<&row::at>.descending()),
                   tablemap::key(tablemap::part<&row::name>));
TABLEMAP_TEST_KEYS(4, tablemap::key(tablemap::part<&row::at>, "_", tablemap::part<&row::name>), tablemap::key("row"));
TABLEMAP_TEST_KEYS(5, tablemap::key(tablemap::part<&row::number>.width(8)), tablemap::key(tablemap::part<&row::name>));
TABLEMAP_TEST_KEYS(6, tablemap::key(tablemap::part<&row::number>.range(1, 12)),
                   tablemap::key(tablemap::part<&row::name>));
TABLEMAP_TEST_KEYS(7, tablemap::key(tablemap::part<&row::region>, "_", tablemap::part<&row::flag>),
                   tablemap::key("n_", tablemap::part<&row::number>.ordered()));
TABLEMAP_TEST_KEYS(8, tablemap::key(tablemap::part<&row::name>), tablemap::key(tablemap::part<&row::at>.descending()));
TABLEMAP_TEST_KEYS(9, tablemap::key(tablemap::spread<16>(tablemap::part<&row::name>), "_", tablemap::part<&row::at>),
                   tablemap::key(tablemap::part<&row::name>));
TABLEMAP_TEST_KEYS(10, tablemap::key(tablemap::part<&row::id>), tablemap::key(""));
TABLEMAP_TEST_KEYS(11, tablemap::key(tablemap::part<&row::number>), tablemap::key(""));
TABLEMAP_TEST_KEYS(12, tablemap::key(tablemap::part<&row::number>.range(1, 366)), tablemap::key(""));

namespace tablemap::test {
namespace {

template <int N> std::string findings() {
    std::string text;
    for (auto const& f : lint_keys<keyed<N>>()) {
        char const* const names[] = {"one", "few", "time", "counted", "growing", "share"};
        text += std::string{names[static_cast<int>(f.what)]} + (f.level == lint_level::warning ? "! " : " ");
        text += std::string{f.member} + (f.member.empty() ? "" : " ");
    }
    return text;
}

static_assert(lint_keys<keyed<2>>().has(hot_key::time_ordered) && lint_keys<keyed<2>>().has_warning());
static_assert(lint_keys<keyed<8>>().empty() && !lint_keys<keyed<8>>().has(hot_key::growing_rows));

TEST(key_lint, finds_constant_partition_keys) {
    EXPECT_EQ(findings<0>(), "one ");
    EXPECT_EQ(findings<1>(), "one! growing! at ");
}

TEST(key_lint, finds_partition_keys_that_begin_with_a_time) {
    EXPECT_EQ(findings<2>(), "time! at ");
    EXPECT_EQ(findings<3>(), "time! at ") << "behind a part of few values, too";
    EXPECT_EQ(findings<4>(), "time at ") << "the partitions of a moment are several";
}

TEST(key_lint, finds_partition_keys_that_begin_with_a_counter) {
    EXPECT_EQ(findings<5>(), "counted number ");
    EXPECT_EQ(findings<12>(), "") << "its values come to an end";
}

TEST(key_lint, finds_partition_keys_of_few_values) {
    EXPECT_EQ(findings<6>(), "few ");
    EXPECT_EQ(findings<7>(), "few growing number ");
}

TEST(key_lint, finds_nothing_in_keys_that_spread) {
    EXPECT_EQ(findings<8>(), "") << "each of many partitions may grow at its end";
    EXPECT_EQ(findings<9>(), "");
    EXPECT_EQ(findings<10>(), "");
    EXPECT_EQ(findings<11>(), "") << "10 sorts before 9";
}

TEST(key_lint, says_what_to_do) {
    auto const text = lint_keys<keyed<2>>().begin()->text();
    EXPECT_TRUE(text.starts_with("warning: at: partition keys grow with time")) << text;
    EXPECT_NE(text.find("spread<16>"), std::string::npos);
}

}  // namespace
}  // namespace tablemap::test

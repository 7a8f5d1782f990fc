// SPDX-License-Identifier: Apache-2.0
#include "tablemap/embedded/store.hpp"
#include "tablemap/patterns/hot_partitions.hpp"
#include "tablemap/table/table.hpp"
#include "tablemap/testing/faulty_store.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

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

using tablemap::testing::faulty_store;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

template <int N> std::string findings() {
    std::string text;
    for (auto const& f : lint_keys<keyed<N>>()) {
        char const* const names[] = {"one", "few", "time", "counted", "growing", "share"};
        text += std::string{names[static_cast<int>(f.what)]} + (f.level == lint_level::warning ? "! " : " ");
        text += std::string{f.member} + (f.member.empty() ? "" : " ");
    }
    return text;
}

// ---- mappings -------------------------------------------------------------------------------------------------------

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

// ---- tables ---------------------------------------------------------------------------------------------------------

class partition_samples : public ::testing::Test {
protected:
    void SetUp() override { rows.create(); }

    void write(std::string partition, std::string row, std::string value = "x") const {
        dynamic_entity e{std::move(partition), std::move(row)};
        e.set("Value", std::move(value));
        rows.insert(std::move(e));
    }
    partition_sample sample(sample_options const& how = {}) const { return sample_partitions(faulty, "Rows", how); }

    static std::vector<hot_key> kinds(partition_sample const& s) {
        std::vector<hot_key> all;
        for (auto const& f : s.findings) all.push_back(f.what);
        return all;
    }
    static std::string digits(int n) { return std::to_string(100'000 + n).substr(1); }
    /// A number that jumps.
    static int scattered(int n) { return n * 7919 % 10'007; }

    store_ptr clean = value_or_throw(open_embedded({.path = ":memory:"}));
    std::shared_ptr<faulty_store> faulty = std::make_shared<faulty_store>(clean);
    table<dynamic_entity> rows{clean, "Rows"};
};

TEST_F(partition_samples, of_empty_tables_have_no_rows) {
    auto const s = sample();
    EXPECT_EQ(s.rows, 0U);
    EXPECT_EQ(s.places, 0U);
    EXPECT_TRUE(s.complete);
    EXPECT_THAT(s.findings, IsEmpty());
}

TEST_F(partition_samples, count_all_rows_of_a_small_table) {
    for (int i = 0; i < 60; ++i) write("p" + std::to_string(scattered(i) % 7), digits(i));
    auto const s = sample();
    EXPECT_EQ(s.rows, 60U);
    EXPECT_EQ(s.partitions, 7U);
    EXPECT_TRUE(s.complete);
    ASSERT_EQ(s.hottest.size(), 7U);
    std::size_t sum = 0;
    for (auto const& p : s.hottest) sum += p.rows;
    EXPECT_EQ(sum, 60U);
    EXPECT_FALSE(s.hottest[0].more);
}

TEST_F(partition_samples, find_the_hottest_partition) {
    for (int i = 0; i < 200; ++i) write(i % 4 == 0 ? "p" + digits(scattered(i)) : "hot", digits(scattered(i)));
    auto const s = sample();
    EXPECT_EQ(s.hottest[0].partition_key, "hot");
    EXPECT_EQ(s.hottest[0].rows, 150U);
    EXPECT_DOUBLE_EQ(s.hottest[0].share, 0.75);
    EXPECT_THAT(kinds(s), ElementsAre(hot_key::large_share));
}

TEST_F(partition_samples, find_one_partition_whose_rows_grow) {
    for (int i = 0; i < 120; ++i) write("log", digits(1000 - i));
    EXPECT_THAT(kinds(sample()), ElementsAre(hot_key::one_partition, hot_key::growing_rows));
}

TEST_F(partition_samples, find_one_partition_whose_rows_do_not_grow) {
    for (int i = 0; i < 120; ++i) write("settings", digits(scattered(i)));
    EXPECT_THAT(kinds(sample()), ElementsAre(hot_key::one_partition));
}

TEST_F(partition_samples, find_partition_keys_that_grow_with_time) {
    for (int i = 0; i < 120; ++i) write("day" + digits(i / 3), digits(scattered(i)));
    EXPECT_THAT(kinds(sample()), ElementsAre(hot_key::time_ordered));
}

TEST_F(partition_samples, find_nothing_in_rows_that_are_spread) {
    for (int i = 0; i < 300; ++i) write("p" + digits(scattered(i)), "row");
    EXPECT_THAT(kinds(sample()), IsEmpty());
}

TEST_F(partition_samples, come_from_several_places) {
    for (char const first : {'a', 'f', 'k', 'x'})
        for (int i = 0; i < 100; ++i) write("common_" + std::string(1, first) + digits(scattered(i)), "row");
    auto const s = sample({.rows = 80, .places = 4});
    EXPECT_EQ(s.places, 4U);
    EXPECT_EQ(s.rows, 80U);
    EXPECT_FALSE(s.complete);
    std::vector<std::string> firsts;
    for (auto const& p : sample({.rows = 80, .places = 4, .hottest = 100}).hottest) {
        auto const first = p.partition_key.substr(0, 8);
        if (firsts.empty() || firsts.back() != first) firsts.push_back(first);
    }
    EXPECT_THAT(firsts, ElementsAre("common_a", "common_f", "common_k", "common_x"));
}

TEST_F(partition_samples, pass_a_partition_that_fills_pages) {
    for (int i = 0; i < 300; ++i) write("a", digits(i));
    for (int i = 0; i < 10; ++i) write("b" + digits(i), "row");
    auto const s = sample({.rows = 200, .places = 1});
    EXPECT_EQ(s.partitions, 11U);
    EXPECT_TRUE(s.hottest[0].more);
    EXPECT_FALSE(s.complete);
    EXPECT_EQ(s.rows, 120U) << "ten with their properties, two pages of 50, and the others";
}

TEST_F(partition_samples, never_read_more_rows_than_they_may) {
    for (int i = 0; i < 300; ++i) write(digits(scattered(i)), "row");
    for (std::size_t const most : {1U, 5U, 16U, 100U, 299U, 300U, 1000U}) {
        auto const s = sample({.rows = most});
        EXPECT_LE(s.rows, most);
        EXPECT_EQ(s.complete, most == 1000U || s.rows == 300U) << most;
    }
}

TEST_F(partition_samples, take_keys_of_any_text) {
    for (char const* const key :
         {"", "a", "a ", "ä", "\xE2\x82\xAC", "\xF0\x9F\x98\x80", "\xF0\x9F\x98\x81", "\xEF\xBF\xBD"})
        for (int i = 0; i < 3; ++i) write(key, digits(i));
    for (std::size_t places = 1; places <= 16; ++places) {
        auto const s = sample({.places = places});
        EXPECT_EQ(s.rows, 24U) << places;
        EXPECT_EQ(s.partitions, 8U);
        EXPECT_TRUE(s.complete);
    }
}

TEST_F(partition_samples, estimate_sizes) {
    for (int i = 0; i < 50; ++i) write("p" + digits(i), "row", std::string(100, 'x'));
    auto const s = sample();
    auto const one = entity_size(rows.find("p00001", "row")->value);
    EXPECT_EQ(s.bytes_per_row, one);
    EXPECT_EQ(s.estimated_bytes, 50 * one);
    EXPECT_EQ(sample({.sized_rows = 0}).estimated_bytes, 0U);
}

TEST_F(partition_samples, have_a_text_without_keys) {
    for (int i = 0; i < 150; ++i) write("secret", digits(i));
    auto const text = sample().text();
    EXPECT_NE(text.find("150 rows in 1 partitions"), std::string::npos) << text;
    EXPECT_NE(text.find("partition 1: "), std::string::npos);
    EXPECT_NE(text.find("hint: all entities are in one partition"), std::string::npos);
    EXPECT_EQ(text.find("secret"), std::string::npos);
}

TEST_F(partition_samples, refuse_options_that_cannot_be_kept) {
    for (sample_options const& bad : {sample_options{.rows = 0}, {.places = 0}, {.places = 257}})
        EXPECT_EQ(try_sample_partitions(clean, "Rows", bad).error().code(), library_errc::value_out_of_range);
}

TEST_F(partition_samples, tell_errors_with_the_table) {
    auto const missing = try_sample_partitions(clean, "Missing");
    EXPECT_EQ(missing.error().code(), service_errc::table_not_found);
    EXPECT_EQ(missing.error().table(), "Missing");
}

}  // namespace
}  // namespace tablemap::test

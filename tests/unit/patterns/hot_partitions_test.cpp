// SPDX-License-Identifier: Apache-2.0
#include "tablemap/embedded/store.hpp"
#include "tablemap/patterns/hot_partitions.hpp"
#include "tablemap/table/table.hpp"
#include "tablemap/testing/faulty_store.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace tablemap::test {
namespace {

using tablemap::testing::faulty_store;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// A store that counts continuations which are carried on under another selection of properties.
class strict_store final : public store {
public:
    explicit strict_store(store_ptr inner) : can(inner->capabilities()), inner_(std::move(inner)) {}

    tablemap::capabilities const& capabilities() const noexcept override { return can; }
    store_context const& context() const noexcept override { return inner_->context(); }
    response execute(request const& r, call_options const& o) override {
        note(r);
        return inner_->execute(r, o);
    }
    void async_execute(request const& r, call_options const& o, receiver& to) override {
        note(r);
        inner_->async_execute(r, o, to);
    }

    tablemap::capabilities can;
    std::size_t carried_on = 0, under_other_properties = 0;

private:
    void note(request const& r) {
        auto const* const page = std::get_if<query_page>(&r);
        if (page == nullptr) return;
        if (page->from != nullptr) {
            ++carried_on;
            under_other_properties += page->select.size() == selected_ ? 0U : 1U;
        }
        selected_ = page->select.size();
    }

    store_ptr inner_;
    std::size_t selected_ = 0;  ///< properties of the page that was read last
};

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
    EXPECT_EQ(s.rows, 110U) << "two pages of 50, and the others";
}

TEST_F(partition_samples, find_a_hot_partition_of_which_they_read_a_small_part) {
    for (char first = 'a'; first < 'q'; ++first)
        for (int i = 0; i < 60; ++i) write(std::string(1, first) + "_p" + digits(i), digits(scattered(i)));
    for (int i = 0; i < 300; ++i) write("h_hot", digits(i));
    auto const s = sample({.rows = 800});
    EXPECT_EQ(s.hottest[0].partition_key, "h_hot");
    EXPECT_TRUE(s.hottest[0].more);
    EXPECT_LT(s.hottest[0].share, 0.1) << "each of 16 places has its part of the rows";
    EXPECT_THAT(kinds(s), ::testing::IsSupersetOf({hot_key::large_share, hot_key::growing_rows}));
    EXPECT_NE(s.text().find("hint: a partition has many more rows"), std::string::npos) << s.text();
}

TEST_F(partition_samples, find_nothing_in_partitions_that_are_equally_large) {
    for (char first = 'a'; first < 'e'; ++first)
        for (int i = 0; i < 120; ++i) write(std::string(1, first) + "_p", digits(i));
    auto const s = sample({.rows = 400});
    EXPECT_TRUE(s.hottest[0].more);
    EXPECT_THAT(s.findings, IsEmpty());
}

TEST_F(partition_samples, are_whole_though_pages_are_short) {
    for (int i = 0; i < 300; ++i) write("p" + digits(scattered(i / 25)), digits(scattered(i)));
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
        faulty->shorten_pages(seed);
        auto const s = sample({.rows = 320, .places = 1});
        EXPECT_TRUE(s.complete) << seed;
        EXPECT_EQ(s.rows, 300U);
        EXPECT_TRUE(std::none_of(s.hottest.begin(), s.hottest.end(), [](auto const& p) { return p.more; }));
    }
}

TEST_F(partition_samples, pass_a_partition_that_is_read_in_short_pages) {
    for (int i = 0; i < 300; ++i) write("a", digits(i));
    for (int i = 0; i < 10; ++i) write("b" + digits(i), "row");
    faulty->shorten_pages(7);
    auto const s = sample({.rows = 200, .places = 1});
    EXPECT_EQ(s.partitions, 11U);
    EXPECT_TRUE(s.hottest[0].more);
}

TEST_F(partition_samples, see_other_partitions_behind_one_that_is_sized) {
    for (int i = 0; i < 150; ++i) write("a", digits(scattered(i)));
    write("b", "row");
    auto const s = sample({.rows = 100, .places = 1, .sized_rows = 100});
    EXPECT_EQ(s.partitions, 2U);
    EXPECT_THAT(kinds(s), ::testing::Not(::testing::Contains(hot_key::one_partition)));
}

TEST_F(partition_samples, tell_places_from_which_rows_were_read) {
    for (int i = 0; i < 300; ++i) write(digits(scattered(i)), "row");
    for (std::size_t const most : {1U, 5U}) {
        auto const s = sample({.rows = most});
        EXPECT_EQ(s.places, s.rows) << most;
        EXPECT_GE(s.places, 1U);
    }
}

TEST_F(partition_samples, carry_on_queries_of_the_same_properties) {
    for (int i = 0; i < 120; ++i) write("p" + digits(scattered(i)), "row");
    auto const strict = std::make_shared<strict_store>(clean);
    EXPECT_EQ(sample_partitions(strict, "Rows", {.rows = 300, .places = 1}).rows, 120U);
    EXPECT_GT(strict->carried_on, 0U);
    EXPECT_EQ(strict->under_other_properties, 0U);
}

TEST_F(partition_samples, are_refused_where_a_store_answers_in_no_order) {
    auto const unordered = std::make_shared<strict_store>(clean);
    unordered->can.ordered_results = false;
    auto const r = try_sample_partitions(unordered, "Rows");
    ASSERT_FALSE(r);
    EXPECT_EQ(r.error().code(), library_errc::unsupported);
    EXPECT_EQ(r.error().table(), "Rows");
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
    EXPECT_NE(text.find("150 rows in 1 partition,"), std::string::npos) << text;
    EXPECT_NE(text.find("partition 1: "), std::string::npos);
    EXPECT_NE(text.find("hint: all entities are in one partition"), std::string::npos);
    EXPECT_EQ(text.find("secret"), std::string::npos);
}

TEST_F(partition_samples, refuse_options_that_cannot_be_kept) {
    for (sample_options const& bad : {sample_options{.rows = 0}, {.places = 0}, {.places = 257}, {.sized_rows = 1001}})
        EXPECT_EQ(try_sample_partitions(clean, "Rows", bad).error().code(), library_errc::value_out_of_range);
}

TEST_F(partition_samples, tell_errors_with_the_table) {
    auto const missing = try_sample_partitions(clean, "Missing");
    EXPECT_EQ(missing.error().code(), service_errc::table_not_found);
    EXPECT_EQ(missing.error().table(), "Missing");
}

}  // namespace
}  // namespace tablemap::test

// SPDX-License-Identifier: Apache-2.0
#include "support/answers.hpp"
#include "support/operations.hpp"
#include "support/readings.hpp"
#include "support/waiting_stores.hpp"
#include "tablemap/testing/faulty_store.hpp"

#include <algorithm>

namespace tablemap::test {
namespace {

using tablemap::testing::answer_page;
using tablemap::testing::exchange;
using tablemap::testing::response_failure;
using tablemap::testing::scripted_store;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// A page of readings; a negative number makes a row that cannot be read.
std::string page_of(std::string const& site, std::vector<std::int32_t> const& numbers) {
    std::string body = R"({"value":[)";
    for (auto const n : numbers) {
        auto digits = std::to_string(std::abs(n));
        digits.insert(0, 4 - digits.size(), '0');
        if (body.back() == '}') body += ',';
        body += R"({"PartitionKey":")" + site + R"(","RowKey":"r_)" + digits + R"(","level":)" +
                (n < 0 ? R"("x")" : "1") + "}";
    }
    return body + "]}";
}

call_options once() { return {.retry = retry_policy::none()}; }

class scripted_query : public ::testing::Test {
protected:
    table<reading> with(std::vector<exchange> script, capabilities can = {.name = "scripted"}) {
        store_ = std::make_shared<scripted_store>(std::move(script), std::move(can));
        return {store_, readings_table};
    }
    void TearDown() override {
        if (!store_) return;
        EXPECT_THAT(store_->complaints(), IsEmpty());
    }

    static constexpr char const* all_of_a = "query Readings [a, a] [r_, r`)";

private:
    std::shared_ptr<scripted_store> store_;
};

// ---- pages ----------------------------------------------------------------------------------------------------------

TEST_F(scripted_query, of_no_partition_finds_nothing_and_asks_nothing) {
    auto const t = with({});
    std::vector<partition_values<std::string>> const none;
    EXPECT_FALSE(*t.query(none).try_next());
    EXPECT_EQ(t.query(none).count(), 0U);
    EXPECT_FALSE(t.query(none).exists());
    EXPECT_FALSE(t.query(none).cursor());
    EXPECT_FALSE(t.query(none).explain().warnings.empty());
}

TEST_F(scripted_query, passes_over_empty_pages_that_have_a_continuation) {
    auto t = with(
        {{all_of_a, answer_page(page_of("a", {}), continuation{"a", "r_0001"})},
         {"query Readings [a, a] [r_, r`) from [a] [r_0001]", answer_page(page_of("a", {1, 2}), continuation{"a", {}})},
         {"query Readings [a, a] [r_, r`) from [a] []", answer_page(page_of("a", {}), continuation{"b", {}})},
         {"query Readings [a, a] [r_, r`) from [b] []", answer_page(page_of("a", {3}))}});
    EXPECT_EQ(numbers_of(t.query(partition("a"))), counting(1, 4));
}

TEST_F(scripted_query, ends_at_an_empty_last_page) {
    auto t = with({{all_of_a, answer_page(page_of("a", {1}), continuation{"a", "n"})},
                   {all_of_a, answer_page(page_of("a", {}))}});
    EXPECT_EQ(numbers_of(t.query(partition("a"))), counting(1, 2));
}

TEST_F(scripted_query, asks_for_pages_of_the_size_that_is_wanted) {
    auto t = with({{"query Readings [a, a] [r_, r`) top 7", answer_page(page_of("a", {1}))},
                   {"query Readings [a, a] [r_, r`) top 3", answer_page(page_of("a", {1}))},
                   {"query Readings [a, a] [r_, r`) top 1000", answer_page(page_of("a", {1}))}});
    EXPECT_EQ(numbers_of(t.query(partition("a")).page_size(7).top(10)).size(), 1u);
    EXPECT_EQ(numbers_of(t.query(partition("a")).page_size(7).top(3)).size(), 1u);
    EXPECT_EQ(numbers_of(t.query(partition("a")).top(5000)).size(), 1u);
}

TEST_F(scripted_query, asks_for_no_page_behind_the_last_row_wanted) {
    auto t = with({{all_of_a, answer_page(page_of("a", {1, 2}), continuation{"a", "n"})},
                   {all_of_a, answer_page(page_of("a", {3, 4}), continuation{"a", "m"})}});
    EXPECT_EQ(numbers_of(t.query(partition("a")).top(3)), counting(1, 4));
    EXPECT_THAT(numbers_of(t.query(partition("a")).top(0)), IsEmpty());
}

TEST_F(scripted_query, finds_the_first_entity_behind_empty_pages) {
    auto t = with({{"query Readings [a, a] [r_, r`) top 1", answer_page(page_of("a", {}), continuation{"a", "n"})},
                   {"query Readings [a, a] [r_, r`) top 8 from [a] [n]",
                    answer_page(page_of("a", {1}), continuation{"a", "m"})}});
    EXPECT_EQ(t.query(partition("a")).first()->value.number, 1);
}

// ---- counting -------------------------------------------------------------------------------------------------------

TEST_F(scripted_query, counts_rows_by_their_keys_alone) {
    auto t = with(
        {{"query Readings [a, a] [r_, r`) select PartitionKey",
          answer_page(page_of("a", {1, 2}), continuation{"a", {}})},
         {"query Readings [a, a] [r_, r`) select PartitionKey from [a] []",
          answer_page(page_of("a", {}), continuation{"a", "n"})},
         {"query Readings [a, a] [r_, r`) select PartitionKey from [a] [n]", answer_page(page_of("a", {3, 4, 5}))}});
    EXPECT_EQ(t.query(partition("a")).count(), 5u);
}

TEST_F(scripted_query, counts_no_page_twice) {
    auto t = with({{all_of_a, answer_page(page_of("a", {1}), continuation{"a", {}})},
                   {all_of_a, answer_page(page_of("a", {1}), continuation{"a", {}})}});
    EXPECT_TRUE(failed_with(t.query(partition("a")).try_count(), library_errc::malformed_response));
}

TEST_F(scripted_query, reads_no_page_twice) {
    auto t = with({{all_of_a, answer_page(page_of("a", {1}), continuation{"a", {}})},
                   {all_of_a, answer_page(page_of("a", {1}), continuation{"a", {}})}});
    auto range = t.query(partition("a"));
    ASSERT_TRUE(range.try_next());
    EXPECT_TRUE(failed_with(range.try_next(), library_errc::malformed_response));
}

TEST_F(scripted_query, counts_no_more_rows_than_are_wanted) {
    auto t = with({{"query Readings [a, a] [r_, r`) select PartitionKey top 3",
                    answer_page(page_of("a", {1, 2}), continuation{"a", "n"})},
                   {"query Readings [a, a] [r_, r`) select PartitionKey top 3",
                    answer_page(page_of("a", {3, 4}), continuation{"a", "m"})}});
    EXPECT_EQ(t.query(partition("a")).top(3).count(), 3u);
    EXPECT_EQ(t.query(partition("a")).top(0).count(), 0u);
}

TEST_F(scripted_query, exists_if_one_key_is_found) {
    auto t = with({{"query Readings [a, a] [r_, r`) select PartitionKey top 1",
                    answer_page(page_of("a", {}), continuation{"a", "n"})},
                   {"query Readings [a, a] [r_, r`) select PartitionKey top 8 from",
                    answer_page(page_of("a", {1}), continuation{"a", "m"})},
                   {"query Readings [a, a] [r_, r`) select PartitionKey top 1", answer_page(page_of("a", {}))}});
    EXPECT_TRUE(t.query(partition("a")).exists());
    EXPECT_FALSE(t.query(partition("a")).exists());
}

TEST_F(scripted_query, of_a_failed_count_says_where) {
    auto t = with({{all_of_a, response_failure(service_errc::table_not_found)}});
    auto const n = t.query(partition("a")).try_count();
    ASSERT_TRUE(failed_with(n, service_errc::table_not_found));
    EXPECT_EQ(n.error().table(), readings_table);
}

TEST_F(scripted_query, counts_only_whole_queries) {
    auto t = with({{all_of_a, answer_page(page_of("a", {1, 2}))}});
    auto range = t.query(partition("a"));
    ASSERT_TRUE(range.try_next());
    EXPECT_TRUE(failed_with(t.query(partition("a")).from(*range.cursor()).try_count(), library_errc::unsupported));
}

// ---- errors ---------------------------------------------------------------------------------------------------------

TEST_F(scripted_query, of_a_value_that_cannot_be_stored_fails_when_it_begins) {
    auto t = with({});
    auto range = t.query(partition("a")).where(field<&reading::note> == "\xFF");
    auto const r = range.try_next();
    ASSERT_TRUE(failed_with(r, library_errc::invalid_text));
    EXPECT_EQ(r.error().member(), "note");
    EXPECT_EQ(r.error().table(), readings_table);
    EXPECT_THROW(range.begin(), error);
    EXPECT_FALSE(t.query(partition("a")).where(field<&reading::note> == "\xFF").try_count());
}

TEST_F(scripted_query, after_a_failed_page_goes_on_with_it) {
    auto t = with({{all_of_a, answer_page(page_of("a", {1}), continuation{"a", "n"})},
                   {all_of_a + std::string{" from [a] [n]"}, response_failure(service_errc::server_busy)},
                   {all_of_a + std::string{" from [a] [n]"}, answer_page(page_of("a", {2}))}});
    auto range = t.query(partition("a"), once());
    ASSERT_TRUE(range.try_next());
    EXPECT_TRUE(failed_with(range.try_next(), service_errc::server_busy));
    EXPECT_EQ((*range.try_next())->value.number, 2);
}

TEST_F(scripted_query, after_a_bad_row_goes_on_behind_it) {
    auto t = with({{all_of_a, answer_page(page_of("a", {1, -2, 3}))}});
    auto range = t.query(partition("a"));
    EXPECT_EQ((*range.try_next())->value.number, 1);
    EXPECT_TRUE(failed_with(range.try_next(), library_errc::type_mismatch));
    EXPECT_EQ((*range.try_next())->value.number, 3);
    EXPECT_FALSE(*range.try_next());
}

TEST_F(scripted_query, takes_no_skipped_row_for_one_that_is_wanted) {
    std::size_t skipped = 0;
    auto t = with({{all_of_a, answer_page(page_of("a", {-1, -2}), continuation{"a", "n"})},
                   {all_of_a, answer_page(page_of("a", {3, -4, 5, 6}))}});
    auto const policy = skip_bad_rows([&](bad_row const&) { ++skipped; });
    EXPECT_THAT(numbers_of(t.query(partition("a")).on_error(policy).top(2)), ElementsAre(3, 5));
    EXPECT_EQ(skipped, 3u);
}

TEST_F(scripted_query, of_what_is_no_page_says_so_and_asks_again) {
    auto t = with({{all_of_a, answer_page("<html>")}, {all_of_a, answer_page(page_of("a", {1}))}});
    auto range = t.query(partition("a"), once());
    EXPECT_TRUE(failed_with(range.try_next(), library_errc::malformed_response));
    EXPECT_EQ(numbers_of(range), counting(1, 2));
}

TEST_F(scripted_query, has_no_cursor_where_the_store_answers_in_no_order) {
    capabilities const unordered{.name = "scripted", .ordered_results = false};
    auto t = with({}, unordered);
    EXPECT_TRUE(failed_with(t.query(partition("a")).try_cursor(), library_errc::unsupported));
    auto range = t.query(partition("a")).from("1AAAA");
    EXPECT_TRUE(failed_with(range.try_next(), library_errc::unsupported));
    auto several = t.query(std::vector{partition("a"), partition("b")});
    EXPECT_TRUE(failed_with(several.try_next(), library_errc::unsupported));
}

TEST_F(scripted_query, of_several_partitions_is_read_in_any_order_where_the_store_has_none) {
    auto t = with({{"query Readings [a, a]", answer_page(page_of("a", {2, 1}))},
                   {"query Readings [b, b]", answer_page(page_of("b", {4, 3}))}},
                  {.name = "scripted", .ordered_results = false});
    auto names = names_of(t.query(std::vector{partition("a"), partition("b")}).in_any_order());
    std::sort(names.begin(), names.end());
    EXPECT_THAT(names, ElementsAre("a 1", "a 2", "b 3", "b 4"));
}

// ---- several partitions ---------------------------------------------------------------------------------------------

class parallel_query : public ::testing::Test {
protected:
    void SetUp() override {
        for (int i = 0; i < 16; ++i) {
            std::string const site(1, static_cast<char>('a' + i));
            put_readings(inner_, site, i, i + 5);
            sites_.push_back(partition(site));
            for (auto n : counting(i, i + 5)) names_.push_back(site + " " + std::to_string(n));
        }
    }

    std::shared_ptr<meeting_store> remote(std::size_t group) const {
        return std::make_shared<meeting_store>(inner_, group);
    }
    static table<reading> on(store_ptr s) { return {std::move(s), readings_table}; }

    store_ptr inner_ = store_of_readings();
    std::vector<decltype(partition(std::string{}))> sites_{};
    std::vector<std::string> names_{};
};

TEST_F(parallel_query, gives_the_rows_of_all_partitions_in_key_order) {
    EXPECT_EQ(names_of(on(inner_).query(sites_)), names_);
    std::reverse(sites_.begin(), sites_.end());
    sites_.push_back(sites_.front());
    EXPECT_EQ(names_of(on(inner_).query(sites_).page_size(2)), names_);
    EXPECT_EQ(names_of(on(remote(8)).query(sites_)), names_);
}

TEST_F(parallel_query, narrows_every_partition) {
    EXPECT_THAT(names_of(on(inner_).query(sites_, row_range(3, 5))),
                ElementsAre("a 3", "a 4", "b 3", "b 4", "c 3", "c 4", "d 3", "d 4", "e 4"));
    EXPECT_THAT(names_of(on(inner_).query(sites_).where(field<&reading::level> > 18)), ElementsAre("p 19"));
    EXPECT_EQ(names_of(on(inner_).query(sites_).top(7)).size(), 7u);
    EXPECT_EQ(on(inner_).query(sites_).count(), names_.size());
    EXPECT_EQ(on(inner_).query(sites_).top(7).count(), 7u);
    EXPECT_EQ(on(inner_).query(sites_).first()->value.site, "a");
}

TEST_F(parallel_query, gives_the_same_rows_in_any_order) {
    auto names = names_of(on(remote(8)).query(sites_).in_any_order().page_size(3));
    std::sort(names.begin(), names.end());
    std::sort(names_.begin(), names_.end());
    EXPECT_EQ(names, names_);
}

TEST_F(parallel_query, in_any_order_has_rows_before_all_partitions_were_asked) {
    tablemap::testing::faulty_store* counted = nullptr;
    auto const s = std::make_shared<tablemap::testing::faulty_store>(inner_);
    counted = s.get();
    auto range = on(s).query(sites_).in_any_order().at_once(2);
    ASSERT_TRUE(*range.try_next());
    EXPECT_EQ(counted->requests(), 2u);
}

TEST_F(parallel_query, asks_for_a_bounded_number_of_pages_at_once) {
    for (std::size_t bound : {1U, 2U, 4U, 16U}) {
        auto const s = remote(bound);
        EXPECT_EQ(names_of(on(s).query(sites_).at_once(bound)), names_);
        EXPECT_EQ(s->most_at_once(), bound == 1 ? 0 : bound) << "one at a time goes the blocking way";
    }
    auto const s = remote(8);
    EXPECT_EQ(names_of(on(s).query(sites_)), names_);
    EXPECT_EQ(s->most_at_once(), 8u);
    EXPECT_EQ(on(s).query(sites_).count(), names_.size());
    EXPECT_EQ(s->most_at_once(), 8u);
}

TEST_F(parallel_query, of_a_split_scan_gives_what_the_scan_gives) {
    EXPECT_EQ(names_of(on(inner_).scan()), names_);
    for (auto const& boundaries : std::vector<std::vector<std::string>>{
             {}, {"d"}, {"p", "d", "d", "k"}, {"", "a", "aa", "\xF0\x9F\x98\x80"}, {"zz"}}) {
        EXPECT_EQ(names_of(on(inner_).scan().split_at(boundaries)), names_);
        EXPECT_EQ(names_of(on(inner_).scan().split_at(boundaries).page_size(2)), names_);
        EXPECT_EQ(on(inner_).scan().split_at(boundaries).count(), names_.size());
    }
}

TEST_F(parallel_query, reports_the_failure_of_one_partition_once_and_goes_on) {
    for (std::size_t failed = 0; failed < sites_.size(); ++failed) {
        for (bool any : {false, true}) {
            auto const s = std::make_shared<tablemap::testing::faulty_store>(inner_);
            s->fail_next(tablemap::testing::fault::busy, failed);
            auto range = any ? on(s).query(sites_, once()).in_any_order() : on(s).query(sites_, once());
            std::vector<std::string> names;
            std::size_t errors = 0;
            for (;;) {
                auto const e = range.try_next();
                if (!e)
                    ++errors;
                else if (!*e)
                    break;
                else
                    names.push_back((*e)->value.site + " " + std::to_string((*e)->value.number));
            }
            EXPECT_EQ(errors, 1u);
            EXPECT_TRUE(any || names == names_);
            EXPECT_THAT(names, ::testing::UnorderedElementsAreArray(names_));
        }
    }
}

}  // namespace
}  // namespace tablemap::test

// SPDX-License-Identifier: Apache-2.0
#include "testing/contract/fixture.hpp"
#include "testing/contract/suites.hpp"

#include <algorithm>

namespace tablemap::inline v0_1::testing::contract {
namespace {

class seam_pages : public seam {
protected:
    void put_grid() {
        for (auto const* partition : {"a", "b", "c", "d"}) put_rows(partition, {"1", "2", "3"});
    }
    /// Sorted if the store gives no order: the keys of these cases sort alike in every way.
    std::vector<std::string> keys(query_page q) { return as_given(keys_of(table().all(q))); }
    std::vector<std::string> rows(query_page q, std::size_t* pages = nullptr) {
        return as_given(row_keys(table().all(q, pages)));
    }
    std::vector<std::string> rows_of_b(key_bounds row) {
        return rows({.partition = key_bounds::exactly("b"), .row = row});
    }
};
TABLEMAP_CONTRACT_SUITE(seam_pages);

using texts = std::vector<std::string>;

std::vector<std::string> numbered(std::size_t count) {
    std::vector<std::string> rows;
    for (std::size_t i = 0; i < count; ++i) rows.push_back(std::to_string(10'000 + i));
    return rows;
}

// --- bounds ----------------------------------------------------------------------------------------------------------

TEST_P(seam_pages, an_empty_table_gives_an_empty_page) {
    auto const r = table().page({});
    EXPECT_TRUE(entities_in(r).empty());
    EXPECT_FALSE(r.next);
}

TEST_P(seam_pages, entities_come_in_the_order_of_their_keys) {
    TABLEMAP_SKIP_WITHOUT_ORDER();
    put_rows("b", {"2", "1"});
    put_rows("a", {"9", "10"});
    EXPECT_EQ(keys({}), (texts{"a/10", "a/9", "b/1", "b/2"}));
}

TEST_P(seam_pages, one_partition_gives_its_entities_alone) {
    put_grid();
    EXPECT_EQ(keys({.partition = key_bounds::exactly("b")}), (texts{"b/1", "b/2", "b/3"}));
    EXPECT_TRUE(keys({.partition = key_bounds::exactly("nobody")}).empty());
}

TEST_P(seam_pages, the_rows_are_the_same_where_they_may_be_packed) {
    put_grid();
    EXPECT_EQ(keys({.packed = true}), keys({}));
}

TEST_P(seam_pages, each_end_of_a_row_range_is_in_or_out_as_asked) {
    put_grid();
    EXPECT_EQ(rows_of_b({.from = "1", .to = "3"}), (texts{"1", "2"}));
    EXPECT_EQ(rows_of_b({.from = "1", .to = "3", .to_inclusive = true}), (texts{"1", "2", "3"}));
    EXPECT_EQ(rows_of_b({.from = "1", .to = "3", .from_inclusive = false}), (texts{"2"}));
    EXPECT_EQ(rows_of_b({.from = "1", .to = "3", .from_inclusive = false, .to_inclusive = true}), (texts{"2", "3"}));
    EXPECT_EQ(rows_of_b({.from = "2"}), (texts{"2", "3"}));
    EXPECT_EQ(rows_of_b({.to = "2"}), (texts{"1"}));
}

TEST_P(seam_pages, an_empty_range_gives_nothing) {
    put_grid();
    EXPECT_TRUE(rows_of_b({.from = "2", .to = "2"}).empty());
    EXPECT_TRUE(rows_of_b({.from = "3", .to = "1"}).empty());
}

TEST_P(seam_pages, each_end_of_a_partition_range_is_in_or_out_as_asked) {
    put_grid();
    auto const count = [&](key_bounds p) { return keys({.partition = p}).size(); };
    EXPECT_EQ(count({.from = "b", .to = "d"}), 6u);
    EXPECT_EQ(count({.from = "b", .to = "d", .to_inclusive = true}), 9u);
    EXPECT_EQ(count({.from = "b", .to = "d", .from_inclusive = false}), 3u);
    EXPECT_EQ(count({.from = "c"}), 6u);
    EXPECT_EQ(count({.to = "c"}), 6u);
}

TEST_P(seam_pages, row_bounds_apply_in_every_partition) {
    put_grid();
    EXPECT_EQ(keys({.row = key_bounds::exactly("2")}), (texts{"a/2", "b/2", "c/2", "d/2"}));
    EXPECT_EQ(keys({.partition = {.from = "b", .to = "d"}, .row = {.from = "2", .from_inclusive = false}}),
              (texts{"b/3", "c/3"}));
    EXPECT_EQ(keys({.partition = {.from = "b", .to = "d"}, .row = {.to = "2"}}), (texts{"b/1", "c/1"}));
}

TEST_P(seam_pages, an_empty_key_is_a_bound_like_any_other) {
    put_rows("", {"", "x"});
    put_rows("p", {"", "x"});
    EXPECT_EQ(keys({.partition = key_bounds::exactly("")}), (texts{"/", "/x"}));
    EXPECT_EQ(keys({.row = key_bounds::exactly("")}), (texts{"/", "p/"}));
    EXPECT_EQ(keys({.partition = {.from = "", .from_inclusive = false}}), (texts{"p/", "p/x"}));
}

// --- continuation ----------------------------------------------------------------------------------------------------

TEST_P(seam_pages, a_page_ends_at_as_many_entities_as_the_store_says) {
    auto const most = the_store().capabilities().page_entities;
    put_rows("p", numbered(2 * most + 1));
    auto const first = table().page({});
    EXPECT_EQ(entities_in(first).size(), most);
    EXPECT_TRUE(first.next);
    std::size_t pages = 0;
    EXPECT_EQ(rows({}, &pages), numbered(2 * most + 1));
    EXPECT_EQ(pages, 3u);
}

TEST_P(seam_pages, top_is_the_size_of_a_page) {
    put_rows("p", numbered(7));
    std::size_t pages = 0;
    EXPECT_EQ(rows({.top = 3}, &pages), numbered(7));
    EXPECT_EQ(pages, 3u);
}

TEST_P(seam_pages, pages_go_on_within_the_bounds) {
    put_grid();
    for (std::size_t const top : {1u, 2u, 5u}) {
        EXPECT_EQ(keys({.partition = {.from = "b", .to = "d"}, .row = {.from = "2"}, .top = top}),
                  (texts{"b/2", "b/3", "c/2", "c/3"}));
        EXPECT_EQ(keys({.partition = key_bounds::exactly("b"), .row = {.to = "3"}, .top = top}), (texts{"b/1", "b/2"}));
    }
}

TEST_P(seam_pages, pages_go_on_over_unusual_keys) {
    texts const rows = {"", " ", "%", "'", "a+b", "\xC3\xA4", "\xF0\x9F\x98\x80", "\xEF\xBF\xBF"};
    put_rows("it's 100%", rows);
    put_rows("\xEF\xBF\xBF", rows);
    EXPECT_EQ(table().all({.top = 1}).size(), 16u);
}

TEST_P(seam_pages, going_on_skips_and_repeats_nothing_while_others_write) {
    TABLEMAP_SKIP_WITHOUT_ORDER();
    put_rows("p", {"b", "d", "f"});
    auto const first = table().page({.top = 1});
    ASSERT_TRUE(first.next);
    ASSERT_TRUE(carried_out(table().insert(entity("p", "a"))));
    ASSERT_TRUE(carried_out(table().erase("p", "d")));
    auto const rest = table().page({.from = &*first.next});
    EXPECT_EQ(row_keys(entities_in(rest)), (texts{"f"}));
}

TEST_P(seam_pages, a_page_size_outside_1_to_1000_is_refused) {
    for (std::size_t const top : {0u, 1001u})
        EXPECT_TRUE(refused(table().page({.top = top}), service_errc::out_of_range_input));
}

TEST_P(seam_pages, a_continuation_that_no_page_gave_is_refused) {
    TABLEMAP_SKIP_IF(accepts_any_continuation);
    for (auto const& bad : {continuation{"nonsense", "nonsense"}, continuation{"1!AAA", "1!"}, continuation{"", ""},
                            continuation{"1!cA==", std::nullopt}})
        EXPECT_TRUE(refused(table().page({.from = &bad}), library_errc::invalid_cursor)) << bad.partition_key;
}

TEST_P(seam_pages, large_entities_end_a_page_early) {
    for (int i = 0; i < 8; ++i) {
        auto e = entity("p", std::to_string(i));
        for (char c = 'a'; c < 'a' + 15; ++c) e.set(std::string{c}, std::string(32'768, 'x'));
        e.set("More", bytes(60'000));
        ASSERT_TRUE(carried_out(table().insert(e)));
        e.row_key += "b";
        ASSERT_TRUE(carried_out(table().insert(e)));
    }
    EXPECT_EQ(table().all().size(), 16u);
}

// --- projection ------------------------------------------------------------------------------------------------------

TEST_P(seam_pages, a_projection_gives_what_is_selected_and_what_identifies_an_entity) {
    auto const sent = entity("p", "r", {{"A", 1}, {"Big", std::int64_t{2}}, {"C", "x,\"y\""}});
    auto const etag = table().insert(sent).etag;
    std::vector<std::string_view> const select = {"Big", "C", "Absent"};
    for (auto const& got :
         {entity_in(table().get("p", "r", select)), entities_in(table().page({.select = select})).at(0)}) {
        EXPECT_EQ(properties_of(got), (std::vector<property>{{"Big", std::int64_t{2}}, {"C", "x,\"y\""}}));
        EXPECT_EQ(got.partition_key + got.row_key, "pr");
        EXPECT_EQ(got.etag, etag);
        EXPECT_EQ(got.timestamp, entity_in(table().get("p", "r")).timestamp);
    }
}

TEST_P(seam_pages, a_projection_does_not_hide_properties_from_the_filter) {
    ASSERT_TRUE(carried_out(table().insert(entity("p", "r", {{"A", 1}, {"B", 2}}))));
    filter::expression const where = filter::comparison{"A", filter::comparison_operator::eq, 1};
    std::vector<std::string_view> const select = {"B"};
    auto const found = table().all({.where = &where, .select = select});
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(properties_of(found[0]), (std::vector<property>{{"B", 2}}));
}

}  // namespace

void link_pages() {}

}  // namespace tablemap::testing::contract

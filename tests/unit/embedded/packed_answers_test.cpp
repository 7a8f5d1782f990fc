// SPDX-License-Identifier: Apache-2.0
#include "unit/embedded/fixture.hpp"

namespace tablemap::test {
namespace {

using enum filter::comparison_operator;

/// Every response is asked for twice: as JSON, and packed.
class packed_answers : public ::testing::Test {
protected:
    packed_answers() {
        EXPECT_TRUE(carried_out(table_.create()));
        // U+FF5E is stored with another lead, and is above a supplementary character in bytes, below it in UTF-16.
        for (auto const* p : {"a", "\xEF\xBD\x9E"})
            for (auto const* r : {"1", "2 'quoted\"", "\xF0\x9F\x98\x80", "\xEF\xBD\x9E"})
                EXPECT_TRUE(carried_out(
                    table_.insert(entity(p, r, {{"Age", 34}, {"Name", "D\"on\n"}, {"Sum", std::int64_t{7}}}))));
    }

    void expect_same_row(std::string_view partition_key, std::string_view row_key,
                         std::span<std::string_view const> select = {}) {
        get_entity q{table_.table(), partition_key, row_key, select};
        auto const as_json = store_->execute(q, {});
        q.packed = true;
        auto const packed = store_->execute(q, {});
        EXPECT_FALSE(packed.body.starts_with('{'));
        EXPECT_TRUE(packed.etag.empty());
        EXPECT_EQ(entity_in(packed), entity_in(as_json));
        EXPECT_EQ(entity_in(packed).etag, as_json.etag);
    }

    /// Returns the number of rows.
    std::size_t expect_same_page(query_page q) {
        auto const as_json = table_.page(q);
        q.packed = true;
        auto const packed = table_.page(q);
        EXPECT_FALSE(packed.body.starts_with('{'));
        EXPECT_EQ(entities_in(packed), entities_in(as_json));
        EXPECT_EQ(packed.next, as_json.next);
        next_ = packed.next.value_or(continuation{});
        return entities_in(packed).size();
    }

    continuation next_{};  ///< of the last page

private:
    store_ptr store_ = value_or_throw(open_embedded({.path = ":memory:"}));
    table_client table_{*store_, "People"};
};

TEST_F(packed_answers, to_point_reads_hold_the_same_row) {
    expect_same_row("a", "2 'quoted\"");
    expect_same_row("\xEF\xBD\x9E", "\xF0\x9F\x98\x80");
}

TEST_F(packed_answers, hold_the_selected_properties) {
    std::string_view const names[] = {"Sum", "Name"};
    expect_same_row("a", "1", names);
    EXPECT_EQ(expect_same_page({.select = names}), 8U);
}

TEST_F(packed_answers, to_queries_hold_the_same_rows) {
    EXPECT_EQ(expect_same_page({}), 8U);
    EXPECT_EQ(expect_same_page({.partition = key_bounds::exactly("\xEF\xBD\x9E")}), 4U);
    EXPECT_EQ(expect_same_page({.partition = key_bounds::exactly("a"), .row = {.from = "2"}}), 3U);
    EXPECT_EQ(expect_same_page({.partition = key_bounds::exactly("no such")}), 0U);
}

TEST_F(packed_answers, go_on_where_the_page_before_ended) {
    query_page q{.partition = key_bounds::exactly("a"), .top = 3};
    EXPECT_EQ(expect_same_page(q), 3U);
    q.from = &next_;
    EXPECT_EQ(expect_same_page(q), 1U);
}

TEST_F(packed_answers, hold_the_rows_that_match) {
    filter::expression const adult = filter::comparison{"Age", gt, 33}, child = filter::comparison{"Age", lt, 18};
    EXPECT_EQ(expect_same_page({.where = &adult}), 8U);
    EXPECT_EQ(expect_same_page({.where = &child}), 0U);
}

}  // namespace
}  // namespace tablemap::test

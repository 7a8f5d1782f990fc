// SPDX-License-Identifier: Apache-2.0
#include "unit/embedded/fixture.hpp"

namespace tablemap::test {
namespace {

using enum filter::comparison_operator;
using texts = std::vector<std::string>;

filter::expression partition(filter::comparison_operator op, std::string v) {
    return filter::comparison{"PartitionKey", op, std::move(v)};
}
filter::expression row(filter::comparison_operator op, std::string v) {
    return filter::comparison{"RowKey", op, std::move(v)};
}
filter::expression small() { return filter::comparison{"V", lt, 10}; }

/// A table of more rows than one page examines, so that a second page tells of a scan.
class key_filters : public ::testing::Test {
protected:
    static void SetUpTestSuite() {
        store_ = value_or_throw(open_embedded({.path = ":memory:"}));
        ASSERT_TRUE(carried_out(table().create()));
        for (auto const* p : {"a", "b", "c"})
            for (int g = 0; g < 101; ++g) {
                std::vector<owned_operation> group;
                for (int i = 0; i < 100; ++i) {
                    auto const n = g * 100 + i;
                    group.push_back(operation(write_kind::insert, entity(p, std::to_string(10'000 + n), {{"V", n}})));
                }
                ASSERT_TRUE(carried_out(table().transact(group)));
            }
    }
    static void TearDownTestSuite() { store_.reset(); }
    static table_client table() { return {*store_, "Many"}; }

    /// The rows of the first page, which must be the only one.
    static texts on_one_page(filter::expression const& where, query_page q = {}) {
        q.where = &where;
        auto const answer = table().page(q);
        EXPECT_FALSE(answer.next);
        return keys_of(entities_in(answer));
    }

private:
    static inline store_ptr store_;
};

TEST_F(key_filters, on_both_keys_read_one_row) {
    EXPECT_EQ(on_one_page(partition(eq, "c") && row(eq, "20000")), (texts{"c/20000"}));
    EXPECT_EQ(on_one_page(!(partition(ne, "c") || row(ne, "20000"))), (texts{"c/20000"}));
}

TEST_F(key_filters, on_row_keys_skip_to_them_in_every_partition) {
    EXPECT_EQ(on_one_page(row(eq, "20099")), (texts{"a/20099", "b/20099", "c/20099"}));
    EXPECT_EQ(on_one_page(row(gt, "20097") && row(lt, "20099")), (texts{"a/20098", "b/20098", "c/20098"}));
}

TEST_F(key_filters, on_ranges_read_no_more_than_the_range) {
    EXPECT_EQ(on_one_page(partition(gt, "b") && row(le, "10001")), (texts{"c/10000", "c/10001"}));
    EXPECT_EQ(on_one_page(row(ge, "20098") && partition(lt, "b")), (texts{"a/20098", "a/20099"}));
    EXPECT_EQ(on_one_page(partition(eq, "c") && (row(eq, "20001") || row(eq, "20003"))), (texts{"c/20001", "c/20003"}));
}

TEST_F(key_filters, leave_the_rest_to_be_compared) {
    EXPECT_EQ(on_one_page(partition(eq, "c") && row(ge, "10008") && row(lt, "10020") && small()),
              (texts{"c/10008", "c/10009"}));
    EXPECT_EQ(on_one_page(partition(eq, "c") && row(lt, "10020") && row(ne, "10001") && small()).size(), 9u);
}

TEST_F(key_filters, narrow_the_bounds_of_the_request) {
    query_page const q{.partition = key_bounds::exactly("b"), .row = {.from = "20000"}};
    EXPECT_EQ(on_one_page(row(lt, "20002"), q), (texts{"b/20000", "b/20001"}));
    EXPECT_EQ(on_one_page(row(ge, "10000") && row(le, "20000"), q), (texts{"b/20000"}));
    EXPECT_TRUE(on_one_page(partition(eq, "c"), q).empty());
}

TEST_F(key_filters, that_nothing_can_match_read_nothing) {
    EXPECT_TRUE(on_one_page(partition(eq, "a") && partition(eq, "b")).empty());
    EXPECT_TRUE(on_one_page(row(gt, "3") && row(lt, "1")).empty());
    EXPECT_TRUE(on_one_page(filter::comparison{"RowKey", eq, 5}).empty());
}

TEST_F(key_filters, go_on_over_pages) {
    auto const where = row(ge, "10001") && row(lt, "10004") && partition(ge, "b");
    std::size_t pages = 0;
    auto const found = table().all({.where = &where, .top = 2}, &pages);
    EXPECT_EQ(keys_of(found), (texts{"b/10001", "b/10002", "b/10003", "c/10001", "c/10002", "c/10003"}));
    EXPECT_EQ(pages, 3u);
}

TEST_F(key_filters, refuse_what_no_store_can_compare_with) {
    filter::expression const bad = row(eq, "\xC3(");
    EXPECT_TRUE(refused_at(table().page({.where = &bad}), library_errc::invalid_text, "RowKey"));
    filter::expression const nameless = filter::comparison{"A or B", eq, 5};
    EXPECT_TRUE(refused(table().page({.where = &nameless}), library_errc::invalid_property_name));
}

}  // namespace
}  // namespace tablemap::test

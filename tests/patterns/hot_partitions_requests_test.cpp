// SPDX-License-Identifier: Apache-2.0
#include "patterns/requests.hpp"

#include "tablemap/embedded/store.hpp"
#include "tablemap/patterns/hot_partitions.hpp"
#include "tablemap/table/table.hpp"

namespace tablemap::test {
namespace {

struct sampled {
    std::string partition{};
    std::int32_t row{};
};

}  // namespace
}  // namespace tablemap::test

template <> struct tablemap::mapping<tablemap::test::sampled> {
    static constexpr auto partition_key = key(part<&tablemap::test::sampled::partition>);
    static constexpr auto row_key = key(part<&tablemap::test::sampled::row>.width(6));
};

namespace tablemap::test {
namespace {

class hot_partitions_page : public ::testing::Test {
protected:
    void SetUp() override {
        for (char const* const name : {"Empty", "One", "Many"}) table<sampled>{store, name}.create();
        for (int i = 0; i < 300; ++i) {
            table<sampled>{store, "One"}.insert({"p", i});
            table<sampled>{store, "Many"}.insert({"p" + std::to_string(i), i});
        }
    }
    void sample(char const* table, std::size_t rows, sample_options const& how = {}) {
        EXPECT_EQ(sample_partitions(observed, table, how).rows, rows);
    }

    std::shared_ptr<keeping_observer> seen = std::make_shared<keeping_observer>();
    store_ptr store = value_or_throw(open_embedded({.path = ":memory:"}));
    store_ptr observed = with_observer(store, seen);
};

TEST_F(hot_partitions_page, says_how_many_requests_operations_take) {
    expect_requests("patterns/hot-partitions.md", *seen,
                    {{"lint_keys", [&] { EXPECT_TRUE(lint_keys<sampled>().empty()); }},
                     {"`sample_partitions` of an empty table", [&] { sample("Empty", 0); }},
                     {"`sample_partitions` of one place", [&] { sample("Many", 10, {.rows = 10, .places = 1}); }},
                     {"`sample_partitions` of 300 rows in one partition", [&] { sample("One", 300); }},
                     {"`sample_partitions` of 300 partitions", [&] { sample("Many", 300); }}});
}

}  // namespace
}  // namespace tablemap::test

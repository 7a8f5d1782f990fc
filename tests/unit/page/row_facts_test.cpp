// SPDX-License-Identifier: Apache-2.0
#include "page/row_facts.hpp"

#include "inspect/row_kind_names.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace tablemap::test {
namespace {

using ::testing::ElementsAre;
using ::testing::Field;

dynamic_entity row(std::string partition, std::string key) { return {std::move(partition), std::move(key)}; }

class facts_of_rows : public ::testing::Test {
protected:
    void add_partition(std::string const& key, int rows) {
        for (int i = 0; i < rows; ++i) facts.add(row(key, std::to_string(i)));
    }

    page::table_report all(bool complete = true) {
        page::table_report t;
        t.complete = complete;
        facts.write_to(t, {});
        return t;
    }

    page::row_facts facts{};
};

TEST_F(facts_of_rows, partitions_with_the_most_rows_come_first) {
    for (int p = 10; p < 40; ++p) add_partition("p" + std::to_string(p), p % 7 + 1);
    auto const t = all();
    EXPECT_EQ(t.partitions, 30u);
    ASSERT_EQ(t.largest.size(), page::largest_named);
    EXPECT_EQ(t.largest[0].key, "p13");
    EXPECT_EQ(t.largest[0].rows, 7u);
    EXPECT_DOUBLE_EQ(t.largest[0].share, 7.0 / static_cast<double>(t.rows));
}

TEST_F(facts_of_rows, partitions_are_counted_by_their_size) {
    for (auto const* key : {"a", "b"}) add_partition(key, 1);
    add_partition("c", 9);
    add_partition("d", 100);
    auto const t = all();
    EXPECT_THAT(t.sizes, ElementsAre(Field(&page::size_class::partitions, 2), Field(&page::size_class::partitions, 1),
                                     Field(&page::size_class::partitions, 0), Field(&page::size_class::partitions, 1)));
    EXPECT_EQ(t.sizes[3].least, 100u);
    EXPECT_EQ(t.sizes[3].most, 999u);
}

TEST_F(facts_of_rows, slices_stay_few_and_hold_all_partitions) {
    for (int p = 1000; p < 2000; ++p) add_partition(std::to_string(p), 2);
    auto const t = all();
    std::uint64_t partitions = 0, rows = 0;
    for (auto const& s : t.slices) partitions += s.partitions, rows += s.rows;
    EXPECT_EQ(partitions, 1'000u);
    EXPECT_EQ(rows, 2'000u);
    EXPECT_LE(t.slices.size(), 48u);
    EXPECT_EQ(t.slices.front().first, "1000");
    EXPECT_EQ(t.slices.back().last, "1999");
}

TEST_F(facts_of_rows, types_of_a_property_are_counted) {
    auto a = row("p", "1"), b = row("p", "2");
    a.set("Age", std::int32_t{30});
    b.set("Age", "thirty");
    facts.add(a), facts.add(b);
    auto const t = all();
    ASSERT_EQ(t.properties.size(), 1u);
    EXPECT_EQ(t.properties[0].types(), 2u);
    EXPECT_EQ(t.properties[0].total(), 2u);
}

TEST_F(facts_of_rows, property_names_are_bounded) {
    for (int i = 0; i < 1'000; ++i) {
        auto e = row("p", std::to_string(i));
        e.set("n" + std::to_string(i), i);
        facts.add(e);
    }
    auto const t = all();
    EXPECT_EQ(t.properties.size(), 300u);
    EXPECT_TRUE(t.more_properties);
}

TEST_F(facts_of_rows, kinds_are_told_by_the_type_property) {
    for (int i = 0; i < 3; ++i) {
        auto e = row("p", std::to_string(i));
        e.set("EntityType", i < 2 ? "employee" : "department");
        facts.add(e);
    }
    facts.add(row("p", "~outbox_head"));
    auto const t = all();
    EXPECT_EQ(t.type_property, "EntityType");
    EXPECT_THAT(t.kinds,
                ElementsAre(Field(&page::kind_fact::name, "employee"), Field(&page::kind_fact::name, "department"),
                            Field(&page::kind_fact::name, inspect::outbox_kind)));
}

TEST_F(facts_of_rows, last_partition_may_go_on_if_not_all_was_read) {
    add_partition("a", 1);
    add_partition("b", 2);
    auto const t = all(false);
    EXPECT_TRUE(t.largest[0].more);
    EXPECT_FALSE(t.largest[1].more);
}

}  // namespace
}  // namespace tablemap::test

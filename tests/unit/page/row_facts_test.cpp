// SPDX-License-Identifier: Apache-2.0
#include "page/row_facts.hpp"

#include "patterns/companion_kinds.hpp"

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
                            Field(&page::kind_fact::name, outbox_kind)));
}

TEST_F(facts_of_rows, what_is_nearest_to_the_limits_is_kept) {
    auto large = row("pärtition", "k"), long_key = row("p", std::string(300, 'k'));
    large.set("Text", std::string(2'000, 'x'));
    large.set("Picture", bytes(900));
    facts.add(large), facts.add(long_key);
    auto const t = all();
    EXPECT_EQ(t.extremes.row_bytes, entity_size(large));
    EXPECT_EQ(t.extremes.partition_of_largest, "pärtition");
    EXPECT_EQ(t.extremes.properties, 2u);
    EXPECT_EQ(t.extremes.partition_key_units, 9u);
    EXPECT_EQ(t.extremes.row_key_units, 300u);
    EXPECT_EQ(t.properties[0].largest_binary + t.properties[1].largest_binary, 900u);
    EXPECT_EQ(t.properties[0].longest_text + t.properties[1].longest_text, 2'000u);
}

TEST_F(facts_of_rows, entities_without_the_type_property_are_counted) {
    auto typed = row("p", "1");
    typed.set("EntityType", "employee");
    facts.add(typed), facts.add(row("p", "2")), facts.add(row("p", "~outbox_head"));
    auto const t = all();
    EXPECT_EQ(t.rows_without_type, 1u);
    EXPECT_FALSE(t.type_property_certain);
}

TEST_F(facts_of_rows, index_rows_make_the_type_property_certain) {
    auto entity = row("p", "1"), index = row("p", "2");
    entity.set("Sort", "employee"), index.set("Sort", "employee_index");
    facts.add(entity), facts.add(index);
    auto const t = all();
    EXPECT_EQ(t.type_property, "Sort");
    EXPECT_TRUE(t.type_property_certain);
    EXPECT_EQ(t.rows_without_type, 0u);
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

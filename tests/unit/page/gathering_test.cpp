// SPDX-License-Identifier: Apache-2.0
#include "page/gathering.hpp"
#include "page/report_page.hpp"

#include "tablemap/mapping/dynamic.hpp"
#include "tablemap/open.hpp"
#include "tablemap/patterns/outbox.hpp"
#include "tablemap/tablemap.hpp"

#include "support/outbox_samples.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>

namespace tablemap::test {

struct reported_person {
    std::string office{};
    std::int32_t number{};
    std::string email{};
    std::string name{};
};

}  // namespace tablemap::test

template <> struct tablemap::mapping<tablemap::test::reported_person> {
    using t = tablemap::test::reported_person;
    static constexpr auto partition_key = key(part<&t::office>);
    static constexpr auto row_key = key("id_", part<&t::number>.width(6));
    static constexpr auto discriminator = tablemap::discriminator("EntityType", "person");
    static constexpr auto indexes =
        tablemap::indexes(unique_index<"by_email">(key("email_", part<&t::email>)),
                          index<"by_name">(key("name_", part<&t::name>.escaped())).include<>());
};

namespace tablemap::test {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

class gathered_report : public ::testing::Test {
protected:
    gathered_report() {
        people.create();
        for (int i = 0; i < 20; ++i)
            people.insert({i < 15 ? "Bonn" : "Rome", i, "e" + std::to_string(i), "n" + std::to_string(i % 4)});
    }

    page::table_report report(page::gathering const& how = {}) const {
        return page::gather_report(store, how).tables.at(0);
    }

    /// The facts of the index whose row keys begin with this.
    static page::index_fact index(page::table_report const& t, std::string const& beginning) {
        for (auto const& i : t.indexes)
            if (i.beginning == beginning) return i;
        return {};
    }

    store_ptr store = open("embedded::memory:");
    table<reported_person> people{store, "People"};
    table<dynamic_entity> rows{store, "People"};
};

TEST_F(gathered_report, rows_of_the_librarys_indexes_are_in_step) {
    auto const t = report();
    EXPECT_TRUE(t.complete);
    EXPECT_EQ(t.rows, 60u);
    EXPECT_EQ(t.type_property, "EntityType");
    auto const by_name = index(t, "name");
    EXPECT_TRUE(by_name.known);
    EXPECT_EQ(by_name.in_step, 20u);
    EXPECT_EQ(by_name.entities_without, 0u);
    EXPECT_FALSE(index(t, "email").known);
    EXPECT_TRUE(t.findings.empty());
}

TEST_F(gathered_report, entity_that_another_program_erased_leaves_rows_without_entity) {
    rows.erase_any({"Bonn", "id_000003"});
    auto const t = report();
    EXPECT_EQ(index(t, "name").without_entity, 1u);
    ASSERT_FALSE(t.findings.empty());
    EXPECT_THAT(t.findings[0].text, HasSubstr("1 row of the index of person at name has no entity"));
}

TEST_F(gathered_report, entity_that_another_program_changed_differs) {
    dynamic_entity changed{"Bonn", "id_000003"};
    changed.set("name", "renamed");
    rows.upsert_merge(changed);
    EXPECT_EQ(index(report(), "name").differing, 1u);
}

inspect::checked_schema schema_of(std::string const& table) {
    return {R"({"entities": {"e": {"table": ")" + table + R"(", "properties": {"k": "string"},
        "partition_key": [{"member": "k"}], "row_key": ["r"]}}})",
            "e.json"};
}

TEST_F(gathered_report, tables_of_a_schema_are_read_before_others) {
    for (int i = 0; i < 200; ++i) table<dynamic_entity>{store, "Aaa" + std::to_string(i)}.create();
    table<dynamic_entity>{store, "Zed"}.create();
    auto const made = page::gather_report(store, {.schema = schema_of("zed")});
    EXPECT_EQ(made.tables.size(), 200u);
    EXPECT_EQ(made.tables_left_out, 2u);
    EXPECT_EQ(made.tables.back().name, "Zed");
    EXPECT_TRUE(made.tables.back().drift);
    EXPECT_THAT(made.missing, IsEmpty());
}

TEST_F(gathered_report, table_that_is_given_twice_is_read_once) {
    auto const name = people.name();
    EXPECT_EQ(page::gather_report(store, {.tables = {name, name}}).tables.size(), 1u);
}

TEST_F(gathered_report, rows_that_a_schema_has_no_entity_for_are_counted) {
    auto const made = page::gather_report(store, {.schema = schema_of(people.name())});
    EXPECT_EQ(made.tables.at(0).drift->unclaimed, made.tables.at(0).rows);
    EXPECT_THAT(page::report_page(made), HasSubstr("rows of no entity</td>"));
}

TEST_F(gathered_report, part_of_a_table_is_sampled) {
    auto const t = report({.rows = 30});
    EXPECT_FALSE(t.complete);
    EXPECT_TRUE(t.sampled);
    EXPECT_EQ(t.rows, 30u);
    ASSERT_FALSE(t.largest.empty());
    EXPECT_EQ(t.largest[0].key, "Bonn");
}

TEST_F(gathered_report, property_of_several_types_is_a_finding) {
    dynamic_entity other{"Rome", "x"};
    other.set("name", std::int32_t{1});
    rows.insert(other);
    EXPECT_THAT(report().findings.at(0).text, HasSubstr("the property name has several types"));
}

TEST_F(gathered_report, work_of_an_outbox_is_counted) {
    table<staff> const company{store, "Company"};
    company.create();
    staff_outbox const box{company};
    auto t = company.transaction();
    t.insert(staff{"Bonn", 1, "Don"});
    box.commit(t, archive_staff{1, 1});
    auto const made = report({.tables = {"Company"}});
    ASSERT_TRUE(made.outbox);
    EXPECT_EQ(made.outbox->pending, 1);
    EXPECT_EQ(made.outbox->partitions, 1u);
}

}  // namespace
}  // namespace tablemap::test

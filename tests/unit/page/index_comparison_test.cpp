// SPDX-License-Identifier: Apache-2.0
#include "page/row_facts.hpp"

#include <gtest/gtest.h>

#include <string>

namespace tablemap::test {
namespace {

/// Employees with an index of their email, `email_<email>_empid_<number>`.
class comparison_of_indexes : public ::testing::Test {
protected:
    void add(std::string const& key, char const* type, char const* email) {
        dynamic_entity e{"Sales", key};
        e.set("EntityType", type);
        e.set("Email", email);
        facts.add(e);
    }

    page::table_report all(bool complete = true) {
        page::table_report t;
        t.complete = complete;
        facts.write_to(t, {});
        return t;
    }

    page::row_facts facts{};
};

TEST_F(comparison_of_indexes, rows_in_step_are_recognised) {
    add("email_a_empid_01", "employee_index", "a");
    add("empid_01", "employee_v2", "a");
    auto const t = all();
    ASSERT_EQ(t.indexes.size(), 1u);
    EXPECT_EQ(t.indexes[0].beginning, "email");
    EXPECT_EQ(t.indexes[0].in_step, 1u);
    EXPECT_EQ(t.indexes[0].entities_without, 0u);
}

TEST_F(comparison_of_indexes, rows_out_of_step_are_counted) {
    add("email_a_empid_01", "employee_index", "a");
    add("email_b_empid_02", "employee_index", "b");
    add("email_c_empid_03", "employee_index", "c");
    add("empid_01", "employee", "a");
    add("empid_02", "employee", "changed");
    add("empid_04", "employee", "d");
    auto const i = all().indexes.at(0);
    EXPECT_TRUE(i.known);
    EXPECT_EQ(i.in_step, 1u);
    EXPECT_EQ(i.differing, 1u);
    EXPECT_EQ(i.without_entity, 1u);
    EXPECT_EQ(i.entities_without, 1u);
}

TEST_F(comparison_of_indexes, rows_of_unique_indexes_are_not_comparable) {
    add("email_a", "employee_index", "a");
    add("empid_01", "employee", "a");
    auto const i = all().indexes.at(0);
    EXPECT_FALSE(i.known);
    EXPECT_EQ(i.entities_without, 0u);
}

TEST_F(comparison_of_indexes, text_that_ends_by_chance_as_a_discriminator_is_not_shown) {
    for (auto const* const note : {"call her about the divorce_index", "divorce_index"}) {
        dynamic_entity e{"Sales", "jane.doe@example.org" + std::string{note}};
        e.set("Note", note);
        facts.add(e);
    }
    EXPECT_TRUE(all().indexes.empty());
}

TEST_F(comparison_of_indexes, rows_without_any_entity_are_shown) {
    add("email_a_empid_01", "employee_index", "a");
    EXPECT_EQ(all().indexes.at(0).type, "employee");
}

TEST_F(comparison_of_indexes, partition_that_was_not_read_whole_is_not_compared) {
    add("email_a_empid_01", "employee_index", "a");
    auto const t = all(false);
    EXPECT_TRUE(t.indexes.empty());
    EXPECT_EQ(t.partitions_not_compared, 1u);
}

}  // namespace
}  // namespace tablemap::test

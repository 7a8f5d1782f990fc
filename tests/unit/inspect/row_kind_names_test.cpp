// SPDX-License-Identifier: Apache-2.0
#include "inspect/row_kind_names.hpp"

#include <gtest/gtest.h>

namespace tablemap::test {
namespace {

TEST(row_kind_names, version_is_a_number_behind_the_type) {
    EXPECT_EQ(inspect::without_version("employee_v2"), "employee");
    EXPECT_EQ(inspect::without_version("employee_v"), "employee_v");
    EXPECT_EQ(inspect::without_version("employee_vx"), "employee_vx");
}

TEST(row_kind_names, index_rows_name_the_type_of_their_entities) {
    EXPECT_EQ(inspect::indexed_type("employee_index"), "employee");
    EXPECT_EQ(inspect::indexed_type("employee_v3_index"), "employee_v3");
    EXPECT_EQ(inspect::indexed_type("employee_index_v3"), "employee");
    EXPECT_EQ(inspect::indexed_type("_index"), "");
    EXPECT_EQ(inspect::indexed_type("employee"), "");
}

TEST(row_kind_names, tag_is_the_first_text_of_an_index) {
    dynamic_entity row{"p", "name_Don"};
    row.set("id", std::int32_t{7});
    EXPECT_FALSE(inspect::index_tag(row));
    row.set("EntityType", "employee_index");
    ASSERT_TRUE(inspect::index_tag(row));
    EXPECT_EQ(inspect::index_tag(row)->property, "EntityType");
    EXPECT_EQ(inspect::index_tag(row)->type, "employee");
}

}  // namespace
}  // namespace tablemap::test

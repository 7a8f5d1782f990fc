// SPDX-License-Identifier: Apache-2.0
#include "inspect/member_names.hpp"

#include <gtest/gtest.h>

namespace tablemap::test {
namespace {

TEST(member_names, names_of_cpp_stay_as_they_are) {
    inspect::member_names names;
    EXPECT_EQ(names.choose("LastName"), "LastName");
    EXPECT_EQ(names.choose("LastName"), "LastName_");
    EXPECT_EQ(names.choose("LastName"), "LastName_2");
}

TEST(member_names, other_names_become_similar_ones) {
    inspect::member_names names;
    EXPECT_EQ(names.choose("class"), "class_");
    EXPECT_EQ(names.choose("_id"), "id");
    EXPECT_EQ(names.choose("a__b"), "a_b");
    EXPECT_EQ(names.choose("linux"), "linux_");
    EXPECT_EQ(names.choose("2024"), "n2024");
    EXPECT_EQ(names.choose("\xC3\xBC"), "member");
    EXPECT_EQ(names.choose(""), "member_");
    EXPECT_EQ(names.choose(std::string(600, 'x')).size(), 600u);
}

TEST(member_names, global_names_are_not_those_of_the_system) {
    inspect::member_names global{true};
    EXPECT_EQ(global.choose("index"), "index_");
    EXPECT_EQ(inspect::member_names{}.choose("index"), "index");
}

TEST(member_names, struct_has_the_name_of_one_row) {
    EXPECT_EQ(inspect::name_of_rows("OrderLines"), "order_line");
    EXPECT_EQ(inspect::name_of_rows("Companies"), "company");
    EXPECT_EQ(inspect::name_of_rows("Glass"), "glass");
    EXPECT_EQ(inspect::name_of_rows("HTTPLog"), "httplog");
}

}  // namespace
}  // namespace tablemap::test

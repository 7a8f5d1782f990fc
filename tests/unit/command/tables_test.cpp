// SPDX-License-Identifier: Apache-2.0
#include "unit/command/command_line.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tablemap::test {
namespace {

using ::testing::HasSubstr;

TEST(command_tables, lists_names_in_order) {
    command_file const tablemap{};
    EXPECT_EQ(tablemap({"tables", "--create", "People"}).code, command::done);
    EXPECT_EQ(tablemap({"tables", "--create", "Events"}).code, command::done);
    EXPECT_EQ(tablemap({"tables"}).out, "Events\nPeople\n");
    EXPECT_EQ(tablemap({"tables", "--prefix", "Pe"}).out, "People\n");
}

TEST(command_tables, creating_a_table_that_is_there_answers_no) {
    command_file const tablemap{};
    tablemap({"tables", "--create", "People"});
    auto const r = tablemap({"tables", "--create", "People"});
    EXPECT_EQ(r.code, command::no);
    EXPECT_THAT(r.error, HasSubstr("People exists already"));
}

TEST(command_tables, dropping_a_table_needs_a_confirmation) {
    command_file const tablemap{};
    tablemap({"tables", "--create", "People"});
    auto const r = tablemap({"tables", "--drop", "People"});
    EXPECT_EQ(r.code, command::usage);
    EXPECT_THAT(r.error, HasSubstr("--yes"));
    EXPECT_EQ(tablemap({"tables"}).out, "People\n");
}

TEST(command_tables, confirmed_drop_deletes_the_table) {
    command_file const tablemap{};
    tablemap({"tables", "--create", "People"});
    EXPECT_EQ(tablemap({"tables", "--drop", "People", "--yes"}).code, command::done);
    EXPECT_EQ(tablemap({"tables"}).out, "");
    EXPECT_EQ(tablemap({"tables", "--drop", "People", "--yes"}).code, command::no);
}

TEST(command_tables, name_that_no_table_can_have_is_a_usage_error) {
    command_file const tablemap{};
    EXPECT_EQ(tablemap({"tables", "--create", "no table"}).code, command::usage);
}

}  // namespace
}  // namespace tablemap::test

// SPDX-License-Identifier: Apache-2.0
#include "unit/command/command_line.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

namespace tablemap::test {
namespace {

using ::testing::HasSubstr;

constexpr char const* three_rows = "PartitionKey,RowKey,Age\np,1,10\np,2,20\nq,1,30\n";

class command_import : public ::testing::Test {
protected:
    command_result import(std::string const& file, std::vector<std::string> more = {}) const {
        more.insert(more.begin(), {"import", "People", file});
        return tablemap(more);
    }

    command_file const tablemap{};
    table<dynamic_entity> people = tablemap.rows();
    std::string ledger = tablemap.folder.file("ledger");
};

TEST_F(command_import, stores_the_rows_of_a_file) {
    auto const r = import(tablemap.file("a.csv", three_rows));
    EXPECT_EQ(r.code, command::done) << r.error;
    EXPECT_EQ(r.error, "3 rows stored, 0 stored before, 0 failed\n");
    EXPECT_EQ(*people.find("q", "1")->value.try_get<std::int32_t>("Age"), 30);
}

TEST_F(command_import, repeated_import_stores_nothing_twice) {
    auto const file = tablemap.file("a.csv", three_rows);
    import(file);
    EXPECT_EQ(import(file).error, "0 rows stored, 3 stored before, 0 failed\n");
}

TEST_F(command_import, other_rows_of_the_same_keys_are_replaced_only_if_that_is_wanted) {
    import(tablemap.file("a.csv", three_rows));
    auto const changed = tablemap.file("b.csv", "PartitionKey,RowKey,Age\np,1,11\n");
    auto const r = import(changed);
    EXPECT_EQ(r.code, command::failed);
    EXPECT_THAT(r.error, HasSubstr("b.csv:2:1: the table has another row"));
    EXPECT_EQ(import(changed, {"--replace"}).code, command::done);
    EXPECT_EQ(*people.find("p", "1")->value.try_get<std::int32_t>("Age"), 11);
}

TEST_F(command_import, row_that_cannot_be_read_is_named_and_the_others_are_stored) {
    auto const r = import(tablemap.file("a.csv", "PartitionKey,RowKey,Age:Edm.Int32\np,1,x\np,2,20\np/,3,1\n"));
    EXPECT_EQ(r.code, command::failed);
    EXPECT_THAT(r.error, HasSubstr("a.csv:2:5: Age is no Edm.Int32\n"));
    EXPECT_THAT(r.error, HasSubstr("a.csv:4:1: "));
    EXPECT_THAT(r.error, HasSubstr("1 row stored, 0 stored before, 2 failed\n"));
}

TEST_F(command_import, file_that_breaks_off_stores_what_is_before_the_fault) {
    auto const r = import(tablemap.file("a.csv", "PartitionKey,RowKey,A:Edm.String\np,1,x\np,2,\"y"));
    EXPECT_EQ(r.code, command::failed);
    EXPECT_THAT(r.error, HasSubstr("a.csv:3:5: the quote that begins here is not closed"));
    EXPECT_EQ(people.scan().count(), 1u);
}

TEST_F(command_import, first_faults_are_shown_and_the_rest_is_counted) {
    std::string text = "PartitionKey,RowKey,Age:Edm.Int32\n";
    for (int i = 0; i < 100; ++i) text += "p," + std::to_string(i) + ",x\n";
    auto const r = import(tablemap.file("a.csv", text));
    EXPECT_THAT(r.error, HasSubstr("a.csv:21:"));
    EXPECT_THAT(r.error, ::testing::Not(HasSubstr("a.csv:22:")));
    EXPECT_THAT(r.error, HasSubstr("100 failed"));
}

TEST_F(command_import, creates_the_table_only_if_that_is_wanted) {
    people.delete_table();
    auto const file = tablemap.file("a.csv", three_rows);
    auto const r = import(file);
    EXPECT_EQ(r.code, command::failed);
    EXPECT_THAT(r.error, HasSubstr("in table 'People': the table does not exist: --create-table creates it\n"));
    EXPECT_EQ(import(file, {"--create-table"}).code, command::done);
}

TEST_F(command_import, ledger_of_a_complete_import_is_removed) {
    EXPECT_EQ(import(tablemap.file("a.csv", three_rows), {"--ledger", ledger}).code, command::done);
    EXPECT_FALSE(std::filesystem::exists(ledger));
}

TEST_F(command_import, goes_on_from_the_ledger_without_sending_what_is_stored) {
    auto const file = tablemap.file("a.csv", "PartitionKey,RowKey,Age:Edm.Int32\np,1,10\np,2,x\np,3,5\n");
    EXPECT_EQ(import(file, {"--ledger", ledger}).code, command::failed);
    auto changed = people.find("p", "3");
    changed->value.set("Age", std::int32_t{6});
    people.replace(*changed);
    auto const again = import(file, {"--ledger", ledger});
    EXPECT_THAT(again.error, HasSubstr("0 rows stored, 2 stored before, 1 failed"));
    EXPECT_EQ(*people.find("p", "3")->value.try_get<std::int32_t>("Age"), 6);
}

TEST_F(command_import, ledger_of_another_table_or_of_a_changed_file_is_refused) {
    auto const file = tablemap.file("a.csv", "PartitionKey,RowKey,Age:Edm.Int32\np,1,10\np,2,x\n");
    import(file, {"--ledger", ledger});
    tablemap.file("a.csv", three_rows);
    auto const r = import(file, {"--ledger", ledger});
    EXPECT_EQ(r.code, command::usage);
    EXPECT_THAT(r.error, HasSubstr("remove the ledger"));
}

TEST_F(command_import, ledger_of_a_table_whose_rows_are_gone_is_refused) {
    auto const file = tablemap.file("a.csv", "PartitionKey,RowKey,Age:Edm.Int32\np,1,10\np,2,x\n");
    import(file, {"--ledger", ledger});
    people.erase_any("p", "1");
    EXPECT_THAT(import(file, {"--ledger", ledger}).error, HasSubstr("not in the table any more"));
}

TEST_F(command_import, file_that_is_no_ledger_is_left_as_it_is) {
    tablemap.file("ledger", "precious");
    EXPECT_EQ(import(tablemap.file("a.csv", three_rows), {"--ledger", ledger}).code, command::usage);
    EXPECT_EQ(tablemap.contents("ledger"), "precious");
}

TEST_F(command_import, file_of_unknown_format_is_a_usage_error) {
    auto const file = tablemap.file("a.txt", three_rows);
    EXPECT_THAT(import(file).error, HasSubstr("--format"));
    EXPECT_EQ(import(file, {"--format", "csv"}).code, command::done);
    EXPECT_EQ(import(tablemap.folder.file("absent.csv")).code, command::usage);
}

TEST_F(command_import, other_columns_can_be_the_keys) {
    auto const file = tablemap.file("a.csv", "Section,Package\nlibs,zlib\n");
    EXPECT_EQ(import(file, {"--partition-key", "Section", "--row-key", "Package"}).code, command::done);
    EXPECT_TRUE(people.find("libs", "zlib"));
}

}  // namespace
}  // namespace tablemap::test

// SPDX-License-Identifier: Apache-2.0
#include "unit/command/command_line.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tablemap::test {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class command_query : public ::testing::Test {
protected:
    void SetUp() override {
        auto const t = tablemap.rows();
        for (int i = 0; i < 4; ++i) {
            dynamic_entity e{i < 3 ? "p" : "q", std::to_string(i)};
            e.set("Age", std::int32_t{10 * i});
            e.set("Name", "n");
            t.insert(e);
        }
    }

    command_file const tablemap{};
};

TEST_F(command_query, prints_json_lines_where_no_person_reads) {
    EXPECT_EQ(tablemap({"query", "People", "--partition", "q"}).out,
              "{\"PartitionKey\":\"q\",\"RowKey\":\"3\",\"Age\":30,\"Name\":\"n\"}\n");
}

TEST_F(command_query, filter_select_and_top_narrow_it) {
    EXPECT_EQ(
        tablemap({"query", "People", "--filter", "Age ge 10", "--select", "Age", "--top", "2", "--output", "csv"}).out,
        "PartitionKey,RowKey,Age:Edm.Int32\np,1,10\np,2,20\n");
}

TEST_F(command_query, empty_partition_key_is_one) {
    EXPECT_THAT(tablemap({"query", "People", "--partition", ""}).out, IsEmpty());
}

TEST_F(command_query, plan_warns_of_a_scan_and_reads_nothing) {
    auto const r = tablemap({"query", "Absent", "--filter", "Age ge 10", "--explain"});
    EXPECT_EQ(r.code, command::done);
    EXPECT_THAT(r.out, HasSubstr("scan of the whole table\nfilter: Age ge 10\n"));
    EXPECT_THAT(r.out, HasSubstr("warning: "));
}

TEST_F(command_query, text_that_is_no_filter_is_a_usage_error) {
    auto const r = tablemap({"query", "People", "--filter", "Age gee 10"});
    EXPECT_EQ(r.code, command::usage);
    EXPECT_THAT(r.error, HasSubstr("offset 4"));
}

TEST_F(command_query, plan_says_where_reading_ends) {
    auto const r = tablemap({"query", "People", "--filter", "PartitionKey eq 'q'", "--explain", "--top", "1"});
    EXPECT_THAT(r.out, HasSubstr("give the partition itself, beside the filter\n"));
    EXPECT_THAT(r.out, EndsWith("\ntop: reading ends when 1 row is found\n"));
}

TEST_F(command_query, keys_can_be_selected_and_numbers_have_leading_zeros) {
    EXPECT_EQ(tablemap({"query", "People", "--select", "PartitionKey,RowKey,Timestamp,Age", "--top", "01"}).out,
              "{\"PartitionKey\":\"p\",\"RowKey\":\"0\",\"Age\":0}\n");
}

TEST_F(command_query, table_that_is_not_there_fails) {
    auto const r = tablemap({"query", "Absent"});
    EXPECT_EQ(r.code, command::failed);
    EXPECT_EQ(r.error,
              "tablemap: scan in table 'Absent': the table does not exist: `tablemap tables` lists those that are "
              "there\n");
}

}  // namespace
}  // namespace tablemap::test

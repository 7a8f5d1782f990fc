// SPDX-License-Identifier: Apache-2.0
#include "command/unfinished_export.hpp"
#include "unit/command/command_line.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include <sys/stat.h>

namespace tablemap::test {
namespace {

using namespace std::string_literals;
using ::testing::HasSubstr;

class command_export : public ::testing::Test {
protected:
    void SetUp() override {
        std::vector<dynamic_entity> all;
        for (int i = 0; i < 30; ++i) {
            all.emplace_back(std::to_string(i / 10), std::to_string(i % 10));
            all.back().set("Text", "a\n\"b\"," + std::to_string(i));
        }
        tablemap.rows().insert_many(all).require_complete();
    }

    command_result export_to(std::string const& file, std::vector<std::string> more = {}) const {
        more.insert(more.begin(), {"export", "People", "--output", file});
        return tablemap(more);
    }

    /// Leaves what an export of these rows leaves when it is interrupted.
    void interrupt(std::string const& text, command::row_choice rows = {}) const {
        rows.table = "People";
        tablemap.file("a.jsonl.part", text);
        command::export_note{json + ".part", {.connection = tablemap.store}, rows}.write();
    }

    command_file const tablemap{};
    std::string csv = tablemap.folder.file("a.csv"), json = tablemap.folder.file("a.jsonl");
};

TEST_F(command_export, goes_to_the_standard_output_as_json_lines) {
    auto const r = tablemap({"export", "People", "--partition", "2", "--top", "1"});
    EXPECT_EQ(r.out, "{\"PartitionKey\":\"2\",\"RowKey\":\"0\",\"Text\":\"a\\n\\\"b\\\",20\"}\n");
}

TEST_F(command_export, what_it_wrote_is_imported_into_an_equal_table) {
    for (auto const& file : {csv, json}) {
        ASSERT_EQ(export_to(file).code, command::done);
        command_file const other;
        EXPECT_EQ(other({"import", "People", file, "--create-table"}).code, command::done);
        EXPECT_EQ(other({"query", "People"}).out, tablemap({"query", "People"}).out);
    }
}

TEST_F(command_export, replaces_no_file_unless_it_is_told_to) {
    tablemap.file("a.csv", "precious");
    EXPECT_EQ(export_to(csv).code, command::usage);
    EXPECT_EQ(tablemap.contents("a.csv"), "precious");
    EXPECT_EQ(export_to(csv, {"--overwrite"}).code, command::done);
}

TEST_F(command_export, name_that_tells_no_format_needs_one) {
    auto const file = tablemap.folder.file("a.xml");
    auto const r = export_to(file);
    EXPECT_EQ(r.code, command::usage);
    EXPECT_THAT(r.error, HasSubstr("a.xml does not tell the format of its rows; give --format csv or jsonl"));
    EXPECT_FALSE(std::filesystem::exists(file + ".part"));
    EXPECT_EQ(export_to(file, {"--format", "csv"}).code, command::done);
}

TEST_F(command_export, device_is_not_replaced_by_a_file) {
    auto const pipe = tablemap.folder.file("pipe");
    ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
    EXPECT_EQ(export_to(pipe, {"--overwrite", "--format", "jsonl"}).code, command::usage);
    EXPECT_TRUE(std::filesystem::is_fifo(pipe));
}

TEST_F(command_export, resumed_export_is_the_whole_table) {
    ASSERT_EQ(export_to(json).code, command::done);
    auto const whole = tablemap.contents("a.jsonl");
    // Cut in the first line, behind a line, within a line, and at the end.
    for (auto const size : {std::size_t{10}, whole.find('\n') + 1, whole.size() / 2, whole.size()}) {
        std::filesystem::remove(json);
        interrupt(whole.substr(0, size));
        EXPECT_EQ(export_to(json, {"--resume"}).code, command::done);
        EXPECT_EQ(tablemap.contents("a.jsonl"), whole) << size;
        EXPECT_FALSE(std::filesystem::exists(json + ".part.of"));
    }
}

TEST_F(command_export, resumed_export_of_a_partition_stays_in_it) {
    interrupt("{\"PartitionKey\":\"1\",\"RowKey\":\"8\",\"Text\":\"x\"}\n", {.partition = "1"});
    EXPECT_EQ(export_to(json, {"--resume", "--partition", "1"}).code, command::done);
    EXPECT_THAT(tablemap.contents("a.jsonl"), HasSubstr("\"RowKey\":\"9\""));
    EXPECT_THAT(tablemap.contents("a.jsonl"), ::testing::Not(HasSubstr("\"PartitionKey\":\"2\"")));
}

TEST_F(command_export, part_that_is_no_export_is_refused_and_left) {
    std::string const row = R"({"PartitionKey":"1","RowKey":"8"})";
    for (auto const& foreign : {"precious\n"s, "precious\nand more"s, "no line feed"s, row + "\nprecious",
                                R"({"Name":"x"})"s + "\n", "\n"s, "precious\n" + row.substr(0, 20)}) {
        interrupt(foreign);
        EXPECT_EQ(export_to(json, {"--resume"}).code, command::failed) << foreign;
        EXPECT_EQ(tablemap.contents("a.jsonl.part"), foreign);
    }
}

TEST_F(command_export, resume_of_other_rows_is_refused_and_changes_nothing) {
    std::string const row = "{\"PartitionKey\":\"1\",\"RowKey\":\"8\"}\n", part = row + "{\"Par";
    tablemap.file("a.jsonl.part", part);
    EXPECT_EQ(export_to(json, {"--resume"}).code, command::usage);  // nothing tells of what it is a part
    interrupt(part);
    for (std::vector<std::string> const& other : std::initializer_list<std::vector<std::string>>{
             {"--partition", "2"}, {"--filter", "Text gt 'b'"}, {"--select", "Text"}}) {
        auto options = other;
        options.push_back("--resume");
        auto const r = export_to(json, options);
        EXPECT_EQ(r.code, command::usage);
        EXPECT_THAT(r.error, HasSubstr("a.jsonl.part.of"));
    }
    static_cast<void>(tablemap.rows("Orders"));
    EXPECT_EQ(tablemap({"export", "Orders", "--output", json, "--resume"}).code, command::usage);
    EXPECT_EQ(tablemap.contents("a.jsonl.part"), part);
    EXPECT_THAT(export_to(json, {"--resume"}).error, HasSubstr("11 more rows exported"));
}

TEST_F(command_export, resume_is_refused_where_it_means_nothing) {
    EXPECT_EQ(export_to(csv, {"--resume"}).code, command::usage);
    EXPECT_EQ(export_to("-", {"--resume"}).code, command::usage);
    EXPECT_EQ(export_to(json, {"--resume", "--top", "1"}).code, command::usage);
}

TEST_F(command_export, folder_that_is_not_there_fails) {
    auto const r = export_to(tablemap.folder.file("absent/a.csv"));
    EXPECT_EQ(r.code, command::failed);
    EXPECT_THAT(r.error, HasSubstr("absent/a.csv.part"));
}

}  // namespace
}  // namespace tablemap::test

// SPDX-License-Identifier: Apache-2.0
#include "command/row_source.hpp"
#include "command/row_writer.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

namespace tablemap::test {
namespace {

using command::output_format;
using ::testing::HasSubstr;
using ::testing::Not;

std::vector<dynamic_entity> sample() {
    dynamic_entity a{"p", "1"}, b{"p", "2"};
    a.set("Text", "a, \"b\"\nc");
    a.set("Empty", "");
    a.set("Number", std::int64_t{5});
    b.set("Number", "five");
    b.set("Bytes", bytes{std::byte{1}, std::byte{255}});
    return {a, b};
}

std::string written(output_format f, std::vector<dynamic_entity> const& rows) {
    std::ostringstream out;
    auto const writer = command::make_row_writer(f, out);
    for (auto const& r : rows) writer->write(r);
    writer->finish();
    return out.str();
}

std::vector<dynamic_entity> read(command::row_source& source) {
    std::vector<dynamic_entity> rows;
    while (auto r = source.next()) rows.push_back(r->value);
    return rows;
}

TEST(command_row_writer, json_lines_are_read_back) {
    std::istringstream in{written(output_format::jsonl, sample())};
    EXPECT_EQ(read(*command::read_json_lines(in, {})), sample());
}

TEST(command_row_writer, name_that_would_break_the_line_is_refused) {
    dynamic_entity a{"p", "1"};
    a.set("A\":1,\"RowKey", "x");
    EXPECT_THROW(written(output_format::jsonl, {a}), std::runtime_error);
}

TEST(command_row_writer, csv_is_read_back_without_guessing) {
    std::istringstream in{written(output_format::csv, sample())};
    EXPECT_EQ(read(*command::read_csv(in, {}, nullptr)), sample());
}

TEST(command_row_writer, csv_has_a_column_for_each_type_of_a_property) {
    EXPECT_THAT(written(output_format::csv, sample()),
                ::testing::StartsWith("PartitionKey,RowKey,Text:Edm.String,Empty:Edm.String,Number:Edm.Int64,"
                                      "Number:Edm.String,Bytes:Edm.Binary\n"));
}

TEST(command_row_writer, csv_of_more_columns_than_can_be_read_is_refused) {
    std::vector<dynamic_entity> rows;
    for (int i = 0; i < 1'098; ++i) {
        rows.emplace_back("p", std::to_string(i));
        rows.back().set("P" + std::to_string(i), i);
    }
    std::istringstream in{written(output_format::csv, rows)};
    EXPECT_EQ(read(*command::read_csv(in, {}, nullptr)), rows);
    rows[0].set("Q", 1);
    EXPECT_THROW(written(output_format::csv, rows), std::runtime_error);
}

TEST(command_row_writer, output_that_fails_ends_the_work) {
    for (auto const f : {output_format::jsonl, output_format::table}) {
        std::ofstream full{"/dev/full"};
        auto const writer = command::make_row_writer(f, full);
        auto const write_all = [&] {
            for (int i = 0; i < 10'000; ++i) writer->write(dynamic_entity{"p", std::to_string(i)});
        };
        EXPECT_THROW(write_all(), std::runtime_error);
    }
}

TEST(command_row_writer, table_has_aligned_columns_and_no_control_characters) {
    dynamic_entity a{"Zoë", "1"}, b{"p", "2"};
    a.set("Text", "x\x1b[2J\ny");
    EXPECT_EQ(written(output_format::table, {a, b}),
              "PartitionKey  RowKey  Text\nZoë           1       x?[2J y\np             2\n");
}

TEST(command_row_writer, name_that_is_no_identifier_breaks_no_table_and_no_csv) {
    dynamic_entity a{"p", "1"};
    a.set("\x1b]0;x\x07", "x");
    EXPECT_THAT(written(output_format::table, {a}), ::testing::StartsWith("PartitionKey  RowKey  ?]0;x?\n"));
    dynamic_entity b{"p", "1"};
    b.set("a,b:c", "x");
    EXPECT_THROW(written(output_format::csv, {b}), std::runtime_error);
}

TEST(command_row_writer, table_cuts_long_values) {
    dynamic_entity a{"p", "1"};
    a.set("Text", std::string(1'000, 'x'));
    EXPECT_THAT(written(output_format::table, {a}), HasSubstr("x…\n"));
    EXPECT_THAT(written(output_format::table, {a}), Not(HasSubstr(std::string(100, 'x'))));
}

}  // namespace
}  // namespace tablemap::test

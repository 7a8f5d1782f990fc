// SPDX-License-Identifier: Apache-2.0
#include "command/row_source.hpp"
#include "support/packed_rows.hpp"
#include "unit/command/failing_stream.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

namespace tablemap::test {
namespace {

using command::file_fault;
using command::key_names;
using command::source_row;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::vector<source_row> all_of(command::row_source& source) {
    std::vector<source_row> rows;
    while (auto r = source.next()) rows.push_back(std::move(*r));
    return rows;
}

std::vector<source_row> csv(std::string const& text, key_names const& keys = {}) {
    std::istringstream in{text};
    return all_of(*command::read_csv(in, keys, [&] { return std::make_unique<std::istringstream>(text); }));
}

std::vector<source_row> json(std::string const& text, key_names const& keys = {}) {
    std::istringstream in{text};
    return all_of(*command::read_json_lines(in, keys));
}

std::string fault_of_csv(std::string const& text) {
    try {
        csv(text);
        return {};
    } catch (file_fault const& e) {
        return e.what();
    }
}

TEST(command_csv_source, takes_types_from_the_first_line) {
    auto const rows = csv("PartitionKey,RowKey,Age:Edm.Int64,Name:Edm.String\np,r,5,6\n");
    ASSERT_EQ(rows.size(), 1u);
    EXPECT_THAT(rows[0].fault, IsEmpty());
    EXPECT_EQ(rows[0].value.partition_key, "p");
    EXPECT_EQ(*rows[0].value.try_get<std::int64_t>("Age"), 5);
    EXPECT_EQ(*rows[0].value.try_get<std::string>("Name"), "6");
}

TEST(command_csv_source, guesses_types_from_all_rows) {
    auto const rows = csv("PartitionKey,RowKey,A,B\n1,2,3,x\n1,3,5000000000,\n");
    EXPECT_EQ(*rows[0].value.try_get<std::int64_t>("A"), 3);
    EXPECT_EQ(rows[0].value.partition_key, "1");
    EXPECT_FALSE(rows[1].value.find("B"));
}

TEST(command_csv_source, types_of_a_stream_that_comes_once_must_be_given) {
    std::istringstream in{"PartitionKey,RowKey,A\n"};
    EXPECT_THROW(command::read_csv(in, {}, nullptr), file_fault);
}

TEST(command_csv_source, names_other_columns_as_keys) {
    auto const rows = csv("Section,Package,Size\nlibs,zlib,5\n", {"Section", "Package"});
    EXPECT_EQ(rows[0].value.partition_key, "libs");
    EXPECT_EQ(rows[0].value.row_key, "zlib");
    EXPECT_FALSE(rows[0].value.find("Section"));
    EXPECT_THAT(fault_of_csv("Section,Package\na,b\n"), HasSubstr("no column PartitionKey"));
}

TEST(command_csv_source, fault_of_a_row_names_its_place_and_its_property_and_the_next_row_follows) {
    auto const rows = csv("PartitionKey,RowKey,A:Edm.Int32\np,1,x\np,2\np,3,3\n");
    ASSERT_EQ(rows.size(), 3u);
    EXPECT_EQ(rows[0].fault, "A is no Edm.Int32");
    EXPECT_EQ(rows[0].place.line, 2u);
    EXPECT_EQ(rows[0].place.column, 5u);
    EXPECT_THAT(rows[1].fault, HasSubstr("2 fields"));
    EXPECT_THAT(rows[2].fault, IsEmpty());
}

TEST(command_csv_source, property_of_several_types_has_a_column_for_each) {
    std::string const head = "PartitionKey,RowKey,A:Edm.Int32,A:Edm.String\n";
    EXPECT_EQ(*csv(head + "p,r,,x\n")[0].value.try_get<std::string>("A"), "x");
    EXPECT_THAT(csv(head + "p,r,1,x\n")[0].fault, HasSubstr("two values"));
}

TEST(command_csv_source, unknown_type_is_refused_with_the_types_that_there_are) {
    EXPECT_THAT(fault_of_csv("PartitionKey,RowKey,A:int\n"), HasSubstr("Edm.Int32"));
    EXPECT_THAT(fault_of_csv(""), HasSubstr("empty"));
    EXPECT_THAT(fault_of_csv("PartitionKey,RowKey,\n"), HasSubstr("no name"));
}

TEST(command_json_source, takes_types_from_annotations) {
    auto const rows = json("{\"PartitionKey\":\"p\",\"RowKey\":\"r\",\"A@odata.type\":\"Edm.Int64\",\"A\":\"5\"}\n\n"
                           "{\"PartitionKey\":\"p\",\"RowKey\":\"s\",\"A\":5}");
    ASSERT_EQ(rows.size(), 2u);
    EXPECT_EQ(*rows[0].value.try_get<std::int64_t>("A"), 5);
    EXPECT_EQ(*rows[1].value.try_get<std::int32_t>("A"), 5);
    EXPECT_EQ(rows[1].place.line, 3u);
}

TEST(command_json_source, row_without_its_keys_is_a_fault) {
    EXPECT_THAT(json("{\"PartitionKey\":\"p\"}")[0].fault, HasSubstr("RowKey is missing"));
    EXPECT_THAT(json("{\"PartitionKey\":5,\"RowKey\":\"r\"}")[0].fault,
                HasSubstr("PartitionKey is missing, or is no text"));
    EXPECT_EQ(json("{\"Id\":\"5\",\"PartitionKey\":\"p\"}", {"", "Id"})[0].value.row_key, "5");
    EXPECT_THAT(json("{\"Id\":5,\"PartitionKey\":\"p\"}", {"", "Id"})[0].fault, HasSubstr("be text"));
}

TEST(command_json_source, packed_row_is_a_fault) {
    auto const rows = json(packed_rows({{"p", "r", ticks::max()}}));
    ASSERT_FALSE(rows.empty());
    EXPECT_EQ(rows[0].fault, "the line is no JSON");
}

TEST(command_json_source, byte_order_mark_is_passed_over) {
    auto const rows = json("\xEF\xBB\xBF{\"PartitionKey\":\"p\",\"RowKey\":\"r\"}\n");
    ASSERT_EQ(rows.size(), 1u);
    EXPECT_THAT(rows[0].fault, IsEmpty());
    EXPECT_EQ(rows[0].value.row_key, "r");
}

TEST(command_json_source, operation_id_of_a_write_is_passed_over) {
    auto const of_json = json("{\"PartitionKey\":\"p\",\"RowKey\":\"r\",\"TablemapOperation@odata.type\":\"Edm.Guid\","
                              "\"TablemapOperation\":\"5f3c1f6e-7a0b-4d2c-9e8f-0123456789ab\",\"A\":1}");
    auto const of_csv = csv("PartitionKey,RowKey,TablemapOperation,A\np,r,5f3c1f6e-7a0b-4d2c-9e8f-0123456789ab,1\n");
    for (auto const& rows : {of_json, of_csv}) {
        EXPECT_THAT(rows.at(0).fault, IsEmpty());
        EXPECT_EQ(detail::properties_of(rows.at(0).value).size(), 1u);
    }
}

TEST(command_json_source, damaged_line_is_a_fault_and_the_next_one_follows) {
    auto const rows = json("{\"PartitionKey\":\n[1]\n{\"PartitionKey\":\"p\",\"RowKey\":\"r\"}\n");
    ASSERT_EQ(rows.size(), 3u);
    EXPECT_FALSE(rows[0].fault.empty());
    EXPECT_FALSE(rows[1].fault.empty());
    EXPECT_THAT(rows[2].fault, IsEmpty());
}

TEST(command_json_source, value_that_contradicts_its_type_names_the_property) {
    EXPECT_THAT(json("{\"PartitionKey\":\"p\",\"RowKey\":\"r\",\"A@odata.type\":\"Edm.Guid\",\"A\":\"5\"}")[0].fault,
                HasSubstr("A: "));
}

/// The fault of a row whose properties are this text.
std::string fault_of_json(std::string const& properties) {
    return json("{\"PartitionKey\":\"p\",\"RowKey\":\"r\"," + properties + "}")[0].fault;
}

TEST(command_json_source, fault_of_a_value_names_the_property) {
    EXPECT_EQ(fault_of_json("\"A\":[1]"), "A: a value is an array or an object");
    EXPECT_EQ(fault_of_json("\"A\":nul"), "A: a value of the JSON is missing or none");
    EXPECT_EQ(fault_of_json("\"A\":1,\"A\":2"), "A: a property comes twice");
    EXPECT_EQ(fault_of_json("\"RowKey\":\"s\""), "RowKey: a key comes twice");
    EXPECT_EQ(fault_of_json("\"A@odata.type\":5"), "A@odata.type: a text is missing");
}

TEST(command_json_source, endless_line_is_refused) {
    EXPECT_THROW(json(std::string(17 * 1024 * 1024, ' ')), file_fault);
}

/// Line, column and text of what ends a file after this text.
template <class Read> std::string fault_behind(std::string const& text, Read read) {
    failing_stream in{text};
    try {
        all_of(*read(in));
        return {};
    } catch (file_fault const& e) {
        return std::to_string(e.place.line) + ":" + std::to_string(e.place.column) + " " + e.what();
    }
}

TEST(command_json_source, read_that_fails_is_no_end_of_the_file) {
    auto const read = [](std::istream& in) { return command::read_json_lines(in, {}); };
    EXPECT_THAT(fault_behind("", read), HasSubstr("1:1 a read of the file failed"));
    EXPECT_THAT(fault_behind("\n\n", read), HasSubstr("3:1 a read of the file failed"));
    EXPECT_THAT(fault_behind("{\"PartitionKey\":\"p\",\"RowKey\":\"r\"}", read), HasSubstr("1:34 a read of the file"));
}

TEST(command_csv_source, read_that_fails_is_no_end_of_the_file) {
    auto const read = [](std::istream& in) { return command::read_csv(in, {}, nullptr); };
    std::string const head = "PartitionKey,RowKey,A:Edm.Int32\n";
    EXPECT_THAT(fault_behind(head, read), HasSubstr("2:1 a read of the file failed"));
    EXPECT_THAT(fault_behind(head + "p,r,12", read), HasSubstr("2:7 a read of the file failed"));
    EXPECT_THAT(fault_behind(head + "p,r,\"x", read), HasSubstr("2:7 a read of the file failed"));
}

TEST(command_csv_source, types_are_not_guessed_from_a_part_of_a_file) {
    std::string const text = "PartitionKey,RowKey,A\np,r,1\n";
    auto const read = [&](std::istream& in) {
        return command::read_csv(in, {}, [&] { return std::make_unique<failing_stream>(text); });
    };
    EXPECT_THAT(fault_behind(text, read), HasSubstr("3:1 a read of the file failed"));
}

TEST(command_row_format, is_told_by_the_name) {
    EXPECT_EQ(command::format_of_name("a.csv"), command::row_format::csv);
    EXPECT_EQ(command::format_of_name("a.ndjson"), command::row_format::jsonl);
    EXPECT_FALSE(command::format_of_name("a.txt"));
}

}  // namespace
}  // namespace tablemap::test

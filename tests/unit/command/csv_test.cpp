// SPDX-License-Identifier: Apache-2.0
#include "command/csv.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

namespace tablemap::test {
namespace {

using command::csv_field;
using command::csv_reader;
using command::file_fault;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::vector<std::vector<std::string>> read(std::string const& text) {
    std::istringstream in{text};
    csv_reader reader{in};
    std::vector<std::vector<std::string>> all;
    for (std::vector<csv_field> record; reader.next(record);) {
        all.emplace_back();
        for (auto const& f : record) all.back().push_back(f.text);
    }
    return all;
}

/// Line, column and text of the fault.
std::string fault(std::string const& text) {
    try {
        read(text);
        return {};
    } catch (file_fault const& e) {
        return std::to_string(e.place.line) + ":" + std::to_string(e.place.column) + " " + e.what();
    }
}

TEST(command_csv, reads_quotes_commas_and_lines_within_fields) {
    EXPECT_THAT(read("a,\"b, \"\"c\"\"\",\"d\ne\"\nf,,\"\"\n"),
                ElementsAre(ElementsAre("a", "b, \"c\"", "d\ne"), ElementsAre("f", "", "")));
}

TEST(command_csv, passes_over_marks_empty_lines_and_every_end_of_line) {
    EXPECT_THAT(read("\xEF\xBB\xBF\r\na,b\r\n\r\nc,d"), ElementsAre(ElementsAre("a", "b"), ElementsAre("c", "d")));
    // Begins as the mark does.
    EXPECT_THAT(read("\xEF\xBC\xA1,b"), ElementsAre(ElementsAre("\xEF\xBC\xA1", "b")));
    EXPECT_THAT(read("\xEF"), ElementsAre(ElementsAre("\xEF")));
}

TEST(command_csv, tells_an_empty_text_from_nothing) {
    std::istringstream in{"\"\",\n"};
    std::vector<csv_field> record;
    ASSERT_TRUE(csv_reader{in}.next(record));
    EXPECT_TRUE(record[0].quoted);
    EXPECT_FALSE(record[1].quoted);
}

TEST(command_csv, faults_name_their_place) {
    EXPECT_THAT(fault("a\nb,\"c\nd"), HasSubstr("2:3 the quote that begins here"));
    EXPECT_THAT(fault("a,\"b\"c"), HasSubstr("1:6 a comma must follow"));
    EXPECT_THAT(fault("a\nb\"c"), HasSubstr("2:2 a quote within"));
}

TEST(command_csv, record_without_end_is_refused) {
    EXPECT_THAT(fault("\"" + std::string(9'000'000, 'x')), HasSubstr("longer than 8 MiB"));
    EXPECT_THAT(fault(std::string(2'000, ',')), HasSubstr("more fields"));
}

TEST(command_csv, fields_are_written_so_that_they_are_read_back) {
    for (std::string const text : {"", "a", "a,b", "\"", "a\r\nb", " a "}) {
        std::string line;
        command::append_csv_field(line, text);
        EXPECT_EQ(read(line + "\n"), (std::vector<std::vector<std::string>>{{text}}));
    }
}

}  // namespace
}  // namespace tablemap::test

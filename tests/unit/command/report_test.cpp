// SPDX-License-Identifier: Apache-2.0
#include "unit/command/command_line.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tablemap::test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class command_report : public ::testing::Test {
protected:
    void SetUp() override {
        auto const t = tablemap.rows();
        for (int p = 0; p < 20; ++p)
            for (int r = 0; r <= p % 3; ++r) t.insert({"p" + std::to_string(p), std::to_string(r)});
    }

    command_file const tablemap{};
};

TEST_F(command_report, page_has_the_numbers_of_all_tables) {
    static_cast<void>(tablemap.rows("Empty"));
    auto const r = tablemap({"report", "--title", "Staff"});
    EXPECT_EQ(r.code, command::done) << r.error;
    EXPECT_THAT(r.out, HasSubstr("<h1>Staff</h1>"));
    EXPECT_THAT(r.out, HasSubstr("<dt>Rows</dt><dd>39</dd>"));
    EXPECT_THAT(r.out, HasSubstr("<dt>Partitions</dt><dd>20</dd>"));
    EXPECT_THAT(r.out, HasSubstr("The table has no rows."));
}

TEST_F(command_report, part_of_a_table_says_so) {
    auto const r = tablemap({"report", "People", "--rows", "10"});
    EXPECT_THAT(r.out, HasSubstr("<dd>10+</dd>"));
    EXPECT_THAT(r.out, HasSubstr("the first 10 rows were read"));
    EXPECT_THAT(tablemap({"report", "--exact"}).out, Not(HasSubstr("rows were read</span>")));
}

TEST_F(command_report, text_of_the_table_is_no_markup) {
    dynamic_entity hostile{"<script>alert(1)<", "\"'&"};
    hostile.set("EntityType", "</style></script><script>");
    tablemap.rows().insert(hostile);
    auto const r = tablemap({"report", "--title", "</title><script>"});
    EXPECT_THAT(r.out, HasSubstr("&lt;script&gt;alert(1)&lt;"));
    EXPECT_THAT(r.out, HasSubstr("&lt;/style&gt;&lt;/script&gt;&lt;script&gt;"));
    EXPECT_THAT(r.out, Not(HasSubstr("<script")));
}

TEST_F(command_report, file_is_replaced_only_when_told) {
    std::string const file = tablemap.file("report.html", "mine");
    auto const refused = tablemap({"report", "--output", file});
    EXPECT_EQ(refused.code, command::usage);
    EXPECT_THAT(refused.error, HasSubstr("--overwrite replaces it"));
    EXPECT_EQ(tablemap.contents("report.html"), "mine");
    EXPECT_EQ(tablemap({"report", "--output", file, "--overwrite"}).code, command::done);
    EXPECT_THAT(tablemap.contents("report.html"), HasSubstr("</html>"));
}

TEST_F(command_report, schema_shows_how_rows_differ_from_it) {
    auto const schema = tablemap.file("s.json", R"({"entities": {"person": {"table": "People",
        "properties": {"office": "string", "number": "int32", "Age": {"type": "int32", "nullable": true}},
        "partition_key": [{"member": "office"}], "row_key": [{"member": "number"}]}}})");
    EXPECT_THAT(tablemap({"report", "--schema", schema}).out,
                HasSubstr("Note</span><span>person.Age: no row has the property"));
    dynamic_entity late{"p0", "7"};
    late.set("Age", "thirty");
    tablemap.rows().insert(late);
    auto const r = tablemap({"report", "--schema", schema});
    EXPECT_EQ(r.code, command::done);
    std::string const fault = "person.Age: it holds Edm.String where Edm.Int32 is expected, in 1 row";
    EXPECT_THAT(r.out, HasSubstr("Warning</span><span>People: " + fault));
    EXPECT_THAT(r.out, HasSubstr("Error</span><span>" + fault));
    EXPECT_THAT(r.out, Not(HasSubstr("thirty")));
}

TEST_F(command_report, schema_of_other_tables_is_reported) {
    auto const schema = tablemap.file("s.json", R"({"entities": {"person": {"table": "Elsewhere",
        "properties": {"office": "string"}, "partition_key": [{"member": "office"}], "row_key": ["r"]}}})");
    EXPECT_EQ(tablemap({"report", "People", "--schema", schema}).code, command::usage);
    EXPECT_THAT(tablemap({"report", "--schema", schema}).out,
                HasSubstr("Elsewhere: the schema names this table, which the store does not have"));
    EXPECT_THAT(tablemap({"report", "--schema", "nowhere"}).error, HasSubstr("cannot read the schema nowhere"));
}

TEST_F(command_report, table_that_is_not_there_fails) {
    auto const r = tablemap({"report", "Nobody"});
    EXPECT_EQ(r.code, command::failed);
    EXPECT_THAT(r.error, HasSubstr("Nobody"));
    EXPECT_EQ(r.out, "");
}

TEST_F(command_report, number_of_rows_is_checked) {
    EXPECT_EQ(tablemap({"report", "--rows", "0"}).code, command::usage);
    EXPECT_EQ(tablemap({"report", "--rows", "5", "--exact"}).code, command::usage);
}

}  // namespace
}  // namespace tablemap::test

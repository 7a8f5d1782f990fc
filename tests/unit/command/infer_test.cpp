// SPDX-License-Identifier: Apache-2.0
#include "unit/command/command_line.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tablemap::test {
namespace {

using ::testing::HasSubstr;

class command_infer : public ::testing::Test {
protected:
    void SetUp() override {
        auto const t = tablemap.rows();
        for (int i = 10; i < 20; ++i) t.insert({"p" + std::to_string(i % 3), "id_0" + std::to_string(i)});
    }

    command_file const tablemap{};
};

TEST_F(command_infer, schema_is_printed) {
    auto const r = tablemap({"infer", "People", "--namespace", "hr", "--name", "person"});
    EXPECT_EQ(r.code, command::done) << r.error;
    EXPECT_THAT(r.out, HasSubstr("\"namespace\": \"hr\""));
    EXPECT_THAT(r.out, HasSubstr("\"row_key\": [\"id_\", {\"member\": \"id\", \"width\": 3}]"));
    EXPECT_EQ(r.error, "");
}

TEST_F(command_infer, file_is_replaced_only_when_told) {
    std::string const file = tablemap.file("people.json", "mine");
    auto const refused = tablemap({"infer", "People", "--output", file});
    EXPECT_EQ(refused.code, command::usage);
    EXPECT_THAT(refused.error, HasSubstr("--overwrite replaces it"));
    EXPECT_EQ(tablemap.contents("people.json"), "mine");
    EXPECT_EQ(tablemap({"infer", "People", "--output", file, "--overwrite"}).code, command::done);
    EXPECT_THAT(tablemap.contents("people.json"), HasSubstr("\"entities\""));
}

TEST_F(command_infer, part_of_a_table_says_so) {
    auto const r = tablemap({"infer", "People", "--rows", "5"});
    EXPECT_EQ(r.code, command::done);
    EXPECT_THAT(r.error, HasSubstr("only the first 5 rows were read"));
    EXPECT_EQ(tablemap({"infer", "People", "--exact"}).error, "");
}

TEST_F(command_infer, empty_table_has_no_schema) {
    static_cast<void>(tablemap.rows("Empty"));
    auto const r = tablemap({"infer", "Empty"});
    EXPECT_EQ(r.code, command::no);
    EXPECT_EQ(r.out, "");
    EXPECT_THAT(r.error, HasSubstr("the table Empty has no rows of entities"));
}

TEST_F(command_infer, table_that_is_not_there_fails) {
    auto const r = tablemap({"infer", "Nobody"});
    EXPECT_EQ(r.code, command::failed);
    EXPECT_THAT(r.error, HasSubstr("Nobody"));
}

TEST_F(command_infer, type_property_that_no_row_has_is_reported) {
    auto const r = tablemap({"infer", "People", "--type-property", "Sort"});
    EXPECT_EQ(r.code, command::done);
    EXPECT_THAT(r.error, HasSubstr("no row has text in the property Sort"));
}

TEST_F(command_infer, arguments_are_checked_before_reading) {
    EXPECT_EQ(tablemap({"infer"}).code, command::usage);
    EXPECT_EQ(tablemap({"infer", "People", "--rows", "0"}).code, command::usage);
    EXPECT_EQ(tablemap({"infer", "People", "--rows", "5", "--exact"}).code, command::usage);
    EXPECT_THAT(tablemap({"infer", "People", "--name", "class"}).error, HasSubstr("'class' cannot be the name"));
    EXPECT_EQ(tablemap({"infer", "People", "--namespace", "a b"}).code, command::usage);
    EXPECT_EQ(tablemap({"infer", "People", "--namespace", "time"}).code, command::usage);
    EXPECT_THAT(tablemap({"infer", "People", "--name", "time"}).error, HasSubstr("stands in the global namespace"));
}

}  // namespace
}  // namespace tablemap::test

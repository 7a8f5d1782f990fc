// SPDX-License-Identifier: Apache-2.0
#include "unit/command/command_line.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tablemap::test {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

class command_check : public ::testing::Test {
protected:
    command_check() {
        for (int i = 1; i <= 3; ++i) insert("id_" + std::to_string(i), std::int32_t{30});
    }

    template <class V> void insert(std::string const& row_key, V age) {
        dynamic_entity e{"Sales", row_key};
        e.set("age", age);
        people.insert(e);
    }

    command_result check(std::vector<std::string> const& more = {}) const {
        std::vector<std::string> all{"check", "People", "--schema", schema};
        all.insert(all.end(), more.begin(), more.end());
        return tablemap(all);
    }

    command_file const tablemap{};
    table<dynamic_entity> people = tablemap.rows();
    std::string schema = tablemap.file("people.json", R"({"entities": {"person": {"table": "People",
        "properties": {"office": "string", "number": "int32", "age": "int32"},
        "partition_key": [{"member": "office"}], "row_key": ["id_", {"member": "number"}]}}})");
};

TEST_F(command_check, rows_of_the_schema_are_fine) {
    auto const r = check();
    EXPECT_EQ(r.code, command::done) << r.out;
    EXPECT_EQ(r.out, "People: note: person: 3 rows\n");
    EXPECT_EQ(r.error, "People: 3 rows: 0 errors\n");
}

TEST_F(command_check, differences_are_counted_with_their_first_row) {
    insert("id_7", "old");
    insert("id_8", "older");
    auto const r = check();
    EXPECT_EQ(r.code, command::no);
    EXPECT_THAT(r.out, HasSubstr("People: note: person: 5 rows, of which 2 cannot be read\n"));
    EXPECT_THAT(r.out,
                HasSubstr("People: error: person.age: it holds Edm.String where Edm.Int32 is expected, in 2 rows; "
                          "give the member the stored type, or rewrite the rows (first: partition 'Sales', row "
                          "'id_7')\n"));
    EXPECT_EQ(r.error, "tablemap: People: 5 rows: 1 error\n");
}

TEST_F(command_check, lines_of_json_name_all_parts) {
    insert("id_7", "old");
    EXPECT_THAT(
        check({"--output", "jsonl"}).out,
        HasSubstr("{\"table\":\"People\",\"level\":\"error\",\"rule\":\"types\",\"entity\":\"person\",\"member\":"
                  "\"age\",\"rows\":1,"));
}

TEST_F(command_check, row_of_no_entity_is_an_error) {
    insert("x", std::int32_t{1});
    auto const r = check();
    EXPECT_EQ(r.code, command::no);
    EXPECT_THAT(r.out, HasSubstr("People: error: the keys are those of no entity, in 1 row"));
}

TEST_F(command_check, reading_ends_early_if_told) {
    insert("x", std::int32_t{1});
    auto const r = check({"--rows", "3"});
    EXPECT_EQ(r.code, command::done);
    EXPECT_THAT(r.error, StartsWith("People: the table has more rows than the 3 rows that were read\n"));
    EXPECT_EQ(check({"--rows", "4"}).error, "tablemap: People: 4 rows: 1 error\n");
    EXPECT_EQ(check({"--rows", "0"}).code, command::usage);
}

TEST_F(command_check, schema_that_cannot_be_used_is_a_usage_error) {
    EXPECT_THAT(tablemap({"check", "People", "--schema", "nowhere.json"}).error, HasSubstr("cannot read the schema"));
    schema = tablemap.file("bad.json", "{\"entities\": 1}");
    auto const r = check();
    EXPECT_EQ(r.code, command::usage);
    EXPECT_THAT(r.error, HasSubstr("bad.json:1:14: error:"));
    EXPECT_EQ(tablemap({"check", "People"}).code, command::usage);
    EXPECT_THAT(tablemap({"check", "People", "--schema", "/dev/zero"}).error, HasSubstr("larger than 16 MiB"));
}

TEST_F(command_check, several_entities_are_named) {
    schema = tablemap.file("two.json", R"({"entities": {
        "person": {"properties": {"office": "string", "number": "int32", "age": "int32"},
                   "partition_key": [{"member": "office"}], "row_key": ["id_", {"member": "number"}]},
        "office": {"properties": {"name": "string", "age": "uint8"},
                   "partition_key": [{"member": "name"}], "row_key": ["office"]},
        "room": {"table": "Rooms", "properties": {"name": "string"},
                 "partition_key": [{"member": "name"}], "row_key": ["room"]}}})");
    insert("office", std::int32_t{100});
    EXPECT_THAT(check({"--entity", "person"}).out, HasSubstr("the keys are those of no entity, in 1 row"));
    auto const r = tablemap({"check", "--entity", "person", "--entity", "office", "People", "--schema", schema});
    EXPECT_EQ(r.code, command::done) << r.error;
    EXPECT_EQ(r.out, "People: note: person: 3 rows\nPeople: note: office: 1 row\n");
    EXPECT_EQ(check().out, r.out);
}

TEST_F(command_check, entity_is_named_for_a_table_that_the_schema_does_not_know) {
    auto const others = tablemap.rows("People2023");
    others.insert({"Sales", "id_1"});
    EXPECT_THAT(tablemap({"check", "People2023", "--schema", schema}).error, HasSubstr("name one with --entity"));
    EXPECT_EQ(tablemap({"check", "People2023", "--schema", schema, "--entity", "person"}).code, command::done);
    EXPECT_THAT(check({"--entity", "persons"}).error, HasSubstr("did you mean 'person'?"));
}

}  // namespace
}  // namespace tablemap::test

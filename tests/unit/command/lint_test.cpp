// SPDX-License-Identifier: Apache-2.0
#include "unit/command/command_line.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tablemap::test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

class command_lint : public ::testing::Test {
protected:
    command_lint() {
        for (int i = 0; i < 3; ++i) insert("p" + std::to_string(i), "Age", std::int32_t{30});
    }

    template <class V> void insert(std::string const& partition, std::string const& property, V value) {
        dynamic_entity e{partition, "r"};
        e.set(property, value);
        people.insert(e);
    }

    command_file const tablemap{};
    table<dynamic_entity> people = tablemap.rows();
};

TEST_F(command_lint, table_without_findings_is_fine) {
    auto const r = tablemap({"lint"});
    EXPECT_EQ(r.code, command::done) << r.error;
    EXPECT_EQ(r.out, "");
    EXPECT_EQ(r.error, "1 table: 0 warnings, 0 hints\n");
}

TEST_F(command_lint, property_of_several_types_is_a_warning) {
    insert("q", "Age", "thirty");
    auto const r = tablemap({"lint", "People"});
    EXPECT_EQ(r.code, command::no);
    EXPECT_EQ(
        r.out,
        "People: warning: the property Age has several types (Int32 in 3 rows, String in 1 row); rewrite the rows "
        "of the rarer ones\n");
}

TEST_F(command_lint, names_that_differ_in_case_are_a_warning) {
    insert("q", "age", std::int32_t{1});
    auto const r = tablemap({"lint"});
    EXPECT_EQ(r.code, command::no);
    EXPECT_THAT(r.out, HasSubstr("the properties Age and age differ only in the case of letters"));
}

TEST_F(command_lint, value_near_a_limit_is_a_hint_and_closer_a_warning) {
    insert("q", "Note", std::string(25'000, 'x'));
    auto const hint = tablemap({"lint"});
    EXPECT_EQ(hint.code, command::done);
    EXPECT_THAT(hint.out, StartsWith("People: hint: a text of the property Note has 25,000 of the 32,768 characters"));
    insert("r", "Note", std::string(32'000, 'x'));
    auto const warning = tablemap({"lint"});
    EXPECT_EQ(warning.code, command::no);
    EXPECT_THAT(warning.out, HasSubstr("warning: a text of the property Note has 32,000 of"));
}

TEST_F(command_lint, hints_fail_if_told) {
    insert("q", "Picture", bytes(50'000));
    EXPECT_EQ(tablemap({"lint"}).code, command::done);
    EXPECT_EQ(tablemap({"lint", "--hints-fail"}).code, command::no);
}

TEST_F(command_lint, long_keys_are_found) {
    people.insert({std::string(500, 'k'), std::string(400, 'r')});
    auto const r = tablemap({"lint"});
    EXPECT_THAT(r.out, HasSubstr("warning: a partition key has 500 of the 512 characters"));
    EXPECT_THAT(r.out, HasSubstr("hint: a row key has 400 of the 512 characters"));
}

TEST_F(command_lint, large_row_is_named_by_its_partition) {
    dynamic_entity large{"big", "r"};
    for (int i = 0; i < 15; ++i) large.set("p" + std::to_string(i), std::string(30'000, 'x'));
    people.insert(large);
    auto const r = tablemap({"lint"});
    EXPECT_THAT(r.out, HasSubstr("the largest row has 900,"));
    EXPECT_THAT(r.out, HasSubstr("(partition 'big')"));
}

TEST_F(command_lint, row_of_many_properties_is_found) {
    dynamic_entity wide{"w", "r"};
    for (int i = 0; i < 245; ++i) wide.set("p" + std::to_string(i), i);
    people.insert(wide);
    EXPECT_THAT(tablemap({"lint"}).out, HasSubstr("warning: a row has 245 of the 252 properties"));
}

TEST_F(command_lint, rows_without_the_type_property_are_found) {
    insert("q", "EntityType", "person");
    EXPECT_THAT(tablemap({"lint"}).out, HasSubstr("hint: 3 rows lack the property EntityType"));
    auto const given = tablemap({"lint", "--type-property", "Kind"});
    EXPECT_EQ(given.code, command::no);
    EXPECT_THAT(given.out, HasSubstr("warning: 4 rows lack the property Kind"));
}

TEST_F(command_lint, constant_partition_key_is_found) {
    for (int i = 0; i < 200; ++i) people.insert({"all", std::to_string(i)});
    auto const r = tablemap({"lint", "--output", "jsonl"});
    EXPECT_THAT(r.out,
                StartsWith("{\"table\":\"People\",\"level\":\"warning\",\"rule\":\"hot_partition\",\"text\":\""));
}

TEST_F(command_lint, lines_of_json_hold_hostile_text) {
    dynamic_entity hostile{"a\"b", "r"};
    for (int i = 0; i < 15; ++i) hostile.set("p" + std::to_string(i), std::string(30'000, 'x'));
    people.insert(hostile);
    EXPECT_THAT(tablemap({"lint", "--output", "jsonl"}).out, HasSubstr("\"partition_key\":\"a\\\"b\""));
    EXPECT_EQ(tablemap({"lint", "--output", "xml"}).code, command::usage);
}

TEST_F(command_lint, rows_of_no_entity_of_a_schema_are_found) {
    auto const schema = tablemap.file("s.json", R"({"entities": {"person": {"table": "People",
        "properties": {"office": "string", "Age": "int32"},
        "partition_key": [{"member": "office"}], "row_key": ["r"]}}})");
    static_cast<void>(tablemap.rows("Others").insert({"a", "b"}));
    EXPECT_EQ(tablemap({"lint", "--schema", schema}).code, command::done);
    people.insert({"a", "b"});
    auto const r = tablemap({"lint", "--schema", schema});
    EXPECT_EQ(r.code, command::no);
    EXPECT_EQ(r.out, "People: warning: 1 row is of no entity of the schema; the command check tells which\n");
    EXPECT_EQ(tablemap({"lint", "--schema", "nowhere"}).code, command::usage);
}

TEST_F(command_lint, rows_that_an_entity_of_a_schema_cannot_read_are_found) {
    auto const schema = tablemap.file("s.json", R"({"entities": {"person": {"table": "People",
        "properties": {"office": "string", "Age": "guid"}, "partition_key": [{"member": "office"}], "row_key": ["r"]}}})");
    auto const r = tablemap({"lint", "--schema", schema, "--output", "jsonl"});
    EXPECT_EQ(r.code, command::no);
    EXPECT_THAT(r.out, HasSubstr(R"("rule":"schema","entity":"person","member":"Age","rows":3,"text":"person.Age: )"));
    EXPECT_THAT(tablemap({"lint", "--schema", schema}).out, HasSubstr("(first: partition 'p0')"));
}

TEST_F(command_lint, schema_of_other_tables_is_reported) {
    auto const schema = tablemap.file("s.json", R"({"entities": {"person": {"table": "Elsewhere",
        "properties": {"office": "string"}, "partition_key": [{"member": "office"}], "row_key": ["r"]}}})");
    auto const named = tablemap({"lint", "People", "--schema", schema});
    EXPECT_EQ(named.code, command::usage);
    EXPECT_THAT(named.error, HasSubstr("names none of these tables"));
    auto const all = tablemap({"lint", "--schema", schema});
    EXPECT_EQ(all.code, command::no);
    EXPECT_THAT(all.out, HasSubstr("Elsewhere: warning: the schema names this table, which the store does not have"));
}

TEST_F(command_lint, given_table_that_the_schema_does_not_name_is_noted) {
    static_cast<void>(tablemap.rows("Others"));
    auto const schema = tablemap.file("s.json", R"({"entities": {"person": {"table": "Others",
        "properties": {"office": "string"}, "partition_key": [{"member": "office"}], "row_key": ["r"]}}})");
    auto const r = tablemap({"lint", "Others", "People", "--schema", schema});
    EXPECT_EQ(r.code, command::done) << r.out;
    EXPECT_THAT(r.error, HasSubstr("People: the schema does not name the table"));
}

TEST_F(command_lint, schema_without_tables_is_refused) {
    auto const r = tablemap({"lint", "--schema", tablemap.file("s.json", R"({"entities": {}})")});
    EXPECT_EQ(r.code, command::usage);
    EXPECT_THAT(r.error, HasSubstr("names no table"));
}

TEST_F(command_lint, part_of_a_table_is_noted) {
    auto const r = tablemap({"lint", "--rows", "2"});
    EXPECT_THAT(r.error,
                HasSubstr("People: the first 2 rows were read, and a sample of the others; --exact reads all"));
    EXPECT_THAT(tablemap({"lint", "--exact"}).error, Not(HasSubstr("were read")));
}

TEST_F(command_lint, table_that_is_not_there_fails) {
    auto const r = tablemap({"lint", "Nobody"});
    EXPECT_EQ(r.code, command::failed);
    EXPECT_THAT(r.error, HasSubstr("Nobody"));
}

}  // namespace
}  // namespace tablemap::test

// SPDX-License-Identifier: Apache-2.0
#include "inspect/infer_schema.hpp"
#include "inspect/schema_check.hpp"

#include "codegen/front_end.hpp"
#include "codegen/write_schema.hpp"
#include "tablemap/mapping/dynamic.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace tablemap::test {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

using named_values = std::vector<std::pair<std::string, property_value>>;

dynamic_entity made_row(std::string partition, std::string key, named_values const& values) {
    dynamic_entity row{std::move(partition), std::move(key)};
    for (auto const& [name, value] : values) row.set_value(name, value);
    return row;
}

class inferred_schema : public ::testing::Test {
protected:
    void add(std::string partition, std::string key, named_values const& values) {
        rows.push_back(made_row(std::move(partition), std::move(key), values));
    }

    /// The schema as text, which the generator accepts.
    std::string text(inspect::inference_options const& how = {}, bool complete = true) {
        inspect::row_survey survey{{}};
        for (auto const& row : rows) survey.add(row);
        auto surveyed = survey.finish(complete);
        surveyed.table = "People";
        auto const made = inspect::infer_schema(surveyed, how);
        warnings = made.warnings;
        auto json = codegen::write_schema(made.schema);
        codegen::fault_list faults;
        static_cast<void>(codegen::read_schema(json, faults));
        EXPECT_TRUE(faults.empty()) << codegen::describe(faults.sorted(), json);
        return json;
    }

    /// Expects that the structs of the schema read every row.
    void expect_all_read(std::string const& json) const {
        inspect::schema_check check{{json, "inferred.json"}, "People", {}};
        for (auto const& row : rows) check.add(row);
        auto const report = check.finish();
        EXPECT_FALSE(report.has_error()) << report.drifts.front().what;
        for (auto const& e : report.entities) EXPECT_GT(e.rows, 0u) << e.name;
    }

    std::vector<dynamic_entity> rows{};
    std::vector<std::string> warnings{};
};

TEST_F(inferred_schema, property_that_some_rows_lack_is_nullable) {
    add("Sales", "212", {{"Name", "Don"}, {"Age", 30}});
    add("Audit", "17", {{"Name", "Ken"}});
    auto const json = text();
    EXPECT_THAT(json, HasSubstr("\"Name\": \"string\",\n"));
    EXPECT_THAT(json, HasSubstr("\"Age\": {\"type\": \"int32\", \"nullable\": true}"));
    EXPECT_THAT(json, HasSubstr("\"row_key\": [{\"member\": \"number\"}]"));
    EXPECT_THAT(warnings, IsEmpty());
}

TEST_F(inferred_schema, wider_type_reads_narrower_values) {
    add("p", "a", {{"x", 1}, {"y", 1}});
    add("p", "b", {{"x", std::int64_t{1}}, {"y", 0.5}});
    auto const json = text();
    EXPECT_THAT(json, HasSubstr("\"x\": \"int64\""));
    EXPECT_THAT(json, HasSubstr("\"y\": \"double\""));
}

TEST_F(inferred_schema, property_of_several_types_is_among_the_extras) {
    add("p", "a", {{"x", 1}});
    add("p", "b", {{"x", "one"}});
    EXPECT_THAT(text(), HasSubstr("\"extras\": {\n"));
    EXPECT_THAT(warnings, ElementsAre(HasSubstr("x has several types: Edm.String in 1 row, Edm.Int32 in 1 row;")));
}

TEST_F(inferred_schema, names_that_cpp_does_not_take_are_stored_names) {
    add("p", "a", {{"class", 1}, {"people", 1}, {"_id", 1}, {"partition", 1}});
    auto const json = text();
    EXPECT_THAT(json, HasSubstr("\"class_\": {\"type\": \"int32\", \"name\": \"class\"}"));
    EXPECT_THAT(json, HasSubstr("\"people_\": {\"type\": \"int32\", \"name\": \"people\"}"));
    EXPECT_THAT(json, HasSubstr("\"id\": {\"type\": \"int32\", \"name\": \"_id\"}"));
    EXPECT_THAT(json, HasSubstr("\"partition\": \"int32\""));
    EXPECT_THAT(json, HasSubstr("\"partition_key\": [{\"member\": \"partition_2\"}]"));
}

TEST_F(inferred_schema, kinds_are_entities_of_their_own) {
    add("p", "employee_000001", {{"EntityType", "employee"}, {"Name", "Don"}});
    add("p", "department", {{"EntityType", "department"}, {"Budget", 5}});
    auto const json = text({.space = "hr"});
    EXPECT_THAT(json, HasSubstr("\"namespace\": \"hr\""));
    EXPECT_THAT(json, HasSubstr("\"discriminator\": {\"property\": \"EntityType\", \"value\": \"employee\"}"));
    EXPECT_THAT(json, HasSubstr("\"row_key\": [\"employee_\", {\"member\": \"number\", \"width\": 6}]"));
    EXPECT_THAT(json, Not(HasSubstr("\"EntityType\": ")));
}

TEST_F(inferred_schema, kinds_without_a_type_are_told_by_their_row_keys) {
    add("p", "order_1", {{"Customer", "Don"}, {"Total", 5}});
    add("p", "line_1", {{"Article", "ladder"}});
    auto const json = text({.name = "shop"});
    EXPECT_THAT(json, HasSubstr("\"shop_order\": {"));
    EXPECT_THAT(json, HasSubstr("\"row_key\": [\"line_\", {\"member\": \"line\"}]"));
}

TEST_F(inferred_schema, rows_of_indexes_are_left_out) {
    add("p", "id_000001", {{"EntityType", "employee"}, {"Name", "Don"}});
    add("p", "name_Don !_id_000001", {{"EntityType", "employee_index"}, {"Name", "Don"}});
    EXPECT_THAT(text(), HasSubstr("\"row_key\": [\"id_\", {\"member\": \"id\", \"width\": 6}]"));
    EXPECT_THAT(warnings, ElementsAre(HasSubstr("1 row of the index 'name_' of employee is left out")));
}

TEST_F(inferred_schema, rows_of_indexes_without_a_type_are_left_out) {
    add("p", "id_000001", {{"Name", "Don"}});
    add("p", "name_Don !_id_000001", {{"Name", "Don"}, {"id", 1}});
    auto const json = text();
    EXPECT_THAT(json, HasSubstr("\"people\": {"));
    EXPECT_THAT(json, Not(HasSubstr("name_")));
    EXPECT_THAT(warnings, ElementsAre(HasSubstr("1 row of the index 'name_' of id_ is left out")));
}

TEST_F(inferred_schema, type_that_most_rows_lack_tells_no_kinds) {
    for (int i = 1'000; i < 1'100; ++i) add("p", "order-" + std::to_string(i), {{"Amount", i}});
    add("p", "order-1100", {{"Amount", 5}, {"EntityType", "order"}});
    auto const json = text();
    EXPECT_THAT(json, HasSubstr("Inferred from 101 rows"));
    EXPECT_THAT(json, HasSubstr("\"EntityType\": {\"type\": \"string\", \"nullable\": true}"));
    EXPECT_THAT(warnings, IsEmpty());
    expect_all_read(json);
}

TEST_F(inferred_schema, rows_that_nothing_tells_apart_are_left_out) {
    add("p", "1", {{"EntityType", "employee"}});
    add("p", "2", {});
    EXPECT_THAT(text(), Not(HasSubstr("\"people\"")));
    EXPECT_THAT(warnings, ElementsAre(HasSubstr("1 row like that of the keys 'p', '2' is left out")));
}

TEST_F(inferred_schema, parts_of_wide_entities_are_named_so) {
    add("p", "1", {{"Name", "Don"}, {"WideRow01", std::string(32, 'a')}});
    add("p", "1  01", {{"Notes", "none"}, {"WideRow01", std::string(32, 'a')}});
    expect_all_read(text());
    EXPECT_THAT(warnings, ElementsAre(HasSubstr("the rows of people are parts of wide entities")));
}

TEST_F(inferred_schema, parts_of_entities_wider_than_a_struct_are_named_so) {
    named_values many;
    for (int i = 0; i < 200; ++i) many.emplace_back("x" + std::to_string(i), 1);
    many.emplace_back("WideRow01", std::string(32, 'a'));
    add("p", "1", many);
    expect_all_read(text());
    EXPECT_THAT(warnings, Contains(HasSubstr("the rows of people are parts of wide entities")));
}

TEST_F(inferred_schema, rows_that_are_left_out_are_counted_for_people) {
    add("p", "1", {});
    for (int i = 0; i < 1'000; ++i) add("p", "~outbox_" + std::to_string(i), {});
    text();
    EXPECT_THAT(warnings, ElementsAre(HasSubstr("1,000 rows of the kind 'rows of the outbox' are left out")));
}

TEST_F(inferred_schema, part_of_a_key_that_is_stored_too_is_one_member) {
    add("p", "id_17", {{"id", 17}});
    add("p", "id_18", {{"id", 18}});
    auto const json = text();
    EXPECT_THAT(json, HasSubstr("\"row_key\": [\"id_\", {\"member\": \"id\", \"also_stored\": true}]"));
    EXPECT_THAT(json, HasSubstr("{\"partition\": \"string\", \"id\": \"int32\"}"));
}

TEST_F(inferred_schema, few_texts_are_an_enum_only_if_told) {
    for (int i = 0; i < 30; ++i) add("p", std::to_string(i), {{"level", i % 2 == 0 ? "junior" : "senior"}});
    EXPECT_THAT(text(), HasSubstr("Perhaps an enum; the texts are junior, senior."));
    auto const json = text({.enums = true});
    EXPECT_THAT(json, HasSubstr("\"people_level\": {\"stored\": \"by_name\", \"values\": [\"junior\", \"senior\"]}"));
    EXPECT_THAT(json, HasSubstr("\"level\": \"people_level\""));
}

TEST_F(inferred_schema, rows_that_were_not_read_are_mentioned) {
    add("p", "1", {});
    EXPECT_THAT(text({}, false), HasSubstr("The table has more rows"));
}

TEST_F(inferred_schema, struct_has_at_most_a_hundred_members) {
    named_values many;
    for (int i = 0; i < 200; ++i) many.emplace_back("x" + std::to_string(i), 1);
    add("p", "1", many);
    EXPECT_THAT(text(), HasSubstr("are beyond the members that a struct may have"));
    EXPECT_THAT(warnings, ElementsAre(HasSubstr("more) are beyond the members that a struct may have")));
}

TEST_F(inferred_schema, constant_keys_without_properties_have_a_member) {
    add("", "", {});
    EXPECT_THAT(text(), HasSubstr("\"partition_key\": [\"\"]"));
}

TEST_F(inferred_schema, hostile_names_and_values_are_data) {
    add("\"}]", "\\u0000", {{"EntityType", "\"; system(1); //"}, {"operator", "x"}, {"a\xC3\xBC", "\n"}});
    EXPECT_THAT(text(), HasSubstr("\"value\": \"\\\"; system(1); //\""));
}

TEST_F(inferred_schema, types_that_end_like_versions_are_read_back) {
    for (int i = 0; i < 9; ++i) {
        std::string const version = i % 3 == 0 ? "" : "_v" + std::to_string(1 + i % 3);
        add("p" + std::to_string(i), "r" + std::to_string(i), {{"EntityType", "employee" + version}});
    }
    auto const json = text();
    EXPECT_THAT(json, HasSubstr("\"employee_v3\""));
    expect_all_read(json);
}

TEST_F(inferred_schema, property_named_like_a_text_of_the_keys_is_renamed) {
    for (int i = 0; i < 5; ++i) add("user" + std::to_string(i), "profile", {{"profile", 7 * i + 10}});
    auto const json = text();
    EXPECT_THAT(json, HasSubstr("\"profile_\": {\"type\": \"int32\", \"name\": \"profile\"}"));
    EXPECT_THAT(json, HasSubstr("\"row_key\": [\"profile\"]"));
    expect_all_read(json);
}

TEST_F(inferred_schema, text_that_a_key_escapes_is_no_enum) {
    char const* const departments[] = {"sales", "audit", "legal"};
    for (int i = 0; i < 30; ++i) {
        std::string const dep = departments[i % 3];
        add("p" + std::to_string(10 + i), dep + " !_" + std::to_string(100 + i), {{"Dep", dep}});
    }
    auto const json = text({.enums = true});
    EXPECT_THAT(json, HasSubstr("\"Dep\": "));
    EXPECT_THAT(json, Not(HasSubstr("\"stored\": \"by_name\"")));
    expect_all_read(json);
}

TEST_F(inferred_schema, text_that_the_generator_uses_is_no_enumerator) {
    for (int i = 0; i < 30; ++i) add("p", std::to_string(i), {{"level", i % 2 == 0 ? "names_" : "senior"}});
    EXPECT_THAT(text({.enums = true}), Not(HasSubstr("\"by_name\"")));
}

TEST_F(inferred_schema, empty_key_behind_the_rows_that_are_kept_may_be_empty) {
    for (int i = 0; i < 20'005; ++i) add("A", "n" + std::to_string(100'000 + i) + (i % 2 == 0 ? "x" : ""), {});
    add("B", "", {});
    auto const json = text();
    EXPECT_THAT(json, HasSubstr("\"may_be_empty\": true"));
    expect_all_read(json);
}

TEST_F(inferred_schema, kind_named_like_the_repository_of_another_is_described) {
    add("p", "a", {{"EntityType", "order_repository"}});
    add("p", "b", {{"EntityType", "order_repository"}});
    add("p", "c", {{"EntityType", "order"}});
    auto const json = text();
    EXPECT_THAT(json, HasSubstr("\"value\": \"order\""));
    expect_all_read(json);
}

TEST_F(inferred_schema, rows_whose_type_no_schema_names_are_left_out) {
    add("p", "a", {{"EntityType", "order"}});
    add("p", "b", {{"EntityType", "order"}});
    add("p", "c", {{"EntityType", std::string{"a\0b", 3}}});
    EXPECT_THAT(text(), HasSubstr("\"value\": \"order\""));
    EXPECT_THAT(warnings, ElementsAre(HasSubstr("1 row whose type holds the character U+0000 is left out")));
}

TEST_F(inferred_schema, odd_row_is_left_out_and_spoils_nothing) {
    for (int i = 100; i < 160; ++i) add("p", std::to_string(i), {{"celsius", 0.5 * i}});
    add("mark", "mark", {{"id", std::string{"a"}}});
    EXPECT_THAT(text(), HasSubstr("\"celsius\": \"double\""));
    EXPECT_THAT(warnings, ElementsAre(HasSubstr("1 row like that of the keys 'mark', 'mark' is left out")));
}

TEST_F(inferred_schema, keys_whose_parts_the_generator_refuses_are_texts) {
    inspect::row_kind kind;
    kind.rows = 1;
    kind.examples.push_back({"p", "17b"});
    inspect::key_shape_part number, rest;
    number.kind = inspect::value_kind::int64;
    rest.kind = inspect::value_kind::text;
    kind.keys = {{rest}, {number, rest}};
    inspect::table_survey const survey{.table = "People", .complete = true, .rows = 1, .kinds = {kind}};
    auto const made = inspect::infer_schema(survey, {});
    EXPECT_THAT(codegen::write_schema(made.schema), HasSubstr("\"row_key\": [{\"member\": \"row\"}]"));
    EXPECT_THAT(made.warnings, ElementsAre(HasSubstr("are read as text, because the generator refuses their parts")));
}

TEST_F(inferred_schema, type_that_ends_like_that_of_an_index_is_an_entity_if_it_has_no_owner) {
    add("p", "a_1", {{"EntityType", "search_index"}});
    add("p", "b_2", {{"EntityType", "search_index"}});
    auto const json = text();
    EXPECT_THAT(json, HasSubstr("\"value\": \"search_index\""));
    EXPECT_THAT(warnings, IsEmpty());
    expect_all_read(json);
}

}  // namespace
}  // namespace tablemap::test

// SPDX-License-Identifier: Apache-2.0
#include "cases.hpp"
#include "docs/page_table.hpp"
#include "types.hpp"
#include "vocabulary.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <set>

namespace tablemap::codegen {
namespace {

using nlohmann::json;
using words_set = std::set<std::string>;

/// The schema for editors has to describe the language that the front end reads.
json const& json_schema() {
    static auto const all = json::parse(tablemap::test::read_text(TABLEMAP_CODEGEN_SCHEMA));
    return all;
}

json const& definition_of(std::string const& kind) {
    return kind == "schema" ? json_schema() : json_schema().at("definitions").at(kind);
}

words_set keys_of(json const& object) {
    words_set keys;
    for (auto const& [key, value] : object.items()) keys.insert(key);
    return keys;
}

words_set enum_of(json const& property) { return property.at("enum").get<words_set>(); }

words_set as_set(word_list const& list) { return {list.begin(), list.end()}; }

TEST(vocabulary, has_the_keys_of_the_json_schema) {
    for (auto const* kind : object_kinds()) {
        auto const& definition = definition_of(std::string{kind->name});
        EXPECT_EQ(keys_of(definition.at("properties")), as_set(kind->keys)) << kind->name;
        EXPECT_EQ(definition.at("additionalProperties"), false) << kind->name;
    }
}

TEST(vocabulary, has_the_words_of_the_json_schema) {
    auto const property = [](std::string const& kind, char const* key) {
        return definition_of(kind).at("properties").at(key);
    };
    EXPECT_EQ(enum_of(property("property", "type").at("anyOf")[0]), as_set(words().types));
    EXPECT_EQ(enum_of(property("enum", "stored")), as_set(words().stored));
    EXPECT_EQ(enum_of(property("query", "rows")), as_set(words().rows));
    EXPECT_EQ(enum_of(property("query", "returns")), as_set(words().returns));
    EXPECT_EQ(enum_of(property("condition", "op")), as_set(words().comparisons));
    EXPECT_EQ(enum_of(property("entity", "unknown_columns")), as_set(words().unknown_columns));
}

TEST(vocabulary, every_key_is_described_for_editors) {
    for (auto const* kind : object_kinds())
        for (auto const& [key, value] : definition_of(std::string{kind->name}).at("properties").items())
            EXPECT_TRUE(value.contains("description") || value.contains("$ref")) << kind->name << "." << key;
}

TEST(vocabulary, knows_what_types_are_called_elsewhere) {
    auto const suggested = [](char const* found) { return suggested_type(found, words().types); };
    EXPECT_EQ(suggested("int"), "; did you mean 'int32'?");
    EXPECT_EQ(suggested("Text"), "; did you mean 'string'?");
    EXPECT_EQ(suggested("Edm.DateTime"), "; did you mean 'datetime'?");
    EXPECT_EQ(suggested("int32_t"), "; did you mean 'int32'?");
    EXPECT_EQ(suggested("duble"), "; did you mean 'double'?");
    EXPECT_EQ(suggested("int32?"), "; add \"nullable\": true to the property, and name the type 'int32'");
    EXPECT_EQ(suggested("std::optional<std::int16_t>"),
              "; add \"nullable\": true to the property, and name the type 'int16'");
    EXPECT_EQ(suggested("acme::size?"), "; add \"nullable\": true to the property, and name the type alone");
}

// ---- the page -------------------------------------------------------------------------------------------------------

words_set listed_on_page(std::string_view table) {
    words_set words;
    for (auto const& row : tablemap::test::page_table("generator.md", table)) words.insert(row.front());
    return words;
}

TEST(vocabulary, has_the_keys_of_the_page) {
    for (auto const* kind : object_kinds()) EXPECT_EQ(listed_on_page(kind->name), as_set(kind->keys)) << kind->name;
}

TEST(vocabulary, has_the_words_of_the_page) {
    EXPECT_EQ(listed_on_page("types"), as_set(words().types));
    EXPECT_EQ(listed_on_page("rows"), as_set(words().rows));
    EXPECT_EQ(listed_on_page("returns"), as_set(words().returns));
}

TEST(vocabulary, has_the_cpp_types_of_the_page) {
    schema const none;
    for (auto const& row : tablemap::test::page_table("generator.md", "types"))
        EXPECT_EQ(find_type(none, row[0]).cpp, row[1]) << row[0];
}

}  // namespace
}  // namespace tablemap::codegen

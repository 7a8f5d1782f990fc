// SPDX-License-Identifier: Apache-2.0
#include "json_tree.hpp"

#include <gtest/gtest.h>

namespace tablemap::codegen {
namespace {

json_node read(std::string_view text) {
    fault_list faults;
    auto node = read_json(text, faults);
    EXPECT_TRUE(faults.empty()) << describe(faults.sorted(), "json");
    return node.value_or(json_node{});
}

fault read_fault(std::string_view text) {
    fault_list faults;
    EXPECT_FALSE(read_json(text, faults));
    EXPECT_EQ(faults.size(), 1U);
    return faults.empty() ? fault{} : faults.sorted().front();
}

TEST(json_tree, knows_where_values_and_keys_begin) {
    auto const root = read("{\n  \"a\": [1,\n    \"x\"],  \"b\" : {}\n}");
    auto const& members = *root.as<json_node::object>();
    EXPECT_EQ(root.at, (place{1, 1}));
    EXPECT_EQ(members[0].at, (place{2, 3}));
    EXPECT_EQ(members[0].value.at, (place{2, 8}));
    EXPECT_EQ((*members[0].value.as<json_node::array>())[1].at, (place{3, 5}));
    EXPECT_EQ(members[1].at, (place{3, 12}));
    EXPECT_EQ(members[1].value.at, (place{3, 18}));
}

TEST(json_tree, counts_columns_in_characters) {
    auto const root = read("{\"größe\": 1, \"x\": 2}");
    EXPECT_EQ((*root.as<json_node::object>())[1].at, (place{1, 14}));
}

TEST(json_tree, keeps_the_kinds_of_values) {
    auto const root = read(R"([null, true, -5, 0.5, 1e3, "a\u0041\n", 9223372036854775807])");
    auto const& all = *root.as<json_node::array>();
    EXPECT_NE(all[0].as<std::nullptr_t>(), nullptr);
    EXPECT_TRUE(*all[1].as<bool>());
    EXPECT_EQ(*all[2].as<std::int64_t>(), -5);
    EXPECT_EQ(*all[3].as<double>(), 0.5);
    EXPECT_EQ(*all[4].as<double>(), 1000.0);
    EXPECT_EQ(*all[5].as<std::string>(), "aA\n");
    EXPECT_EQ(*all[6].as<std::int64_t>(), INT64_MAX);
}

TEST(json_tree, says_what_a_value_is) {
    auto const root = read(R"(["x", 1.50, {}, [], null, false])");
    std::vector<std::string> found;
    for (auto const& each : *root.as<json_node::array>()) found.push_back(each.describe());
    EXPECT_EQ(found,
              (std::vector<std::string>{"the text 'x'", "the number 1.50", "an object", "an array", "null", "false"}));
}

TEST(json_tree, reads_documents_of_one_value) {
    EXPECT_EQ(*read("5").as<std::int64_t>(), 5);
    EXPECT_EQ(*read(" \"x\" ").as<std::string>(), "x");
}

TEST(json_tree, says_where_text_is_no_json) {
    EXPECT_EQ(read_fault("{\"a\": 1,\n \"b\" 2}").at.line, 2U);
    EXPECT_EQ(read_fault("[1, tru]").at, (place{1, 5}));
    EXPECT_EQ(read_fault("").at, (place{1, 1}));
    EXPECT_EQ(read_fault("{} {}").at, (place{1, 4}));
    EXPECT_EQ(read_fault("[\"a\xFF\"]").at.line, 1U);
}

TEST(json_tree, refuses_what_is_nested_beyond_reason) {
    EXPECT_NE(read_fault(std::string(100, '[') + std::string(100, ']')).text.find("nested too deeply"),
              std::string::npos);
}

TEST(json_tree, keeps_the_first_of_two_members) {
    fault_list faults;
    auto const root = read_json("{\"a\": 1, \"a\": 2}", faults);
    ASSERT_TRUE(root);
    EXPECT_EQ(root->as<json_node::object>()->size(), 1U);
    EXPECT_EQ(faults.sorted().front().at, (place{1, 10}));
}

}  // namespace
}  // namespace tablemap::codegen

// SPDX-License-Identifier: Apache-2.0
#include "json_tree.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <string>

namespace tablemap::codegen {
namespace {

json_node read(std::string_view text) {
    fault_list faults;
    auto node = read_json(text, faults);
    EXPECT_TRUE(faults.empty()) << describe(faults.sorted(), "json");
    return node.value_or(json_node{});
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

TEST(json_tree, reads_what_begins_with_a_byte_order_mark) { EXPECT_EQ(read("\xEF\xBB\xBF{}").at, (place{1, 1})); }

TEST(json_tree, keeps_the_first_of_two_members) {
    fault_list faults;
    auto const root = read_json("{\"a\": 1, \"a\": 2}", faults);
    ASSERT_TRUE(root);
    EXPECT_EQ(root->as<json_node::object>()->size(), 1U);
    EXPECT_EQ(faults.sorted().front().at, (place{1, 10}));
}

/// An object of this many members in one line.
std::string wide_object(int members, std::string const& key) {
    std::string json = "{";
    for (int i = 0; i < members; ++i)
        json += (i == 0 ? "\"" : ",\"") + key + (key.empty() ? std::to_string(i) : "") + "\":1";
    return json + "}";
}

TEST(json_tree, takes_linear_time_for_wide_objects_in_one_line) {
    auto const begin = std::chrono::steady_clock::now();
    auto const root = read(wide_object(50'000, ""));
    EXPECT_EQ(root.as<json_node::object>()->size(), 50'000U);
    fault_list faults;
    static_cast<void>(read_json(wide_object(50'000, "key"), faults));
    EXPECT_EQ(faults.sorted().size(), 49'999U);
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds{10});
}

}  // namespace
}  // namespace tablemap::codegen

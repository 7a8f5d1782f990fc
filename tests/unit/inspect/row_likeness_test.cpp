// SPDX-License-Identifier: Apache-2.0
#include "inspect/row_likeness.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace tablemap::test {
namespace {

using rows = std::vector<dynamic_entity>;

/// A row with these properties, each of which is its own name.
dynamic_entity row_with(std::string key, std::vector<std::string> const& names) {
    dynamic_entity row{"p", std::move(key)};
    for (auto const& n : names) row.set(n, n);
    return row;
}

dynamic_entity typed(std::string const& property, std::string const& type, std::vector<std::string> const& names) {
    auto row = row_with("r", names);
    row.set(property, type);
    return row;
}

bool tell_kinds(rows const& all) { return inspect::find_beginnings(all, "").tell_kinds; }

TEST(row_likeness, usual_name_tells_kinds) {
    EXPECT_EQ(inspect::find_telling_property({typed("EntityType", "a", {"x"}), typed("EntityType", "b", {"x"})}),
              "EntityType");
    EXPECT_EQ(inspect::find_telling_property({row_with("r", {"x"})}), "");
}

TEST(row_likeness, type_of_the_data_tells_no_kinds) {
    EXPECT_EQ(inspect::find_telling_property({typed("Type", "a", {"x", "y"}), typed("Type", "b", {"x", "y"})}), "");
    EXPECT_EQ(inspect::find_telling_property({typed("Type", "a", {"x", "y"}), typed("Type", "b", {"z"})}), "Type");
}

TEST(row_likeness, name_that_most_rows_lack_tells_no_kinds) {
    rows all{row_with("r", {"x"}), row_with("s", {"x"}), typed("EntityType", "a", {"x"})};
    EXPECT_EQ(inspect::find_telling_property(all), "");
    all.push_back(typed("EntityType", "a_index", {"x"}));
    all.push_back(row_with("t", {"x"}));
    EXPECT_EQ(inspect::find_telling_property(all), "EntityType");
}

TEST(row_likeness, index_rows_tell_the_property) {
    EXPECT_EQ(inspect::find_telling_property({typed("What", "a", {"x"}), typed("What", "a_index", {"x"})}), "What");
}

TEST(row_likeness, beginning_is_a_word_with_its_separator) {
    EXPECT_EQ(inspect::beginning_of("empid_000212"), "empid_");
    EXPECT_EQ(inspect::beginning_of("a__b"), "a__");
    EXPECT_EQ(inspect::beginning_of("department"), "department");
    for (auto const* none : {"", "17", "_a", "k17", "\xC3\xBC_a"}) EXPECT_EQ(inspect::beginning_of(none), "") << none;
}

TEST(row_likeness, beginnings_tell_rows_with_other_properties) {
    EXPECT_TRUE(tell_kinds({row_with("a_1", {"x", "y"}), row_with("b_1", {"z"})}));
    EXPECT_FALSE(tell_kinds({row_with("a_1", {"x", "y"}), row_with("b_1", {"x", "y"})}));
    EXPECT_FALSE(tell_kinds({row_with("a_1", {"x", "y"}), row_with("7", {"z"})}));
    EXPECT_FALSE(tell_kinds({row_with("a", {"x", "y"}), row_with("a_1", {"z"})}));
}

TEST(row_likeness, row_without_a_beginning_does_not_join_the_kinds_of_others) {
    rows all;
    for (int i = 0; i < 8; ++i) all.push_back(row_with((i % 2 == 0 ? "a_" : "b_") + std::to_string(i), {"x", "y"}));
    all.push_back(row_with("c", {"z"}));
    EXPECT_TRUE(tell_kinds(all));
    all.push_back(row_with("7", {"z"}));
    EXPECT_TRUE(tell_kinds(all));
    all.push_back(row_with("8", {"z"}));
    EXPECT_FALSE(tell_kinds(all));
}

rows numbered_rows(int count) {
    rows all;
    for (int i = 0; i < count; ++i) all.push_back(row_with(std::to_string(1000 + i), {"x", "y"}));
    return all;
}

TEST(row_likeness, few_rows_with_other_properties_and_keys_are_odd) {
    auto all = numbered_rows(60);
    all.insert(all.begin() + 7, row_with("mark", {"z"}));
    EXPECT_EQ(inspect::find_odd_rows(all, ""), std::vector<std::size_t>{7});
}

TEST(row_likeness, rows_that_share_a_property_or_the_form_of_keys_are_not_odd) {
    auto all = numbered_rows(120);
    all.push_back(row_with("mark", {"y", "z"}));
    all.push_back(row_with("5000", {"z"}));
    all.push_back(row_with("mark", {}));
    EXPECT_TRUE(inspect::find_odd_rows(all, "").empty());
}

TEST(row_likeness, many_unlike_rows_are_not_odd) {
    auto all = numbered_rows(60);
    for (auto const* key : {"mark", "sign"}) all.push_back(row_with(key, {"z"}));
    EXPECT_TRUE(inspect::find_odd_rows(all, "").empty());
}

TEST(row_likeness, keys_that_end_with_those_of_entities_are_of_an_index) {
    rows all{row_with("id_1", {"x"}), row_with("id_2", {"x"}), row_with("age_30_id_1", {"x"}),
             row_with("age_40_id_2", {"x"}), row_with("mail_d_id_9", {"x"})};
    EXPECT_EQ(inspect::find_beginnings(all, "").indexes, (std::map<std::string, std::string>{{"age_", "id_"}}));
    EXPECT_TRUE(tell_kinds(all));
    all.push_back(row_with("age_50_id_3", {"x"}));
    EXPECT_TRUE(inspect::find_beginnings(all, "").indexes.empty());
}

TEST(row_likeness, many_beginnings_are_values) {
    rows all;
    for (char c = 'a'; c <= 'z'; ++c) all.push_back(row_with(std::string{c} + "_1", {std::string{c}}));
    EXPECT_FALSE(tell_kinds(all));
}

}  // namespace
}  // namespace tablemap::test

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

TEST(row_likeness, usual_name_tells_kinds) {
    EXPECT_EQ(inspect::find_telling_property({typed("EntityType", "a", {"x"}), typed("EntityType", "b", {"x"})}),
              "EntityType");
    EXPECT_EQ(inspect::find_telling_property({row_with("r", {"x"})}), "");
}

TEST(row_likeness, type_of_the_data_tells_no_kinds) {
    EXPECT_EQ(inspect::find_telling_property({typed("Type", "a", {"x", "y"}), typed("Type", "b", {"x", "y"})}), "");
    EXPECT_EQ(inspect::find_telling_property({typed("Type", "a", {"x", "y"}), typed("Type", "b", {"z"})}), "Type");
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
    EXPECT_TRUE(inspect::beginnings_tell_kinds({row_with("a_1", {"x", "y"}), row_with("b_1", {"z"})}, ""));
    EXPECT_FALSE(inspect::beginnings_tell_kinds({row_with("a_1", {"x", "y"}), row_with("b_1", {"x", "y"})}, ""));
    EXPECT_FALSE(inspect::beginnings_tell_kinds({row_with("a_1", {"x", "y"}), row_with("7", {"z"})}, ""));
    EXPECT_FALSE(inspect::beginnings_tell_kinds({row_with("a", {"x", "y"}), row_with("a_1", {"z"})}, ""));
}

TEST(row_likeness, keys_that_end_with_those_of_entities_are_of_an_index) {
    rows all{row_with("id_1", {"x"}), row_with("id_2", {"x"}), row_with("age_30_id_1", {"x"}),
             row_with("age_40_id_2", {"x"}), row_with("mail_d_id_9", {"x"})};
    EXPECT_EQ(inspect::find_index_beginnings(all, ""), (std::map<std::string, std::string>{{"age_", "id_"}}));
    EXPECT_TRUE(inspect::beginnings_tell_kinds(all, ""));
    all.push_back(row_with("age_50_id_3", {"x"}));
    EXPECT_TRUE(inspect::find_index_beginnings(all, "").empty());
}

TEST(row_likeness, many_beginnings_are_values) {
    rows all;
    for (char c = 'a'; c <= 'z'; ++c) all.push_back(row_with(std::string{c} + "_1", {std::string{c}}));
    EXPECT_FALSE(inspect::beginnings_tell_kinds(all, ""));
}

}  // namespace
}  // namespace tablemap::test

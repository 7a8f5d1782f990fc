// SPDX-License-Identifier: Apache-2.0
#include "page/findings.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace tablemap::test {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

std::vector<page::attention> findings_of(page::table_report t) {
    page::add_findings(t);
    return t.findings;
}

page::table_report with_properties(std::vector<std::string> const& names) {
    page::table_report t;
    for (auto const& name : names) t.properties.push_back({name, {1}});
    return t;
}

TEST(page_findings, name_that_no_member_can_have_is_a_hint) {
    auto const all = findings_of(with_properties({"first-name", "Name"}));
    ASSERT_EQ(all.size(), 1u);
    EXPECT_EQ(all[0].level, page::weight::hint);
    EXPECT_THAT(all[0].text, HasSubstr("the property first-name has a name that no member can have"));
    EXPECT_THAT(findings_of(with_properties({"Straße", "_x1"})), IsEmpty());
}

TEST(page_findings, many_names_are_cut) {
    auto const all = findings_of(with_properties({"a-1", "a-2", "a-3", "a-4", "a-5", "a-6", "a-7"}));
    ASSERT_EQ(all.size(), 1u);
    EXPECT_THAT(all[0].text, HasSubstr("a-1, a-2, a-3, a-4, a-5 and 2 more have names"));
}

TEST(page_findings, three_spellings_of_a_name_are_one_finding) {
    auto const all = findings_of(with_properties({"Name", "name", "NAME"}));
    ASSERT_EQ(all.size(), 1u);
    EXPECT_EQ(all[0].rule, "names_alike");
    EXPECT_THAT(all[0].text, HasSubstr("the properties Name, name and NAME differ only in the case"));
}

TEST(page_findings, distance_to_a_limit_decides_the_level) {
    page::table_report t;
    t.extremes.properties = 188;
    EXPECT_THAT(findings_of(t), IsEmpty());
    t.extremes.properties = 189;
    EXPECT_EQ(findings_of(t).at(0).level, page::weight::hint);
    t.extremes.properties = 240;
    EXPECT_EQ(findings_of(t).at(0).level, page::weight::warning);
}

inspect::drift error_of_schema(std::string member) {
    return {.level = inspect::drift_level::error,
            .rule = "types",
            .entity = "person",
            .member = std::move(member),
            .rows = 2,
            .what = "it is odd",
            .partition_key = "p"};
}

TEST(page_findings, errors_of_a_schema_are_warnings_of_which_five_are_named) {
    page::table_report t;
    t.drift.emplace();
    for (int i = 0; i < 7; ++i) t.drift->drifts.push_back(error_of_schema("m" + std::to_string(i)));
    t.drift->drifts.push_back({.level = inspect::drift_level::note, .rule = "missing", .what = "it is missing"});
    auto const all = findings_of(t);
    ASSERT_EQ(all.size(), 6u);
    EXPECT_EQ(all[0].text, "person.m0: it is odd, in 2 rows");
    EXPECT_EQ(all[0].partition_key, "p");
    EXPECT_EQ(all[0].rows, 2u);
    EXPECT_EQ(all[5].text, "2 more differences from the schema; the command check lists them");
    t.drift->left_out = 1;
    EXPECT_THAT(findings_of(t).at(5).text, StartsWith("at least 2 more differences"));
}

TEST(page_findings, schema_decides_about_types_of_its_members_and_of_rows) {
    auto t = with_properties({"Age", "Other"});
    for (auto& p : t.properties) p.rows = {1, 1};
    t.rows_without_type = 1;
    EXPECT_EQ(findings_of(t).size(), 3u);
    t.drift.emplace().properties = {"Age"};
    auto const all = findings_of(t);
    ASSERT_EQ(all.size(), 1u);
    EXPECT_THAT(all[0].text, HasSubstr("the property Other has several types"));
}

TEST(page_findings, every_finding_has_a_rule) {
    auto t = with_properties({"a-b", "A", "a"});
    t.properties[0].rows = {1, 1};
    t.properties[1].longest_text = 32'000;
    t.extremes = {1'000'000, "p", 250, 512, 512};
    t.indexes.push_back({"person", "name", 4, 1, 1, 1, 1, true});
    t.outbox = {1, 1, 1, 1, std::chrono::hours{1}};
    t.rows_without_type = 1;
    t.drift.emplace().unclaimed = 1;
    t.drift->drifts.push_back(error_of_schema("age"));
    auto const all = findings_of(t);
    EXPECT_EQ(all.size(), 16u);
    EXPECT_TRUE(std::ranges::none_of(all, [](auto const& f) { return f.rule.empty() || f.text.empty(); }));
}

}  // namespace
}  // namespace tablemap::test

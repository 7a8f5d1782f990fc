// SPDX-License-Identifier: Apache-2.0
#include "check.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace tablemap::codegen {
namespace {

/// A schema that no JSON was read for.
schema notes() {
    entity e;
    e.id.text = "note";
    property owner;
    owner.id.text = "owner";
    owner.type.text = "string";
    e.properties.push_back(owner);
    key_part part;
    part.member.text = "owner";
    e.partition_key.parts = {part};
    e.row_key.parts = {key_part{.literal = "note"}};
    schema s;
    s.entities.push_back(e);
    return s;
}

std::string faults_of(schema const& s) {
    fault_list faults;
    check(s, faults);
    return describe(faults.sorted(), "model");
}

TEST(check, finds_nothing_wrong_with_a_model_that_is_right) { EXPECT_EQ(faults_of(notes()), ""); }

TEST(check, needs_no_places) {
    auto s = notes();
    s.entities[0].partition_key.parts[0].member.text = "onwer";
    EXPECT_EQ(faults_of(s), "model: error: 'note' has no property 'onwer'; did you mean 'owner'?\n");
}

TEST(check, refuses_names_that_cpp_has_taken) {
    auto s = notes();
    for (auto const* id : {"class", "a__b", "_a", "1a", "a-b", "", "std"}) {
        s.entities[0].id.text = id;
        EXPECT_NE(faults_of(s).find("cannot be the name of an entity"), std::string::npos) << id;
    }
}

TEST(check, refuses_enums_of_more_values_than_compilers_take) {
    auto s = notes();
    auto& e = s.enums.emplace_back();
    e.id.text = "code";
    for (int n = 1; n <= 256; ++n) e.values.push_back({{"code_" + std::to_string(n), {}}, std::nullopt, std::nullopt});
    EXPECT_EQ(faults_of(s), "");
    e.values.push_back({{"one_more", {}}, std::nullopt, std::nullopt});
    EXPECT_EQ(faults_of(s),
              "model: error: 'code' has 257 values, and an enum has at most 256, which compilers take; use a "
              "string or a number in its place\n");
}

TEST(check, tells_of_many_kinds_in_one_table_a_few_pairs_for_each) {
    auto s = notes();
    for (int n = 1; n < 100; ++n) {
        s.entities.push_back(s.entities.front());
        s.entities.back().id.text = "note_" + std::to_string(n);
    }
    for (auto& e : s.entities) e.table.text = "Notes", e.partition_key.at = e.row_key.at = {1, 1};
    auto const text = faults_of(s);
    EXPECT_NE(text.find("'note_99' and 'note_8' are rows"), std::string::npos);
    EXPECT_EQ(text.find("'note_99' and 'note_10' are rows"), std::string::npos);
}

TEST(check, counts_on_from_the_greatest_number_without_overflow) {
    auto s = notes();
    auto& e = s.enums.emplace_back();
    e.id.text = "code";
    e.by_name = false;
    e.values.push_back({{"last", {}}, std::numeric_limits<std::int64_t>::max(), std::nullopt});
    e.values.push_back({{"next", {}}, std::nullopt, std::nullopt});
    EXPECT_NE(faults_of(s).find("'next' is stored as 'last' is"), std::string::npos);
}

TEST(check, takes_converters_by_their_types) {
    auto s = notes();
    property p;
    p.id.text = "price";
    p.type.text = "std::chrono::milliseconds";
    s.entities[0].properties.push_back(p);
    EXPECT_EQ(faults_of(s), "");
}

}  // namespace
}  // namespace tablemap::codegen

// SPDX-License-Identifier: Apache-2.0
#include "place.hpp"

#include <gtest/gtest.h>

namespace tablemap::codegen {
namespace {

TEST(fault_list, tells_faults_in_the_order_of_places_and_each_once) {
    fault_list faults;
    faults.add({3, 1}, "c");
    faults.add({1, 9}, "b");
    faults.add({1, 2}, "a");
    faults.add({1, 9}, "b");
    EXPECT_EQ(describe(faults.sorted(), "x.json"),
              "x.json:1:2: error: a\nx.json:1:9: error: b\nx.json:3:1: error: c\n");
}

TEST(fault_list, leaves_out_places_that_nothing_has) {
    fault_list faults;
    faults.add({}, "a");
    EXPECT_EQ(describe(faults.sorted(), "x.json"), "x.json: error: a\n");
}

TEST(suggestion, names_the_nearest_word) {
    std::vector<std::string_view> const known{"nullable", "required", "name"};
    EXPECT_EQ(suggestion("nulable", known), "; did you mean 'nullable'?");
    EXPECT_EQ(suggestion("nmae", known), "; did you mean 'name'?");
    EXPECT_EQ(suggestion("colour", known), "; known are nullable, required and name");
    EXPECT_EQ(suggestion("colour", {}), "; there are none, so declare it first");
}

TEST(suggestion, is_short_among_very_many_words) {
    std::vector<std::string_view> const known(20'000, "word");
    EXPECT_EQ(suggestion("wort", known), "; it is none of the 20000 that are known");
}

TEST(in_quotes, shortens_long_text_between_characters) {
    auto const text = in_quotes(std::string(59, 'x') + "öö");
    EXPECT_EQ(text, "'" + std::string(59, 'x') + "...'");
    EXPECT_EQ(in_quotes("a\nb"), "'a?b'");
}

}  // namespace
}  // namespace tablemap::codegen

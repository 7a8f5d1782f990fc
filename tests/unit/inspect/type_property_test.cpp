// SPDX-License-Identifier: Apache-2.0
#include "inspect/type_property.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tablemap::test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;

inspect::text_counts counts_of(std::vector<std::string> const& texts) {
    inspect::text_counts counts;
    for (auto const& t : texts) counts.add(t);
    return counts;
}

TEST(text_counts, counts_few_texts) {
    EXPECT_THAT(counts_of({"a", "b", "a"}).all(), ElementsAre(Pair("a", 2u), Pair("b", 1u)));
}

TEST(text_counts, many_and_long_texts_are_not_counted) {
    std::vector<std::string> many;
    for (int i = 0; i < 25; ++i) many.push_back(std::to_string(i));
    EXPECT_THAT(counts_of(many).all(), IsEmpty());
    EXPECT_THAT(counts_of({"a", std::string(65, 'x'), "a"}).all(), IsEmpty());
}

TEST(type_property, index_rows_tell_it_before_its_name) {
    auto const usual = counts_of({"a"});
    auto const indexed = counts_of({"a", "a_index"});
    EXPECT_EQ(inspect::find_type_property({{"EntityType", &usual}, {"Sort", &indexed}}).name, "Sort");
    EXPECT_EQ(inspect::find_type_property({{"Type", &usual}, {"EntityType", &usual}}).name, "EntityType");
}

TEST(type_property, property_of_many_texts_tells_nothing) {
    inspect::text_counts const many;
    auto const usual = counts_of({"a"});
    EXPECT_EQ(inspect::find_type_property({{"EntityType", &many}, {"Name", &usual}}).name, "");
}

}  // namespace
}  // namespace tablemap::test

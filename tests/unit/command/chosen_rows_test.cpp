// SPDX-License-Identifier: Apache-2.0
#include "command/chosen_rows.hpp"
#include "command/table_comparison.hpp"

#include "tablemap/testing/scripted_store.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tablemap::test {
namespace {

using tablemap::testing::exchange;
using tablemap::testing::scripted_store;
using ::testing::HasSubstr;

TEST(command_chosen_rows, store_without_order_is_refused_where_order_is_needed) {
    capabilities const unordered{.name = "unordered", .ordered_results = false};
    table<dynamic_entity> const t{std::make_shared<scripted_store>(std::vector<exchange>{}, unordered), "People"};
    try {
        command::require_comparable(t, t);
        FAIL();
    } catch (error const& e) {
        EXPECT_EQ(e.code(), library_errc::unsupported);
        EXPECT_THAT(e.what(), HasSubstr("--no-verify"));
    }
}

TEST(command_chosen_rows, choice_becomes_one_query) {
    table<dynamic_entity> const t{std::make_shared<scripted_store>(std::vector<exchange>{}), "People"};
    auto const plan = command::chosen_rows(t, {.partition = "p", .filter = "A eq 1", .select = {"A", "B"}}).explain();
    EXPECT_EQ(plan.reads, query_plan::kind::partition);
    EXPECT_THAT(plan.odata, HasSubstr("A eq 1"));
    EXPECT_EQ(plan.select, (std::vector<std::string>{"A", "B"}));
}

}  // namespace
}  // namespace tablemap::test

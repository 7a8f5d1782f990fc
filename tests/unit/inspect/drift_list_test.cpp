// SPDX-License-Identifier: Apache-2.0
#include "inspect/drift_list.hpp"

#include <gtest/gtest.h>

#include <string>

namespace tablemap::test {
namespace {

inspect::drift difference(inspect::drift_level level, std::string member) {
    return {.level = level, .rule = "types", .entity = "person", .member = std::move(member), .what = "it differs"};
}

TEST(drift_list, rows_that_differ_alike_are_one_entry_with_the_first_row) {
    inspect::drift_list list;
    for (auto const* key : {"1", "2"}) {
        list.begin_row();
        for (int twice = 0; twice < 2; ++twice) list.add(difference(inspect::drift_level::note, "age"), {"p", key});
    }
    auto const all = std::move(list).take();
    ASSERT_EQ(all.size(), 1u);
    EXPECT_EQ(all[0].rows, 2u);
    EXPECT_EQ(all[0].row_key, "1");
}

TEST(drift_list, errors_come_first_and_have_room_of_their_own) {
    inspect::drift_list list;
    list.begin_row();
    for (int i = 0; i < 300; ++i) list.add(difference(inspect::drift_level::note, std::to_string(i)), {"p", "1"});
    list.add(difference(inspect::drift_level::error, "z"), {"p", "1"});
    EXPECT_EQ(list.left_out(), 100u);
    auto const all = std::move(list).take();
    EXPECT_EQ(all.size(), 201u);
    EXPECT_EQ(all[0].level, inspect::drift_level::error);
}

TEST(drift_list, texts_beyond_all_limits_are_not_kept) {
    inspect::drift_list list;
    list.begin_row();
    list.add(difference(inspect::drift_level::note, std::string(5'000, 'x')), {std::string(9'000, 'p'), "1"});
    auto const all = std::move(list).take();
    EXPECT_EQ(all[0].member, "(a text of 5000 bytes)");
    EXPECT_EQ(all[0].partition_key, "(a text of 9000 bytes)");
}

}  // namespace
}  // namespace tablemap::test

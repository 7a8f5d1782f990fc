// SPDX-License-Identifier: Apache-2.0
#include "model.hpp"

#include <gtest/gtest.h>

namespace tablemap::codegen {
namespace {

key_part member(std::string id, part_form form = part_form::plain) {
    key_part p;
    p.member = {std::move(id), {}};
    p.form = form;
    return p;
}

key_part text(std::string literal) {
    key_part p;
    p.literal = std::move(literal);
    return p;
}

entity event() {
    entity e;
    e.partition_key.parts = {member("day"), text("_"), member("device", part_form::spread)};
    e.row_key.parts = {member("number"), text("_"), member("day")};
    return e;
}

TEST(model, gives_the_members_of_a_key_without_those_that_choose_buckets) {
    EXPECT_EQ(given_members(event().partition_key), (std::vector<std::string>{"day"}));
}

TEST(model, gives_the_members_of_both_keys_once_and_those_of_buckets_last) {
    EXPECT_EQ(key_members(event()), (std::vector<std::string>{"day", "number", "device"}));
}

TEST(model, selects_rows_of_an_index_by_its_members_and_the_row_keys) {
    index by;
    by.key.parts = {text("name_"), member("name")};
    EXPECT_EQ(row_members(event(), &by), (std::vector<std::string>{"name", "number", "day"}));
    by.unique = true;
    EXPECT_EQ(row_members(event(), &by), (std::vector<std::string>{"name"}));
    EXPECT_EQ(row_members(event(), nullptr), (std::vector<std::string>{"number", "day"}));
}

TEST(model, knows_which_members_are_stored_in_a_key_alone) {
    auto e = event();
    EXPECT_TRUE(is_in_key_alone(e, "day"));
    EXPECT_FALSE(is_in_key_alone(e, "what"));
    e.row_key.parts.back().also_stored = true;
    EXPECT_FALSE(is_in_key_alone(e, "day"));
}

}  // namespace
}  // namespace tablemap::codegen

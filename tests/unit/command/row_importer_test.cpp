// SPDX-License-Identifier: Apache-2.0
#include "command/row_importer.hpp"

#include "tablemap/embedded/store.hpp"
#include "tablemap/testing/faulty_store.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

namespace tablemap::test {
namespace {

using command::row_importer;
using command::write_mode;
using testing::fault;
using testing::faulty_store;
using ::testing::HasSubstr;

dynamic_entity row(std::string const& key, std::int32_t value) {
    dynamic_entity e{"p", key};
    e.set("Value", value);
    return e;
}

class command_row_importer : public ::testing::Test {
protected:
    void SetUp() override { people.create(); }

    std::int32_t value(std::string const& key) const {
        return *people.find("p", key)->value.try_get<std::int32_t>("Value");
    }

    std::shared_ptr<faulty_store> store =
        std::make_shared<faulty_store>(value_or_throw(open_embedded({.path = ":memory:"})));
    table<dynamic_entity> people{store, "People"};
    row_importer inserting{people, write_mode::insert};
    std::vector<dynamic_entity> rows{row("1", 1), row("2", 2)};
};

TEST_F(command_row_importer, stores_rows) {
    for (auto const& r : inserting.write(rows)) {
        EXPECT_EQ(r.state, row_state::stored);
        EXPECT_FALSE(r.was_there);
    }
    EXPECT_EQ(value("2"), 2);
}

TEST_F(command_row_importer, equal_row_that_is_there_is_done) {
    people.insert(rows[1]);
    auto const results = inserting.write(rows);
    EXPECT_FALSE(results[0].was_there);
    EXPECT_EQ(results[1].state, row_state::stored);
    EXPECT_TRUE(results[1].was_there);
}

TEST_F(command_row_importer, another_row_of_these_keys_is_left_and_is_a_problem) {
    people.insert(row("2", 5));
    auto const results = inserting.write(rows);
    EXPECT_EQ(results[1].state, row_state::failed);
    EXPECT_THAT(results[1].reason, HasSubstr("differs in Value"));
    EXPECT_EQ(value("2"), 5);
    EXPECT_EQ(value("1"), 1);
}

TEST_F(command_row_importer, another_row_is_replaced_where_that_is_wanted) {
    people.insert(row("2", 5));
    auto const results = row_importer{people, write_mode::replace}.write(rows);
    EXPECT_EQ(results[1].state, row_state::stored);
    EXPECT_EQ(value("2"), 2);
}

TEST_F(command_row_importer, insert_whose_response_was_lost_is_stored_once) {
    for (auto const f : {fault::lost_before, fault::lost_after, fault::reset}) {
        rows = {row("f" + std::to_string(static_cast<int>(f)), 7)};
        store->fail_next(f);
        row_importer importer{people, write_mode::insert};
        EXPECT_EQ(importer.write(rows)[0].state, row_state::stored);
    }
    EXPECT_EQ(people.scan().count(), 3u);
}

TEST_F(command_row_importer, late_insert_that_arrives_after_its_repetition_changes_nothing) {
    store->set_overtaking(3);
    store->fail_next(fault::overtaken);
    EXPECT_EQ(inserting.write(std::span{rows}.first(1))[0].state, row_state::stored);
    store->carry_out_overtaken();
    EXPECT_EQ(value("1"), 1);
    EXPECT_EQ(people.scan().count(), 1u);
}

TEST_F(command_row_importer, rows_that_are_there_are_read_before_they_are_sent_again) {
    inserting.write(rows);
    inserting.write(rows);  // learns it here
    auto const before = store->requests();
    for (auto const& r : inserting.write(rows)) EXPECT_TRUE(r.was_there);
    EXPECT_EQ(store->requests() - before, rows.size());
}

TEST_F(command_row_importer, row_of_an_impossible_key_fails_and_keeps_no_other_from_being_stored) {
    rows = {row("1", 1), row("a/b", 2), row("3", 3)};
    for (int round = 0; round < 3; ++round) {
        auto const results = inserting.write(rows);
        EXPECT_EQ(results[0].state, row_state::stored);
        EXPECT_EQ(results[1].state, row_state::failed);
        EXPECT_FALSE(results[1].reason.empty());
        EXPECT_EQ(results[2].state, row_state::stored);
    }
}

TEST_F(command_row_importer, second_row_of_the_same_keys_is_compared_with_the_first) {
    rows = {row("1", 1), row("1", 1), row("1", 2)};
    auto const results = inserting.write(rows);
    EXPECT_EQ(results[1].state, row_state::stored);
    EXPECT_EQ(results[2].state, row_state::failed);
}

TEST_F(command_row_importer, missing_table_ends_it) {
    people.delete_table();
    EXPECT_THROW(inserting.write(rows), error);
}

TEST(command_find_difference, compares_properties_in_any_order) {
    dynamic_entity a{"p", "r"}, b{"p", "r"};
    a.set("A", std::numeric_limits<double>::quiet_NaN());
    a.set("B", "x");
    b.set("B", "x");
    b.set("A", std::numeric_limits<double>::quiet_NaN());
    EXPECT_EQ(command::find_difference(a, b), "");
    b.set("C", true);
    EXPECT_EQ(command::find_difference(a, b), "C");
    a.set("C", std::int32_t{1});
    EXPECT_EQ(command::find_difference(a, b), "C");
}

}  // namespace
}  // namespace tablemap::test

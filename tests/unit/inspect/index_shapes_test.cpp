// SPDX-License-Identifier: Apache-2.0
#include "inspect/index_shapes.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tablemap::test {
namespace {

using ::testing::ElementsAre;

using named_values = std::vector<std::pair<std::string, property_value>>;

/// Two employees and the rows of an index of their names, as a table with a discriminator holds them.
class index_rows : public ::testing::Test {
protected:
    void SetUp() override {
        employees = {row("empid_000001", {{"Type", "employee"}, {"Name", "Don"}, {"Age", 30}, {"Mail", "d@x"}}),
                     row("empid_000002", {{"Type", "employee"}, {"Name", "Eva"}, {"Age", 40}, {"Mail", "e@x"}})};
        names = {row("name_Don !_empid_000001", {{"Type", "employee_index"}, {"id", 1}, {"Name", "Don"}}),
                 row("name_Eva !_empid_000002", {{"Type", "employee_index"}, {"id", 2}, {"Name", "Eva"}})};
    }

    static dynamic_entity row(std::string key, named_values const& values) {
        dynamic_entity made{"p", std::move(key)};
        for (auto const& [name, value] : values) made.set_value(name, value);
        return made;
    }

    std::optional<inspect::index_shape> find() const {
        inspect::row_survey survey{"Type"};
        for (auto const* all : {&employees, &names})
            for (auto const& r : *all) survey.add(r);
        auto const made = survey.finish(true);
        return inspect::find_index_shape(made.kinds.at(1), made.kinds.at(0));
    }

    std::vector<dynamic_entity> employees{}, names{};
};

TEST_F(index_rows, tell_the_key_and_the_names_of_the_row_key) {
    auto const found = find();
    ASSERT_TRUE(found);
    EXPECT_FALSE(found->unique);
    ASSERT_EQ(found->key.size(), 2u);
    EXPECT_EQ(found->key[0].literal, "name_");
    EXPECT_EQ(found->key[1].property, "Name");
    EXPECT_EQ(found->key[1].form, inspect::text_form::escaped);
    ASSERT_EQ(found->row_key.size(), 2u);
    EXPECT_EQ(found->row_key[1].property, "id");
    EXPECT_EQ(found->include, std::set<std::string>{});
}

TEST_F(index_rows, tell_what_they_copy) {
    for (std::size_t i = 0; i < 2; ++i) names[i].set("Age", *employees[i].try_get<std::int32_t>("Age"));
    ASSERT_TRUE(find() && find()->include);
    EXPECT_THAT(*find()->include, ElementsAre("Age"));
    for (std::size_t i = 0; i < 2; ++i) names[i].set("Mail", *employees[i].try_get<std::string>("Mail"));
    ASSERT_TRUE(find());
    EXPECT_FALSE(find()->include);
}

TEST_F(index_rows, unique_ones_have_keys_without_that_of_the_entity) {
    names = {row("mail_d@x", {{"Type", "employee_index"}, {"id", 1}, {"Mail", "d@x"}}),
             row("mail_e@x", {{"Type", "employee_index"}, {"id", 2}, {"Mail", "e@x"}})};
    auto const found = find();
    ASSERT_TRUE(found);
    EXPECT_TRUE(found->unique);
    EXPECT_EQ(found->key[1].property, "Mail");
}

TEST_F(index_rows, of_some_entities_are_chosen_by_the_program) {
    employees.push_back(row("empid_000003", {{"Type", "employee"}, {"Name", "Ken"}}));
    EXPECT_FALSE(find());
    employees.back().erase("Name");
    EXPECT_TRUE(find());
}

TEST_F(index_rows, with_what_no_entity_has_are_not_understood) {
    names[0].set("Other", std::int32_t{1});
    EXPECT_FALSE(find());
}

TEST_F(index_rows, without_the_members_of_the_row_key_are_not_understood) {
    for (auto& n : names) n.erase("id");
    EXPECT_FALSE(find());
}

TEST_F(index_rows, of_entities_that_are_not_there_are_not_understood) {
    names[0].row_key = "name_Don !_empid_000007";
    EXPECT_FALSE(find());
}

}  // namespace
}  // namespace tablemap::test

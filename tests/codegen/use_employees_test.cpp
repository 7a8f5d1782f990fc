// SPDX-License-Identifier: Apache-2.0
#include <employees.hpp>

#include <gtest/gtest.h>

#include <vector>

namespace {

class generated_employees : public testing::Test {
protected:
    generated_employees() {
        staff.table().create();
        staff.table().insert(employee(17, "Don", "Hall", 34, "donh@contoso.com"));
        staff.table().insert(employee(99, "Jun", "Cao", 47, "junc@contoso.com"));
        staff.table().insert(employee(322, "Joan", "Hall", 62, std::nullopt));
        departments.table().insert({.name = "Sales", .founded = std::chrono::sys_days{std::chrono::days{7}}});
    }

    static contoso::employee employee(std::int32_t id, std::string first, std::string last, std::int32_t age,
                                      std::optional<std::string> email) {
        return {.department = "Sales", .id = id, .first_name = first, .last_name = last, .age = age, .email = email};
    }

    static std::vector<std::int32_t> ids(auto range) {
        std::vector<std::int32_t> found;
        for (auto const& e : range) found.push_back(e.value.id);
        return found;
    }

    tablemap::store_ptr store = tablemap::open("embedded::memory:");
    contoso::employee_repository staff{store};
    contoso::department_repository departments{store};
};

using numbers = std::vector<std::int32_t>;

TEST_F(generated_employees, finds_by_key_and_by_index) {
    EXPECT_EQ(staff.find("Sales", 99)->value.first_name, "Jun");
    EXPECT_EQ(staff.find_by_email("Sales", "donh@contoso.com")->value.id, 17);
    EXPECT_FALSE(*staff.try_find_by_email("Sales", "nobody@contoso.com"));
}

TEST_F(generated_employees, keeps_the_defaults_of_the_schema) {
    contoso::employee const fresh{};
    EXPECT_EQ(fresh.age, 18);
    EXPECT_TRUE(fresh.active);
    EXPECT_EQ(fresh.level, contoso::level::junior);
}

TEST_F(generated_employees, stores_under_the_names_of_the_schema) {
    tablemap::table<tablemap::dynamic_entity> const rows{store, "Employees"};
    auto const row = rows.find("Sales", "empid_000017");
    ASSERT_TRUE(row);
    EXPECT_EQ(*row->value.try_get<std::string>("FirstName"), "Don");
    EXPECT_EQ(*row->value.try_get<std::string>("level"), "Jr");
    EXPECT_EQ(*row->value.try_get<std::string>("EntityType"), "employee");
    EXPECT_EQ(row->value.try_get<std::string>("password"), nullptr);
}

TEST_F(generated_employees, queries_a_department) {
    EXPECT_EQ(ids(staff.in_department("Sales")), (numbers{17, 99, 322}));
    EXPECT_EQ(ids(staff.in_department_by_id("Sales", 17, 99)), (numbers{17}));
    EXPECT_EQ(ids(staff.older_than("Sales", 40)), (numbers{99, 322}));
    EXPECT_EQ(ids(staff.seniors("Sales")), numbers{});
    EXPECT_EQ(ids(*staff.try_in_department_by_id("Sales", 18, 1000)), (numbers{99, 322}));
}

TEST_F(generated_employees, counts_and_asks) {
    EXPECT_EQ(staff.head_count("Sales"), 3U);
    EXPECT_TRUE(staff.is_staffed("Sales"));
    EXPECT_FALSE(staff.is_staffed("Legal"));
    EXPECT_EQ(staff.size_of_company(), 3U);
}

TEST_F(generated_employees, selects_members) {
    std::string found;
    for (auto const& [last, first, id] : staff.names("Sales"))
        found += first + " " + last + " " + std::to_string(id) + ";";
    EXPECT_EQ(found, "Don Hall 17;Jun Cao 99;Joan Hall 322;");
}

TEST_F(generated_employees, reads_an_index_in_its_order) {
    std::string found;
    for (auto const& [last, first, id] : staff.by_name("Sales", "Ha")) found += first + ";";
    EXPECT_EQ(found, "Don;Joan;");
    std::size_t rows = 0;
    for ([[maybe_unused]] auto const& row : staff.called("Sales", "Cao")) ++rows;
    EXPECT_EQ(rows, 1U);
    EXPECT_TRUE(staff.first_called("Sales", "Hall"));
    EXPECT_FALSE(staff.first_called("Sales", "Jones"));
    EXPECT_EQ(ids(staff.with_email("Sales", "d")), (numbers{17}));
    EXPECT_EQ(staff.first_with_email("Sales", "j")->value.id, 99);
}

TEST_F(generated_employees, scans_the_table) { EXPECT_EQ(ids(staff.whose_name_starts_with("Ha")), (numbers{17, 322})); }

TEST_F(generated_employees, shares_the_table_with_departments) {
    EXPECT_EQ(departments.find("Sales")->value.founded.time_since_epoch().count(), 7);
}

}  // namespace

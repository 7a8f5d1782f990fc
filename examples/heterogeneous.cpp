// SPDX-License-Identifier: Apache-2.0
//
// Employees and the departments they work in, in one table: a department and its people share a partition, so that one query
// reads them all, each row as what its discriminator says.

#include <tablemap/tablemap.hpp>

#include <iostream>
#include <string>
#include <variant>

namespace tmap = tablemap;

struct employee {
    std::string department{};
    std::int32_t id{};
    std::string first_name{};
    std::optional<tmap::ticks> hired{};
};

struct department {
    std::string name{};
    std::string building{};
    std::int64_t budget{};
};

template <> struct tmap::mapping<employee> {
    static constexpr auto discriminator = tmap::discriminator("EntityType", "employee");
    static constexpr auto partition_key = tmap::key(tmap::part<&employee::department>);
    static constexpr auto row_key = tmap::key("employee_", tmap::part<&employee::id>.width(6));
};

template <> struct tmap::mapping<department> {
    static constexpr auto discriminator = tmap::discriminator("EntityType", "department");
    static constexpr auto partition_key = tmap::key(tmap::part<&department::name>);
    static constexpr auto row_key = tmap::key("department");
};

using employee_or_department = std::variant<employee, department>;

namespace {

void print(employee const& e) { std::cout << "  " << e.first_name << ", number " << e.id << "\n"; }
void print(department const& d) {
    std::cout << d.name << " in building " << d.building << ", budget " << d.budget << "\n";
}

}  // namespace

int main() try {
    auto const store = tmap::open("embedded::memory:");
    tmap::table<employee> const employees{store, "Company"};
    tmap::table<department> const departments{store, "Company"};  // the same table
    employees.create();

    departments.insert({.name = "Sales", .building = "B", .budget = 120'000});
    departments.insert({.name = "Legal", .building = "A", .budget = 80'000});
    employees.insert({.department = "Sales", .id = 212, .first_name = "Don"});
    employees.insert({.department = "Sales", .id = 305, .first_name = "Jun"});
    employees.insert({.department = "Legal", .id = 7, .first_name = "Kim"});

    // One query of one partition, every row as its own type.
    tmap::table<employee_or_department> const company{store, "Company"};
    for (auto const* name : {"Legal", "Sales"})
        for (auto const& row : company.query(tmap::partition(name)))
            std::visit([](auto const& value) { print(value); }, row.value);

    // A query of one type sees no rows of the other.
    std::size_t people = 0;
    for ([[maybe_unused]] auto const& e : employees.query(tmap::partition("Sales"))) ++people;
    std::cout << "people in Sales: " << people << "\n";

    // A point read by the key of either type, and a change through the variant.
    auto found = company.find(tmap::key_of<department>{"Sales"});
    std::get<department>(found->value).budget += 5'000;
    company.replace(*found);
    print(departments.find("Sales")->value);
} catch (std::exception const& e) {
    std::cerr << "heterogeneous: " << e.what() << "\n";
    return 1;
}

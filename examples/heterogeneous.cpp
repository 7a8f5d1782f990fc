// SPDX-License-Identifier: Apache-2.0
//
// Employees and the departments they work in, in one table: a department and its people share a partition, so that one query
// reads them all, each row as what its discriminator says, and one transaction hires a person and counts it.

#include <tablemap/tablemap.hpp>

#include <future>
#include <iostream>
#include <stdexcept>
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
    std::int32_t people{};
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
    std::cout << d.name << " in building " << d.building << ", budget " << d.budget << ", people " << d.people << "\n";
}

/// Stores a new employee and counts it in the department's row: both or neither, whoever else hires at the same time.
void hire(tmap::table<employee> const& employees, tmap::table<department> const& departments, employee const& person) {
    tmap::retry_on_conflict([&] {
        auto where = departments.find(person.department);  // read here: each try changes the newest version
        if (!where) throw std::runtime_error{"there is no such department"};
        ++where->value.people;
        auto both = employees.transaction();
        both.insert(person);
        both.merge(*where, tmap::only<&department::people>);
        both.commit();
    });
}

}  // namespace

int main() try {
    auto const store = tmap::open("embedded::memory:");
    tmap::table<employee> const employees{store, "Company"};
    tmap::table<department> const departments{store, "Company"};  // the same table
    employees.create();

    departments.insert({.name = "Sales", .building = "B", .budget = 120'000});
    departments.insert({.name = "Legal", .building = "A", .budget = 80'000});
    hire(employees, departments, {.department = "Sales", .id = 212, .first_name = "Don"});
    hire(employees, departments, {.department = "Legal", .id = 7, .first_name = "Kim"});

    // Two offices hire for one department at once. Who was slower reads the count again.
    auto const office = [&](int first_id) {
        for (int id = first_id; id < first_id + 10; ++id)
            hire(employees, departments, {.department = "Sales", .id = id, .first_name = "Jun"});
    };
    auto east = std::async(std::launch::async, office, 300);
    auto west = std::async(std::launch::async, office, 400);
    east.get();
    west.get();

    // A person who is there already is not counted again: nothing of the transaction is applied, and the error tells why.
    try {
        hire(employees, departments, {.department = "Sales", .id = 212, .first_name = "Dan"});
    } catch (tmap::error const& e) {
        std::cout << e.what() << "\n";
    }

    // One query of one partition, every row as its own type.
    tmap::table<employee_or_department> const company{store, "Company"};
    for (auto const& row : company.query(tmap::partition("Legal")))
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

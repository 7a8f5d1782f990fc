// SPDX-License-Identifier: Apache-2.0
//
// The first steps: a struct, its mapping, and one row that is stored, read, changed and erased. The store is in memory;
// give a connection string to use another one, such as embedded:hr.db or UseDevelopmentStorage=true.

#include <tablemap/tablemap.hpp>

#include <iostream>
#include <string>

namespace tmap = tablemap;

struct employee {
    std::string department{};
    std::int32_t id{};
    std::string name{};
    std::int32_t age{};
};

// The keys of a row are made of members. Every other member is a property of the row.
template <> struct tmap::mapping<employee> {
    static constexpr auto partition_key = tmap::key(tmap::part<&employee::department>);
    static constexpr auto row_key = tmap::key("employee_", tmap::part<&employee::id>.width(6));
};

int main(int argc, char** argv) try {
    tmap::table<employee> employees{tmap::open(argc > 1 ? argv[1] : "embedded::memory:"), "FirstRow"};
    employees.create_if_not_exists();

    employees.insert({.department = "Sales", .id = 212, .name = "Don", .age = 34});

    auto found = employees.find("Sales", 212);  // the value with its etag and timestamp, or nothing
    std::cout << found->value.name << " is " << found->value.age << "\n";

    found->value.age = 35;
    employees.replace(*found);  // refused if another program has changed the row since it was read

    employees.modify("Sales", 212, [](employee& e) { ++e.age; });  // reads, changes and writes; retries on conflict

    for (auto const& e : employees.query(tmap::partition("Sales")))
        std::cout << e.value.name << " is now " << e.value.age << "\n";

    std::cout << "erased: " << employees.erase_any("Sales", 212) << "\n";
} catch (std::exception const& e) {
    std::cerr << "first_row: " << e.what() << "\n";
    return 1;
}

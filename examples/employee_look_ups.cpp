// SPDX-License-Identifier: Apache-2.0
//
// usage: employee_look_ups [CONNECTION STRING]
//
// The employees of Microsoft's "Azure Table storage table design guide", found by number, by e-mail address and by last name
// within a department. The indexes are declared once; the library writes their rows with each employee, in one group
// transaction. Without an argument the table is in memory.

#include <tablemap/tablemap.hpp>

#include <iostream>
#include <string>

namespace tmap = tablemap;

struct employee {
    std::string department{};
    std::int32_t id{};
    std::string first_name{};
    std::string last_name{};
    std::int32_t age{};
    std::string email{};
};

template <> struct tmap::mapping<employee> {
    static constexpr auto partition_key = tmap::key(tmap::part<&employee::department>);
    static constexpr auto row_key = tmap::key("empid_", tmap::part<&employee::id>.width(6));
    static constexpr auto indexes = tmap::indexes(
        // A copy of each employee: one request finds it.
        tmap::unique_index<"by_email">(tmap::key("email_", tmap::part<&employee::email>)),
        // The names alone: a list of employees reads nothing else.
        tmap::index<"by_last_name">(tmap::key("name_", tmap::part<&employee::last_name>.escaped(), "_",
                                              tmap::part<&employee::first_name>.escaped()))
            .include<>());
};

namespace {

void print(employee const& e) {
    std::cout << "  " << e.id << " " << e.first_name << " " << e.last_name << ", " << e.email << "\n";
}

void fill(tmap::table<employee> const& employees) {
    employees.create_if_not_exists();
    employees.upsert_replace({"Sales", 99, "Abby", "Reyes", 51, "abbyr@contoso.com"});
    employees.upsert_replace({"Sales", 121, "Don", "Hall", 34, "donh@contoso.com"});
    employees.upsert_replace({"Sales", 123, "Jun", "Cao", 47, "junc@contoso.com"});
    employees.upsert_replace({"Sales", 199, "Alan", "Jones", 29, "alanj@contoso.com"});
    employees.upsert_replace({"Sales", 322, "Joan", "Jones", 62, "jonesj@contoso.com"});
    employees.upsert_replace({"Legal", 17, "Mary", "Jones", 40, "maryj@contoso.com"});
}

/// The names of a department, in their order.
void list(auto range) {
    for (auto const& [last, first, id] :
         std::move(range).template select<&employee::last_name, &employee::first_name, &employee::id>())
        std::cout << "  " << last << ", " << first << ": " << id << "\n";
}

}  // namespace

int main(int argc, char** argv) try {
    using namespace tmap;
    table<employee> const employees{open(argc > 1 ? argv[1] : "embedded::memory:"), "Employees"};
    fill(employees);
    auto const sales = partition("Sales");

    std::cout << "Employee 322 of Sales:\n";
    print(employees.find("Sales", 322)->value);

    std::cout << "The employee of Sales with the address junc@contoso.com:\n";
    print(employees.find_by<"by_email">("Sales", "junc@contoso.com")->value);

    std::cout << "The employees of Sales by their names:\n";
    list(employees.query_by<"by_last_name">(sales));
    std::cout << "Those who are called Jones:\n";
    list(employees.query_by<"by_last_name">(sales, leading("Jones")));
    std::cout << "Those from Ha to Jo:\n";
    list(employees.query_by<"by_last_name">(sales, row_range("Ha", "Jp")));
    std::cout << "Those whose address begins with a, whole:\n";
    for (auto const& e : employees.query_by<"by_email">(sales, starting_with("a"))) print(e.value);

    std::cout << "What that asks of the service:\n"
              << employees.query_by<"by_email">(sales, starting_with("a")).explain().text();

    // A change of what an index holds moves its row. A second owner of an address is refused, and nothing is written.
    employees.modify({"Sales", 121}, [](employee& e) { e.email = "don.hall@contoso.com"; });
    std::cout << "donh@contoso.com is "
              << (employees.find_by<"by_email">("Sales", "donh@contoso.com") ? "taken" : "free") << ".\n";
    auto const refused = employees.try_insert({"Sales", 400, "Donna", "Hall", 28, "don.hall@contoso.com"});
    if (!refused) std::cout << "Not stored: a value of the index " << refused.error().member() << " is taken.\n";
    std::cout << "Sales has " << employees.query(sales).count() << " employees.\n";
} catch (std::exception const& e) {
    std::cerr << "employee_look_ups: " << e.what() << "\n";
    return 1;
}

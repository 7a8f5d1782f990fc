// SPDX-License-Identifier: Apache-2.0
//
// An abstract class and two concrete classes in one table. Classes with a base are not aggregates, so each class lists
// its members, inherited ones too, through Boost.Hana; tablemap/adapted.hpp reads such lists.

#include <tablemap/adapted.hpp>
#include <tablemap/tablemap.hpp>

#include <iostream>
#include <string>
#include <utility>
#include <variant>

namespace tmap = tablemap;

class person {
public:
    virtual ~person() = default;
    virtual std::string describe() const = 0;

    std::string city{};
    std::string name{};

protected:
    person() = default;
    person(std::string where, std::string who) : city(std::move(where)), name(std::move(who)) {}
    person(person const&) = default;
    person& operator=(person const&) = default;
};

class employee final : public person {
public:
    employee() = default;
    employee(std::string where, std::string who, std::int32_t number)
        : person(std::move(where), std::move(who)), id(number) {}

    std::string describe() const override { return name + " works here as number " + std::to_string(id); }

    std::int32_t id{};
};

class customer final : public person {
public:
    customer() = default;
    customer(std::string where, std::string who, std::int64_t cents)
        : person(std::move(where), std::move(who)), credit(cents) {}

    std::string describe() const override { return name + " may owe us " + std::to_string(credit) + " cents"; }

    std::int64_t credit{};
};

BOOST_HANA_ADAPT_STRUCT(employee, city, name, id);
BOOST_HANA_ADAPT_STRUCT(customer, city, name, credit);

template <> struct tmap::mapping<employee> {
    static constexpr auto discriminator = tmap::discriminator("Kind", "employee");
    static constexpr auto partition_key = tmap::key(tmap::part<&employee::city>);
    static constexpr auto row_key = tmap::key("employee_", tmap::part<&employee::id>.width(6));
};

template <> struct tmap::mapping<customer> {
    static constexpr auto discriminator = tmap::discriminator("Kind", "customer");
    static constexpr auto partition_key = tmap::key(tmap::part<&customer::city>);
    static constexpr auto row_key = tmap::key("customer_", tmap::part<&customer::name>);
};

using any_person = std::variant<employee, customer>;

int main() try {
    tmap::table<any_person> const people{tmap::open("embedded::memory:"), "People"};
    people.create();

    people.insert(employee{"Bonn", "Don", 212});
    people.insert(customer{"Bonn", "Contoso", 99'500});
    people.insert(employee{"Bonn", "Jun", 305});
    people.insert(customer{"Oslo", "Fabrikam", 12});

    for (auto const* city : {"Bonn", "Oslo"}) {
        std::cout << city << "\n";
        for (auto const& row : people.query(tmap::partition(city)))
            std::cout << "  " << tmap::as_base<person>(row.value).describe() << "\n";
    }

    people.modify(tmap::key_of<employee>{"Bonn", 305}, [](any_person& p) { tmap::as_base<person>(p).name = "June"; });
    auto const found = people.find(tmap::key_of<employee>{"Bonn", 305});
    std::cout << tmap::as_base<person>(found->value).describe() << "\n";
} catch (std::exception const& e) {
    std::cerr << "hierarchy: " << e.what() << "\n";
    return 1;
}

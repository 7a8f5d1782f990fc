// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[Q8]: the function of a join takes the entity of the query and returns the key_of<U> of the other table, or a std::optional of it
#include <tablemap/table/join.hpp>

#include <cstdint>
#include <string>

struct employee {
    std::string department{};
    std::int32_t id{};
};

struct department {
    std::string name{};
};

template <> struct tablemap::mapping<employee> {
    static constexpr auto partition_key = tablemap::key(tablemap::part<&employee::department>);
    static constexpr auto row_key = tablemap::key(tablemap::part<&employee::id>.width(6));
};

template <> struct tablemap::mapping<department> {
    static constexpr auto partition_key = tablemap::key("departments");
    static constexpr auto row_key = tablemap::key(tablemap::part<&department::name>);
};

void use(tablemap::table<employee> const& employees, tablemap::table<department> const& departments) {
#ifdef TABLEMAP_REJECT
    auto const key = [](tablemap::entity<employee> const& e) {
        return tablemap::key_of<employee>{e.value.department, e.value.id};
    };
#else
    auto const key = [](tablemap::entity<employee> const& e) {
        return tablemap::key_of<department>{e.value.department};
    };
#endif
    auto all = tablemap::join(employees.query(tablemap::partition("Sales")), departments, key);
}

int main() {}

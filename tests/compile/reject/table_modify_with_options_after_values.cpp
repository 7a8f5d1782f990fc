// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[K7]: options in braces need the key in braces, too
#include <tablemap/table/table.hpp>

#include <cstdint>
#include <string>

struct employee {
    std::string department{};
    std::int32_t id{};
    std::int32_t age{};
};

template <> struct tablemap::mapping<employee> {
    static constexpr auto partition_key = tablemap::key(tablemap::part<&employee::department>);
    static constexpr auto row_key = tablemap::key(tablemap::part<&employee::id>.width(6));
};

void use(tablemap::table<employee> const& employees) {
#ifdef TABLEMAP_REJECT
    employees.modify("Sales", 1, [](employee& e) { ++e.age; }, {.attempts = 3});
#else
    employees.modify({"Sales", 1}, [](employee& e) { ++e.age; }, {.attempts = 3});
    employees.modify("Sales", 1, [](employee& e) { ++e.age; });
#endif
}

int main() {}

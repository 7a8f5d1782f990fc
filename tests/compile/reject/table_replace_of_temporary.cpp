// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[W4]: replace and merge refresh the etag of an entity<T>
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
    employees.replace(*employees.find("Sales", 1));
#else
    if (auto e = employees.find("Sales", 1)) employees.replace(*e);
#endif
}

int main() {}

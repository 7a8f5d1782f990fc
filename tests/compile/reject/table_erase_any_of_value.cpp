// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[K7]: this is the key of another type, a value or an entity
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

void use(tablemap::table<employee> const& employees, employee const& e) {
#ifdef TABLEMAP_REJECT
    employees.erase_any(e);
#else
    employees.erase_any(tablemap::key_of<employee>::of(e));
#endif
}

int main() {}

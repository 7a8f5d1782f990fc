// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[Q2]: && and || join conditions on what is stored
#include <tablemap/table/table.hpp>

#include <cstdint>
#include <string>

struct employee {
    std::string department{};
    std::int32_t id{};
    std::int32_t age{};
    bool on_leave{};
};

template <> struct tablemap::mapping<employee> {
    static constexpr auto partition_key = tablemap::key(tablemap::part<&employee::department>);
    static constexpr auto row_key = tablemap::key(tablemap::part<&employee::id>.width(6));
};

void use(tablemap::table<employee> const& employees, bool adults) {
#ifdef TABLEMAP_REJECT
    employees.scan(adults && tablemap::field<&employee::age> >= 18);
#else
    auto rows = employees.scan();
    if (adults) rows = rows.where(tablemap::field<&employee::age> >= 18);
#endif
}

int main() {}

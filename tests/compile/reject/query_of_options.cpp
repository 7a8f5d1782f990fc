// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[Q1]: a query names its partition, query(partition(...)), or several
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
    employees.query({.request_id = "report"});
#else
    employees.query(tablemap::partition("Sales"), {.request_id = "report"});
#endif
}

int main() {}

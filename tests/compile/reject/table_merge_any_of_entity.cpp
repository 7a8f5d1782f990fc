// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[W4]: this write takes a value and no etag
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

void use(tablemap::table<employee> const& employees, tablemap::entity<employee> const& e) {
#ifdef TABLEMAP_REJECT
    employees.merge_any(e, tablemap::only<&employee::age>);
#else
    employees.merge_any(e.value, tablemap::only<&employee::age>);
#endif
}

int main() {}

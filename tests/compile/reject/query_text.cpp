// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[Q3]: text is no condition by itself
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

void use(tablemap::table<employee> const& employees) {
#ifdef TABLEMAP_REJECT
    employees.scan("age ge 18");
#else
    employees.scan().where(tablemap::raw_filter("age ge 18"));
#endif
}

int main() {}

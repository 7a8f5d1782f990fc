// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[P3]: a generated() part belongs to a partition key or row key
// expect: employee::badge
#include <tablemap/table/table.hpp>

#include <cstdint>
#include <string>

struct employee {
    std::string department{};
    std::int32_t id{};
    std::string email{};
    std::string name{};
    std::int32_t age{};
    tablemap::guid badge{};
};

template <> struct tablemap::mapping<employee> {
    static constexpr auto partition_key = tablemap::key(tablemap::part<&employee::department>);
    static constexpr auto row_key = tablemap::key("empid_", tablemap::part<&employee::id>.width(6));
#ifdef TABLEMAP_REJECT
    static constexpr auto indexes = tablemap::indexes(tablemap::index_in<"by_badge", "EmployeesByBadge">(
        tablemap::key(tablemap::part<&employee::badge>.generated()), tablemap::key("badge")));
#else
    static constexpr auto indexes = tablemap::indexes(tablemap::index_in<"by_badge", "EmployeesByBadge">(
        tablemap::key(tablemap::part<&employee::badge>), tablemap::key("badge")));
#endif
};

std::string const& name_of(tablemap::table<employee> const& t) { return t.name(); }

int main() {}

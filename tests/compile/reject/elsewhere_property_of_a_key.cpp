// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[P3]: the rows of an index elsewhere hold the members of both keys as properties, too, and one of them has the name of another property
// expect-gcc: T = employee
// expect-clang: <employee>
#include <tablemap/table/table.hpp>

#include <cstdint>
#include <string>

struct employee {
    std::string department{};
    std::int32_t id{};
    std::string email{};
    std::string desk{};
};

template <> struct tablemap::mapping<employee> {
    static constexpr auto partition_key = tablemap::key(tablemap::part<&employee::department>);
    static constexpr auto row_key = tablemap::key("empid_", tablemap::part<&employee::id>.width(6));
    static constexpr auto members = tablemap::members(tablemap::member<&employee::desk>.named("department"));
#ifdef TABLEMAP_REJECT
    static constexpr auto indexes = tablemap::indexes(tablemap::index_in<"by_email", "EmployeesByEmail">(
        tablemap::key(tablemap::part<&employee::email>), tablemap::key("employee")));
#endif
};

std::string const& name_of(tablemap::table<employee> const& t) { return t.name(); }

int main() {}

// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[P3]: an index in other partitions is kept after the write
#include <tablemap/mapping/indexes.hpp>
#include <tablemap/table/table.hpp>

#include <string>

struct employee {
    std::string department{};
    std::int32_t id{};
    std::string email{};
};

template <> struct tablemap::mapping<employee> {
    static constexpr auto partition_key = tablemap::key(tablemap::part<&employee::department>);
    static constexpr auto row_key = tablemap::key("empid_", tablemap::part<&employee::id>.width(6));
#ifdef TABLEMAP_REJECT
    static constexpr auto indexes = tablemap::indexes(tablemap::unique_index_in<"by_email", "EmployeesByEmail">(
        tablemap::key(tablemap::part<&employee::email>), tablemap::key("employee")));
#else
    static constexpr auto indexes = tablemap::indexes(tablemap::index_in<"by_email", "EmployeesByEmail">(
        tablemap::key(tablemap::part<&employee::email>), tablemap::key("employee")));
#endif
};

std::string const& name_of(tablemap::table<employee> const& t) { return t.name(); }

int main() {}

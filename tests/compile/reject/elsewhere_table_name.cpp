// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[P3]: the second argument of index_in is the name of a table
#include <tablemap/mapping/indexes.hpp>
#include <tablemap/table/table.hpp>

#include <string>

struct employee {
    std::string department{};
    std::int32_t id{};
    std::string email{};
    std::string last_name{};
};

template <> struct tablemap::mapping<employee> {
    static constexpr auto partition_key = tablemap::key(tablemap::part<&employee::department>);
    static constexpr auto row_key = tablemap::key("empid_", tablemap::part<&employee::id>.width(6));
    static constexpr auto indexes = tablemap::indexes(
#ifdef TABLEMAP_REJECT
        tablemap::index_in<"by_email", "employees-by-email">(tablemap::key(tablemap::part<&employee::email>),
                                                             tablemap::key("employee"))
#else
        tablemap::index_in<"by_email", "EmployeesByEmail">(tablemap::key(tablemap::part<&employee::email>),
                                                           tablemap::key("employee"))
#endif
    );
};

std::string const& name_of(tablemap::table<employee> const& t) { return t.name(); }

int main() {}

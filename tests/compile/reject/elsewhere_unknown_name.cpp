// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[P3]: the mapping of this type declares no index_in of this name
#include <tablemap/patterns/index_elsewhere.hpp>
#include <tablemap/patterns/index_relay.hpp>

#include <string>

struct employee {
    std::string department{};
    std::int32_t id{};
    std::string email{};
};

template <> struct tablemap::mapping<employee> {
    static constexpr auto partition_key = tablemap::key(tablemap::part<&employee::department>);
    static constexpr auto row_key = tablemap::key("empid_", tablemap::part<&employee::id>.width(6));
    static constexpr auto indexes = tablemap::indexes(tablemap::index_in<"by_email", "EmployeesByEmail">(
        tablemap::key(tablemap::part<&employee::email>), tablemap::key("employee")));
};

#ifdef TABLEMAP_REJECT
using by_email = tablemap::index_elsewhere<employee, "by_mail">;
#else
using by_email = tablemap::index_elsewhere<employee, "by_email">;
#endif

by_email read(tablemap::table<employee> const& t) { return by_email{t}; }

int main() {}

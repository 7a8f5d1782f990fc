// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[P3]: this type has no index in another partition or table
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
#ifndef TABLEMAP_REJECT
    static constexpr auto indexes = tablemap::indexes(tablemap::index_in<"by_email", "EmployeesByEmail">(
        tablemap::key(tablemap::part<&employee::email>), tablemap::key("employee")));
#endif
};

auto relay_of(tablemap::table<employee> const& t) { return tablemap::index_relay<employee>{t}; }

int main() {}

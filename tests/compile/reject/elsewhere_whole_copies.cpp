// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[P3]: the rows of this index hold some members only
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
#ifdef TABLEMAP_REJECT
    static constexpr auto indexes =
        tablemap::indexes(tablemap::index_in<"by_email", "EmployeesByEmail">(
                              tablemap::key(tablemap::part<&employee::email>), tablemap::key("employee"))
                              .include<>());
#else
    static constexpr auto indexes = tablemap::indexes(tablemap::index_in<"by_email", "EmployeesByEmail">(
        tablemap::key(tablemap::part<&employee::email>), tablemap::key("employee")));
#endif
};

void read(tablemap::index_elsewhere<employee, "by_email"> const& by_email) {
    for (auto q = by_email.copies(tablemap::partition("a@b.c")); auto const& e : q) static_cast<void>(e);
}

int main() {}

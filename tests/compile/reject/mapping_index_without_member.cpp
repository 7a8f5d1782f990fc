// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[P1]: the key of an index holds a member
// expect: unless where(...) chooses which entities have a row in it
// expect-gcc: T = employee
// expect-clang: <employee
#include <tablemap/table/table.hpp>

#include <cstdint>
#include <string>

struct employee {
    std::string department{};
    std::int32_t id{};
    std::string email{};
    std::string name{};
    std::int32_t age{};
};

template <> struct tablemap::mapping<employee> {
    static constexpr auto partition_key = tablemap::key(tablemap::part<&employee::department>);
    static constexpr auto row_key = tablemap::key("empid_", tablemap::part<&employee::id>.width(6));
#ifdef TABLEMAP_REJECT
    static constexpr auto indexes = tablemap::indexes(tablemap::index<"senior">(tablemap::key("senior")));
#else
    static constexpr auto indexes = tablemap::indexes(
        tablemap::index<"senior">(tablemap::key("senior")).where([](employee const& e) { return e.age >= 60; }));
#endif
};

std::string const& name_of(tablemap::table<employee> const& t) { return t.name(); }

int main() {}

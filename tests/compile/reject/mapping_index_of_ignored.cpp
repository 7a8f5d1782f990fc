// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[P1]: this member is ignored(), so the store does not tell which row an entity has in the index
// expect: employee::age
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
    static constexpr auto members = tablemap::members(tablemap::member<&employee::age>.ignored());
#ifdef TABLEMAP_REJECT
    static constexpr auto indexes =
        tablemap::indexes(tablemap::index<"by_name">(tablemap::key("age_", tablemap::part<&employee::age>.width(3))));
#else
    static constexpr auto indexes =
        tablemap::indexes(tablemap::index<"by_name">(tablemap::key("age_", tablemap::part<&employee::id>.width(3))));
#endif
};

std::string const& name_of(tablemap::table<employee> const& t) { return t.name(); }

int main() {}

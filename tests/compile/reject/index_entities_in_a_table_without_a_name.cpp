// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[P5]: the lists of an index_entity_in are in a table
#include <tablemap/patterns/table_with_index_entities.hpp>

#include <string>

struct employee {
    std::string department{};
    std::int32_t id{};
    std::string city{};
};

template <> struct tablemap::mapping<employee> {
    static constexpr auto partition_key = tablemap::key(tablemap::part<&employee::department>);
    static constexpr auto row_key = tablemap::key("empid_", tablemap::part<&employee::id>.width(6));
};

#ifdef TABLEMAP_REJECT
using index = tablemap::index_entity_in<"city", "by-city", &employee::city>;
#else
using index = tablemap::index_entity_in<"city", "ByCity", &employee::city>;
#endif

std::string name_of(tablemap::table_with_index_entities<employee, index> const& e) { return e.name(); }

int main() {}

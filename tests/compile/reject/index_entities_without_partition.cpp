// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[P5]: the lists of an index_entity are in the partition of the entities
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

using employees = tablemap::table_with_index_entities<employee, tablemap::index_entity<"city", &employee::city>>;

bool is_there(employees const& e) {
#ifdef TABLEMAP_REJECT
    return !e.find_all_by<"city">("Oslo").empty();
#else
    return !e.find_all_by<"city">(tablemap::partition("Sales"), "Oslo").empty();
#endif
}

int main() {}

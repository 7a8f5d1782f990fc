// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[P1]: several entities may have one value in an index that is not unique
#include <tablemap/table/table.hpp>

#include <cstdint>
#include <string>
#include <variant>

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
    static constexpr auto indexes = tablemap::indexes(
        tablemap::unique_index<"by_email">(tablemap::key("email_", tablemap::part<&employee::email>)),
        tablemap::index<"by_name">(tablemap::key("name_", tablemap::part<&employee::name>.escaped())).include<>());
};

void use(tablemap::table<employee> const& t) {
#ifdef TABLEMAP_REJECT
    static_cast<void>(t.find_by<"by_name">("Sales", "Hall"));
#else
    static_cast<void>(t.query_by<"by_name">(tablemap::partition("Sales"), tablemap::leading("Hall")));
#endif
}

int main() {}

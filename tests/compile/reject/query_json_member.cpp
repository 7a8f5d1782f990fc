// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[Q2]: this member is stored as_json(), one text that a filter cannot look into; store what is filtered by in a member of its own, or as a computed(...) property
// expect: employee::notes
#include <tablemap/query/field.hpp>

#include <cstdint>
#include <string>
#include <vector>

struct employee {
    std::string department{};
    std::int32_t id{};
    std::int32_t age{};
    std::vector<std::string> notes{};
};

template <> struct tablemap::mapping<employee> {
    static constexpr auto partition_key = tablemap::key(tablemap::part<&employee::department>);
    static constexpr auto row_key = tablemap::key(tablemap::part<&employee::id>.width(6));
    static constexpr auto members = tablemap::members(tablemap::member<&employee::notes>.as_json());
};

void use() {
#ifdef TABLEMAP_REJECT
    (void)(tablemap::field<&employee::notes> == "x");
#else
    (void)(tablemap::field<&employee::age> >= 30);
#endif
}

int main() {}

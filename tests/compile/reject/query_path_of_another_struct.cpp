// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[Q2]: this is no member of the struct
// expect: employee::age
#include <tablemap/query/field.hpp>

#include <cstdint>
#include <string>

struct address {
    std::string city{};
};

struct employee {
    std::string department{};
    std::int32_t id{};
    std::int32_t age{};
    address home{};
};

template <> struct tablemap::mapping<employee> {
    static constexpr auto partition_key = tablemap::key(tablemap::part<&employee::department>);
    static constexpr auto row_key = tablemap::key(tablemap::part<&employee::id>.width(6));
    static constexpr auto members = tablemap::members(tablemap::member<&employee::home>.flattened());
};

void use() {
#ifdef TABLEMAP_REJECT
    (void)(tablemap::field<&employee::home, &employee::age> == 3);
#else
    (void)(tablemap::field<&employee::home, &address::city> == "x");
#endif
}

int main() {}

// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[Q2]: element<...> ends in the number of the element
// expect: address::hours
#include <tablemap/query/field.hpp>

#include <array>
#include <cstdint>
#include <string>

struct address {
    std::array<std::int32_t, 7> hours{};
};

template <> struct tablemap::mapping<address> {
    static constexpr auto members = tablemap::members(tablemap::member<&address::hours>.numbered());
};

struct employee {
    std::string department{};
    std::int32_t id{};
    address home{};
};

template <> struct tablemap::mapping<employee> {
    static constexpr auto partition_key = tablemap::key(tablemap::part<&employee::department>);
    static constexpr auto row_key = tablemap::key(tablemap::part<&employee::id>.width(6));
    static constexpr auto members = tablemap::members(tablemap::member<&employee::home>.flattened());
};

void use() {
#ifdef TABLEMAP_REJECT
    (void)(tablemap::element<&employee::home, &address::hours> == 3);
#else
    (void)(tablemap::element<&employee::home, &address::hours, 0> == 3);
#endif
}

int main() {}

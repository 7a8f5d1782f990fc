// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[Q2]: element<...> is for a numbered() std::array
// expect: employee::age
#include <tablemap/query/field.hpp>

#include <array>
#include <cstdint>
#include <string>

struct employee {
    std::string department{};
    std::int32_t id{};
    std::int32_t age{};
    std::array<std::int32_t, 7> hours{};
};

template <> struct tablemap::mapping<employee> {
    static constexpr auto partition_key = tablemap::key(tablemap::part<&employee::department>);
    static constexpr auto row_key = tablemap::key(tablemap::part<&employee::id>.width(6));
    static constexpr auto members = tablemap::members(tablemap::member<&employee::hours>.numbered());
};

void use() {
#ifdef TABLEMAP_REJECT
    (void)(tablemap::element<&employee::age, 0> == 3);
#else
    (void)(tablemap::element<&employee::hours, 0> == 3);
#endif
}

int main() {}

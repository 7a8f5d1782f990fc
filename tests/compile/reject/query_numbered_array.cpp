// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[Q2]: this member is numbered(), one property for each element; name the one to compare: element<&T::hours, 3>
// expect: employee::hours
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
    (void)(tablemap::field<&employee::hours> == 3);
#else
    (void)(tablemap::element<&employee::hours, 3> == 3);
#endif
}

int main() {}

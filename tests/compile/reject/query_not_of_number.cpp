// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[Q2]: only a bool member is a condition by itself; compare this one: field<&T::m> == value
// expect: employee::age
#include <tablemap/query/field.hpp>

#include <cstdint>
#include <string>

struct employee {
    std::string department{};
    std::int32_t id{};
    std::int32_t age{};
    bool active{};
};

template <> struct tablemap::mapping<employee> {
    static constexpr auto partition_key = tablemap::key(tablemap::part<&employee::department>);
    static constexpr auto row_key = tablemap::key(tablemap::part<&employee::id>.width(6));
};

void use() {
#ifdef TABLEMAP_REJECT
    (void)!tablemap::field<&employee::age>;
#else
    (void)!tablemap::field<&employee::active>;
#endif
}

int main() {}

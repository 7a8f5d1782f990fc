// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[Q2]: this member is ignored(), so there is no property to compare
// expect: employee::age
#include <tablemap/query/field.hpp>

#include <cstdint>
#include <string>

struct employee {
    std::string department{};
    std::int32_t id{};
    std::int32_t age{};
    std::int32_t limit{};
};

template <> struct tablemap::mapping<employee> {
    static constexpr auto partition_key = tablemap::key(tablemap::part<&employee::department>);
    static constexpr auto row_key = tablemap::key(tablemap::part<&employee::id>.width(6));
    static constexpr auto members = tablemap::members(tablemap::member<&employee::age>.ignored());
};

void use() {
#ifdef TABLEMAP_REJECT
    (void)(tablemap::field<&employee::age> >= 30);
#else
    (void)(tablemap::field<&employee::limit> >= 30);
#endif
}

int main() {}

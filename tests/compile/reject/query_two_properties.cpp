// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[Q2]: the service compares a property with a value, not with another property; compare the two in C++, or store what comes out as a computed(...) property
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
};

void use() {
#ifdef TABLEMAP_REJECT
    (void)(tablemap::field<&employee::age> < tablemap::field<&employee::limit>);
#else
    (void)(tablemap::field<&employee::age> < 3);
#endif
}

int main() {}

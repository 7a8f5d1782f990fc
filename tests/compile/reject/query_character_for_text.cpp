// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[Q2]: this value does not convert to the property's type without loss; compare with a value of the member's own type
// expect: employee::name
#include <tablemap/query/field.hpp>

#include <cstdint>
#include <string>

struct employee {
    std::string department{};
    std::int32_t id{};
    std::string name{};
};

template <> struct tablemap::mapping<employee> {
    static constexpr auto partition_key = tablemap::key(tablemap::part<&employee::department>);
    static constexpr auto row_key = tablemap::key(tablemap::part<&employee::id>.width(6));
};

void use() {
#ifdef TABLEMAP_REJECT
    (void)(tablemap::field<&employee::name> == 'x');
#else
    (void)(tablemap::field<&employee::name> == "x");
#endif
}

int main() {}

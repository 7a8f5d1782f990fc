// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[Q2]: the service has no search within text; read the rows and search in C++, or store what is looked for in a property of its own
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
    (void)tablemap::contains(tablemap::field<&employee::name>, "x");
#else
    (void)tablemap::starts_with(tablemap::field<&employee::name>, "x");
#endif
}

int main() {}

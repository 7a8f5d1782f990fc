// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[Q2]: these conditions are over two structs, and no row is both; join conditions over one struct
// expect-gcc: condition<project>
// expect-clang: condition<project>
#include <tablemap/query/field.hpp>

#include <cstdint>
#include <string>

struct employee {
    std::string department{};
    std::int32_t id{};
    std::int32_t age{};
};

template <> struct tablemap::mapping<employee> {
    static constexpr auto partition_key = tablemap::key(tablemap::part<&employee::department>);
    static constexpr auto row_key = tablemap::key(tablemap::part<&employee::id>.width(6));
};

struct project {
    std::string name{};
    std::int32_t cost{};
};

template <> struct tablemap::mapping<project> {
    static constexpr auto partition_key = tablemap::key("projects");
    static constexpr auto row_key = tablemap::key(tablemap::part<&project::name>);
};

void use() {
#ifdef TABLEMAP_REJECT
    (void)(tablemap::field<&employee::age> > 3 && tablemap::field<&project::cost> > 3);
#else
    (void)(tablemap::field<&employee::age> > 3 && tablemap::field<&employee::age> < 9);
#endif
}

int main() {}

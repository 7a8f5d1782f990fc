// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[M0]: this struct has no mapping
// expect: stranger::size
#include <tablemap/query/field.hpp>

#include <cstdint>
#include <string>

struct stranger {
    std::int32_t size{};
};

struct employee {
    std::string department{};
    std::int32_t id{};
    std::int32_t age{};
};

template <> struct tablemap::mapping<employee> {
    static constexpr auto partition_key = tablemap::key(tablemap::part<&employee::department>);
    static constexpr auto row_key = tablemap::key(tablemap::part<&employee::id>.width(6));
};

void use() {
#ifdef TABLEMAP_REJECT
    (void)(tablemap::field<&stranger::size> == 3);
#else
    (void)(tablemap::field<&employee::age> == 3);
#endif
}

int main() {}

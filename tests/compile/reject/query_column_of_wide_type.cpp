// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[Q2]: the type of this value is that of no property; compare with exactly the type that is stored
// expect: column_operand
// expect-gcc: float
// expect-clang: float
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

void use() {
#ifdef TABLEMAP_REJECT
    (void)(tablemap::column("Age") == 3.5F);
#else
    (void)(tablemap::column("Age") == 3.5);
#endif
}

int main() {}

// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[Q2]: false and true have no order; compare with == or !=
// expect: column_operand
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
    (void)(tablemap::column("On") < true);
#else
    (void)(tablemap::column("On") == true);
#endif
}

int main() {}

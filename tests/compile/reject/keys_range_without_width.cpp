// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[K7]: this part does not sort in keys as its values do (10 before 9)
// expect-gcc: T = order]
// expect-clang: <order>
#include <tablemap/table/table.hpp>

#include <cstdint>
#include <string>

struct order {
    std::string customer{};
    std::int32_t number{};
    double price{};
};

template <> struct tablemap::mapping<order> {
    static constexpr auto partition_key = tablemap::key(tablemap::part<&order::customer>);
    static constexpr auto row_key = tablemap::key(tablemap::part<&order::number>);
};

void use(tablemap::table<order>& orders) {
#ifdef TABLEMAP_REJECT
    orders.query(tablemap::partition("contoso"), tablemap::row_range(9, 10));
#else
    orders.query(tablemap::partition("contoso"));
#endif
}

int main() {}

// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[K7]: wrong number of key values; pass one for each member of partition key and row key
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
    static constexpr auto row_key = tablemap::key(tablemap::part<&order::number>.width(6));
};

void use(tablemap::table<order>& orders) {
#ifdef TABLEMAP_REJECT
    orders.find("contoso", 1, 2);
#else
    orders.find("contoso", 1);
#endif
}

int main() {}

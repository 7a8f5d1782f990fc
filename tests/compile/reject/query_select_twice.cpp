// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[Q4]: select<...> names each member once; copy what is needed twice
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
    orders.query(tablemap::partition("contoso")).select<&order::price, &order::price>();
#else
    orders.query(tablemap::partition("contoso")).select<&order::price, &order::number>();
#endif
}

int main() {}

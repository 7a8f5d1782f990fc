// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[K7]: wrong number of key values; pass one for each member of partition key and row key
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
    orders.query(tablemap::partition("contoso", 1));
#else
    orders.query(tablemap::partition("contoso"));
#endif
}

int main() {}

// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[Q1]: a query names its partition first, query(partition(...)).where(...); a condition alone would read the whole table, which must be asked for: scan(condition)
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
    orders.query("contoso");
#else
    orders.query(tablemap::partition("contoso"));
#endif
}

int main() {}

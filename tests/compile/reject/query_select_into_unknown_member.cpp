// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[Q4]: the struct of select_into has a member that the table's struct does not have; name its members as they are there
// expect-gcc: invoice::total
// expect-clang: .value.total
#include <tablemap/table/table.hpp>

#include <cstdint>
#include <string>

struct order {
    std::string customer{};
    std::int32_t number{};
    double price{};
};

struct summary {
    std::int32_t number{};
    double price{};
};

struct invoice {
    std::int32_t number{};
    double total{};
};

template <> struct tablemap::mapping<order> {
    static constexpr auto partition_key = tablemap::key(tablemap::part<&order::customer>);
    static constexpr auto row_key = tablemap::key(tablemap::part<&order::number>.width(6));
};

void use(tablemap::table<order>& orders) {
#ifdef TABLEMAP_REJECT
    orders.query(tablemap::partition("contoso")).select_into<invoice>();
#else
    orders.query(tablemap::partition("contoso")).select_into<summary>();
#endif
}

int main() {}

// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[Q4]: a member of the struct of select_into has another type than in the table's struct
// expect-gcc: rounded::price
// expect-clang: .value.price
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

struct rounded {
    std::int32_t number{};
    std::int64_t price{};
};

template <> struct tablemap::mapping<order> {
    static constexpr auto partition_key = tablemap::key(tablemap::part<&order::customer>);
    static constexpr auto row_key = tablemap::key(tablemap::part<&order::number>.width(6));
};

void use(tablemap::table<order>& orders) {
#ifdef TABLEMAP_REJECT
    orders.query(tablemap::partition("contoso")).select_into<rounded>();
#else
    orders.query(tablemap::partition("contoso")).select_into<summary>();
#endif
}

int main() {}

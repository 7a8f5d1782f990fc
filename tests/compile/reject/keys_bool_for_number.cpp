// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[K7]: a key value does not convert to its member's type without loss
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

void use(tablemap::table<order>& orders, tablemap::entity<order>&) {
#ifdef TABLEMAP_REJECT
    orders.find("contoso", true);
#else
    orders.find("contoso", 7);
#endif
}

int main() {}

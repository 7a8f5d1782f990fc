// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[W2]: a member that is part of the key cannot be merged: another key is another entity; insert that one and erase this
// expect: order::number
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

void use(tablemap::table<order>& orders, tablemap::entity<order>& e) {
#ifdef TABLEMAP_REJECT
    orders.merge(e, tablemap::only<&order::number>);
#else
    orders.merge(e, tablemap::only<&order::price>);
#endif
}

int main() {}

// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[W3]: the function given to modify must take the value as T&, not by value
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
    orders.modify({"contoso", 7}, [](order o) { o.price = 1; });
#else
    orders.modify({"contoso", 7}, [](order& o) { o.price = 1; });
#endif
}

int main() {}

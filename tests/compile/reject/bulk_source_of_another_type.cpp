// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[W6]: many rows come from a range of the table's type, or from a function that gives a std::optional of it
#include <tablemap/table/table.hpp>

#include <cstdint>
#include <string>
#include <vector>

struct invoice {
    double price{};
};

struct order {
    std::string customer{};
    std::int32_t number{};
};

template <> struct tablemap::mapping<order> {
    static constexpr auto partition_key = tablemap::key(tablemap::part<&order::customer>);
    static constexpr auto row_key = tablemap::key(tablemap::part<&order::number>.width(6));
};

void use(tablemap::table<order>& orders) {
#ifdef TABLEMAP_REJECT
    static_cast<void>(orders.insert_many(std::vector<invoice>(2)));
#else
    static_cast<void>(orders.insert_many(std::vector<order>(2)));
#endif
}

int main() {}

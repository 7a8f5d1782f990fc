// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[K7]: text that other parts follow does not sort by its value in keys
// expect: so a range of it means nothing; put the text last
// expect-gcc: T = order]
// expect-clang: <order>
#include <tablemap/table/table.hpp>

#include <cstdint>
#include <string>

struct order {
    std::string customer{};
    std::string number{};
    std::int32_t line{};
    double price{};
};

template <> struct tablemap::mapping<order> {
    static constexpr auto partition_key = tablemap::key(tablemap::part<&order::customer>);
    static constexpr auto row_key = tablemap::key(tablemap::part<&order::number>, "_", tablemap::part<&order::line>);
};

void use(tablemap::table<order>& orders) {
#ifdef TABLEMAP_REJECT
    orders.query(tablemap::partition("contoso"), tablemap::row_range("a", "b"));
#else
    orders.query(tablemap::partition("contoso"));
#endif
}

int main() {}

// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[K2]: a double has no plain form in a key; say ordered() or descending()
// expect: order::price
// expect: double
#include <tablemap/table/table.hpp>

#include <string>

struct order {
    std::string customer{};
    std::string number{};
    double price{};
};

template <> struct tablemap::mapping<order> {
    static constexpr auto partition_key = tablemap::key(tablemap::part<&order::customer>);
#ifdef TABLEMAP_REJECT
    static constexpr auto row_key = tablemap::key(tablemap::part<&order::price>);
#else
    static constexpr auto row_key = tablemap::key(tablemap::part<&order::number>);
#endif
};

std::string const& name_of(tablemap::table<order> const& t) { return t.name(); }

int main() {}

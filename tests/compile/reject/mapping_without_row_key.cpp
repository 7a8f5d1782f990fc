// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[M0]: the mapping of this struct lacks partition_key or row_key
// expect-gcc: T = order]
// expect-clang: <order>
#include <tablemap/table/table.hpp>

#include <string>

struct order {
    std::string customer{};
    std::string number{};
    double price{};
};

template <> struct tablemap::mapping<order> {
    static constexpr auto partition_key = tablemap::key("orders");
#ifndef TABLEMAP_REJECT
    static constexpr auto row_key = tablemap::key(tablemap::part<&order::number>);
#endif
};

std::string const& name_of(tablemap::table<order> const& t) { return t.name(); }

int main() {}

// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[K1]: the parts of a key must be members of the mapped struct itself
// expect: invoice::number
#include <tablemap/table/table.hpp>

#include <string>

struct invoice {
    std::string number{};
};

struct order {
    std::string customer{};
    std::string number{};
    double price{};
};

template <> struct tablemap::mapping<order> {
    static constexpr auto partition_key = tablemap::key(tablemap::part<&order::customer>);
#ifdef TABLEMAP_REJECT
    static constexpr auto row_key = tablemap::key(tablemap::part<&invoice::number>);
#else
    static constexpr auto row_key = tablemap::key(tablemap::part<&order::number>);
#endif
};

std::string const& name_of(tablemap::table<order> const& t) { return t.name(); }

int main() {}

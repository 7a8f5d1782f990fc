// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[K4]: two parts stand side by side in this key and the first varies in length
// expect: put a literal between them, or give the first a width(n)
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
    static constexpr auto partition_key = tablemap::key(tablemap::part<&order::customer>);
#ifdef TABLEMAP_REJECT
    static constexpr auto row_key = tablemap::key(tablemap::part<&order::number>, tablemap::part<&order::customer>);
#else
    static constexpr auto row_key =
        tablemap::key(tablemap::part<&order::number>, "_", tablemap::part<&order::customer>);
#endif
};

std::string const& name_of(tablemap::table<order> const& t) { return t.name(); }

int main() {}

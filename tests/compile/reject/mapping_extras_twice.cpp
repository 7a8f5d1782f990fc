// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[M8]: one member of type extras keeps all unknown columns; remove the others
// expect-gcc: T = order]
// expect-clang: <order>
#include <tablemap/table/table.hpp>

#include <string>

struct order {
    std::string id{};
#ifdef TABLEMAP_REJECT
    tablemap::extras more{};
    tablemap::extras most{};
#else
    tablemap::extras more{};
#endif
};

template <> struct tablemap::mapping<order> {
    static constexpr auto partition_key = tablemap::key("orders");
    static constexpr auto row_key = tablemap::key(tablemap::part<&order::id>);
};

std::string const& name_of(tablemap::table<order> const& t) { return t.name(); }

int main() {}

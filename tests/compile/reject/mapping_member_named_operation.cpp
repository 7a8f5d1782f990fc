// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[M7]: TablemapOperation is the property of operation ids; name this member otherwise, with member<&T::m>.named
// expect-gcc: order::TablemapOperation
// expect-clang: .value.TablemapOperation
#include <tablemap/table/table.hpp>

#include <string>

struct order {
    std::string id{};
#ifdef TABLEMAP_REJECT
    tablemap::guid TablemapOperation{};
#else
    tablemap::guid operation{};
#endif
};

template <> struct tablemap::mapping<order> {
    static constexpr auto partition_key = tablemap::key("orders");
    static constexpr auto row_key = tablemap::key(tablemap::part<&order::id>);
};

std::string const& name_of(tablemap::table<order> const& t) { return t.name(); }

int main() {}

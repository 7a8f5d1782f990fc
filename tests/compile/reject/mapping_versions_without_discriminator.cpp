// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[M11]: a type with versions needs a discriminator property to hold them: static constexpr auto discriminator = tablemap::discriminator
// expect-gcc: T = order]
// expect-clang: <order>
#include <tablemap/table/table.hpp>

#include <string>

struct order {
    std::string id{};
};

template <> struct tablemap::mapping<order> {
    static constexpr auto partition_key = tablemap::key("orders");
    static constexpr auto row_key = tablemap::key(tablemap::part<&order::id>);
#ifdef TABLEMAP_REJECT
    static constexpr auto versions = tablemap::versions<1>();
#else
    static constexpr auto discriminator = tablemap::discriminator("Kind", "order");
    static constexpr auto versions = tablemap::versions<1>();
#endif
};

std::string const& name_of(tablemap::table<order> const& t) { return t.name(); }

int main() {}

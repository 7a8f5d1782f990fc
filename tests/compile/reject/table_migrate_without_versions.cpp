// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[M11]: only a type with versions has rows to migrate; declare versions<n>(...) in its mapping
#include <tablemap/table/table.hpp>

#include <string>

inline void upgrade(tablemap::dynamic_entity&) {}

struct order {
    std::string id{};
};

template <> struct tablemap::mapping<order> {
    static constexpr auto discriminator = tablemap::discriminator("Kind", "order");
#ifndef TABLEMAP_REJECT
    static constexpr auto versions = tablemap::versions<2>(tablemap::upgrade_from<1>(&upgrade));
#endif
    static constexpr auto partition_key = tablemap::key("orders");
    static constexpr auto row_key = tablemap::key(tablemap::part<&order::id>);
};

void use(tablemap::table<order> const& orders) { static_cast<void>(orders.migrate()); }

int main() {}

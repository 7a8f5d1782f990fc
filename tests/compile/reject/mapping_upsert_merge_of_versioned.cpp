// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[M11]: the row may have an older version of this type, whose properties would be taken for new ones after a merge
// expect: order
#include <tablemap/table/table.hpp>

#include <string>

inline void upgrade(tablemap::dynamic_entity&) {}

struct order {
    std::string id{};
};

template <> struct tablemap::mapping<order> {
    static constexpr auto discriminator = tablemap::discriminator("Kind", "order");
    static constexpr auto versions = tablemap::versions<2>(tablemap::upgrade_from<1>(&upgrade));
    static constexpr auto partition_key = tablemap::key("orders");
    static constexpr auto row_key = tablemap::key(tablemap::part<&order::id>);
};

void use(tablemap::table<order> const& t, order const& o) {
#ifdef TABLEMAP_REJECT
    t.upsert_merge(o);
#else
    t.upsert_replace(o);
#endif
}

int main() {}

// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[K8]: a discriminator without a property stands at the beginning of the row key: key(discriminator,
#include <tablemap/table/table.hpp>

#include <string>

struct order {
    std::string id{};
};

template <> struct tablemap::mapping<order> {
    static constexpr auto discriminator = tablemap::discriminator("ORDER");
    static constexpr auto partition_key = tablemap::key("orders");
#ifdef TABLEMAP_REJECT
    static constexpr auto row_key = tablemap::key("id_", tablemap::part<&order::id>);
#else
    static constexpr auto row_key = tablemap::key(discriminator, "_", tablemap::part<&order::id>);
#endif
};

std::string const& name_of(tablemap::table<order> const& t) { return t.name(); }

int main() {}

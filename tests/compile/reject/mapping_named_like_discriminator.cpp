// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[M7]: two members have one property name
// expect-gcc: order::kind
// expect-clang: .value.kind
#include <tablemap/table/table.hpp>

#include <string>

struct order {
    std::string id{};
    std::string kind{};
};

template <> struct tablemap::mapping<order> {
    static constexpr auto partition_key = tablemap::key("orders");
    static constexpr auto row_key = tablemap::key(tablemap::part<&order::id>);
#ifdef TABLEMAP_REJECT
    static constexpr auto discriminator = tablemap::discriminator("kind", "order");
#else
    static constexpr auto discriminator = tablemap::discriminator("Kind", "order");
#endif
};

std::string const& name_of(tablemap::table<order> const& t) { return t.name(); }

int main() {}

// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[M11]: versions<n>(...) takes exactly one upgrade_from<v> for every version v from 1 to n - 1; rows of a version without one could not be read
// expect-gcc: Current = 3
// expect-clang: versions<3, 1, 1>
#include <tablemap/table/table.hpp>

#include <string>

inline void upgrade(tablemap::dynamic_entity&) {}

struct order {
    std::string id{};
};

template <> struct tablemap::mapping<order> {
    static constexpr auto partition_key = tablemap::key("orders");
    static constexpr auto row_key = tablemap::key(tablemap::part<&order::id>);
#ifdef TABLEMAP_REJECT
    static constexpr auto discriminator = tablemap::discriminator("Kind", "order");
    static constexpr auto versions =
        tablemap::versions<3>(tablemap::upgrade_from<1>(&upgrade), tablemap::upgrade_from<1>(&upgrade));
#else
    static constexpr auto discriminator = tablemap::discriminator("Kind", "order");
    static constexpr auto versions = tablemap::versions<2>(tablemap::upgrade_from<1>(&upgrade));
#endif
};

std::string const& name_of(tablemap::table<order> const& t) { return t.name(); }

int main() {}

// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[M6]: the names of this prefixed() map's columns begin like another column's, which would be read as one of its entries; rename one of them
// expect-gcc: order::tags
// expect-clang: .value.tags
#include <tablemap/table/table.hpp>

#include <map>
#include <string>

struct order {
    std::string id{};
    std::map<std::string, int> tags{};
    int tags_count{};
};

template <> struct tablemap::mapping<order> {
    static constexpr auto partition_key = tablemap::key("orders");
    static constexpr auto row_key = tablemap::key(tablemap::part<&order::id>);
#ifdef TABLEMAP_REJECT
    static constexpr auto members = tablemap::members(tablemap::member<&order::tags>.prefixed());
#else
    static constexpr auto members = tablemap::members(tablemap::member<&order::tags>.prefixed().named("tag"));
#endif
};

std::string const& name_of(tablemap::table<order> const& t) { return t.name(); }

int main() {}

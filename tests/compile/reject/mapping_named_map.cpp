// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[M7]: a property name is at most 255 letters, digits and underscores, no digit first; rename this member, with member<&T::m>.named
// expect-gcc: order::tags
// expect-clang: .value.tags
#include <tablemap/table/table.hpp>

#include <map>
#include <string>

struct order {
    std::string id{};
    std::map<std::string, int> tags{};
};

template <> struct tablemap::mapping<order> {
    static constexpr auto partition_key = tablemap::key("orders");
    static constexpr auto row_key = tablemap::key(tablemap::part<&order::id>);
#ifdef TABLEMAP_REJECT
    static constexpr auto members = tablemap::members(tablemap::member<&order::tags>.prefixed().named("1"));
#else
    static constexpr auto members = tablemap::members(tablemap::member<&order::tags>.prefixed().named("_1"));
#endif
};

std::string const& name_of(tablemap::table<order> const& t) { return t.name(); }

int main() {}

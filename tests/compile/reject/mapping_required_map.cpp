// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[M7]: required() is for members that have properties of their own; of a nested struct, require members in its own mapping; maps, extras and ignored() members have nothing to require
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
    static constexpr auto members = tablemap::members(tablemap::member<&order::tags>.prefixed().required());
#else
    static constexpr auto members = tablemap::members(tablemap::member<&order::tags>.prefixed());
#endif
};

std::string const& name_of(tablemap::table<order> const& t) { return t.name(); }

int main() {}

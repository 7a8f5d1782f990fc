// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[M6]: prefixed() is for a map from std::string; use .as_json() for other containers
// expect-gcc: order::tags
// expect-clang: .value.tags
#include <tablemap/table/table.hpp>

#include <string>
#include <vector>

struct order {
    std::string id{};
    std::vector<int> tags{};
};

template <> struct tablemap::mapping<order> {
    static constexpr auto partition_key = tablemap::key("orders");
    static constexpr auto row_key = tablemap::key(tablemap::part<&order::id>);
#ifdef TABLEMAP_REJECT
    static constexpr auto members = tablemap::members(tablemap::member<&order::tags>.prefixed());
#else
    static constexpr auto members = tablemap::members(tablemap::member<&order::tags>.as_json());
#endif
};

std::string const& name_of(tablemap::table<order> const& t) { return t.name(); }

int main() {}

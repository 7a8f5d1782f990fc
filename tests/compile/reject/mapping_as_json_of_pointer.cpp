// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[M6]: a pointer cannot be stored; use the value itself
// expect-gcc: order::doc
// expect-clang: .value.doc
#include <tablemap/table/table.hpp>

#include <string>
#include <vector>

struct order {
    std::string id{};
#ifdef TABLEMAP_REJECT
    std::vector<int*> doc{};
#else
    std::vector<int> doc{};
#endif
};

template <> struct tablemap::mapping<order> {
    static constexpr auto partition_key = tablemap::key("orders");
    static constexpr auto row_key = tablemap::key(tablemap::part<&order::id>);
    static constexpr auto members = tablemap::members(tablemap::member<&order::doc>.as_json());
};

std::string const& name_of(tablemap::table<order> const& t) { return t.name(); }

int main() {}

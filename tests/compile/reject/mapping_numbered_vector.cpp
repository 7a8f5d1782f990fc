// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[M6]: numbered() is for a std::array; use .as_json() for lists of any length
// expect-gcc: order::sizes
// expect-clang: .value.sizes
#include <tablemap/table/table.hpp>

#include <string>
#include <vector>

struct order {
    std::string id{};
    std::vector<int> sizes{};
};

template <> struct tablemap::mapping<order> {
    static constexpr auto partition_key = tablemap::key("orders");
    static constexpr auto row_key = tablemap::key(tablemap::part<&order::id>);
#ifdef TABLEMAP_REJECT
    static constexpr auto members = tablemap::members(tablemap::member<&order::sizes>.numbered());
#else
    static constexpr auto members = tablemap::members(tablemap::member<&order::sizes>.as_json());
#endif
};

std::string const& name_of(tablemap::table<order> const& t) { return t.name(); }

int main() {}

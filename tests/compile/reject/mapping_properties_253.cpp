// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[M12]: an entity has at most 252 properties beside its keys; split the struct, or store members with as_json()
// expect-gcc: T = order]
// expect-clang: <order>
#include <tablemap/table/table.hpp>

#include <array>
#include <string>

struct order {
    std::string id{};
#ifdef TABLEMAP_REJECT
    std::array<int, 252> sizes{};
    double price{};
#else
    std::array<int, 251> sizes{};
    double price{};
#endif
};

template <> struct tablemap::mapping<order> {
    static constexpr auto partition_key = tablemap::key("orders");
    static constexpr auto row_key = tablemap::key(tablemap::part<&order::id>);
    static constexpr auto members = tablemap::members(tablemap::member<&order::sizes>.numbered());
};

std::string const& name_of(tablemap::table<order> const& t) { return t.name(); }

int main() {}

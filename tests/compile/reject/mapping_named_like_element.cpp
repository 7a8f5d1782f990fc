// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[M7]: two members have one property name
// expect-gcc: order::size_1
// expect-clang: .value.size_1
#include <tablemap/table/table.hpp>

#include <array>
#include <string>

struct order {
    std::string id{};
    std::array<int, 2> size{};
    int size_1{};
};

template <> struct tablemap::mapping<order> {
    static constexpr auto partition_key = tablemap::key("orders");
    static constexpr auto row_key = tablemap::key(tablemap::part<&order::id>);
#ifdef TABLEMAP_REJECT
    static constexpr auto members = tablemap::members(tablemap::member<&order::size>.numbered());
#else
    static constexpr auto members = tablemap::members(tablemap::member<&order::size>.numbered().named("sizes"));
#endif
};

std::string const& name_of(tablemap::table<order> const& t) { return t.name(); }

int main() {}

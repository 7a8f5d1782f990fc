// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[M7]: members(...) of a mapping names members of the mapped struct itself
// expect-gcc: invoice::price
// expect-clang: &invoice::price
#include <tablemap/table/table.hpp>

#include <string>

struct invoice {
    double price{};
};

struct order {
    std::string id{};
    double price{};
};

template <> struct tablemap::mapping<order> {
    static constexpr auto partition_key = tablemap::key("orders");
    static constexpr auto row_key = tablemap::key(tablemap::part<&order::id>);
#ifdef TABLEMAP_REJECT
    static constexpr auto members = tablemap::members(tablemap::member<&invoice::price>.required());
#else
    static constexpr auto members = tablemap::members(tablemap::member<&order::price>.required());
#endif
};

std::string const& name_of(tablemap::table<order> const& t) { return t.name(); }

int main() {}

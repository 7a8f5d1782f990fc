// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[M7]: members(...) takes member<&T::m> and computed
// expect-gcc: double order::*
// expect-clang: double order::*
#include <tablemap/table/table.hpp>

#include <string>

struct order {
    std::string id{};
    double price{};
};

template <> struct tablemap::mapping<order> {
    static constexpr auto partition_key = tablemap::key("orders");
    static constexpr auto row_key = tablemap::key(tablemap::part<&order::id>);
#ifdef TABLEMAP_REJECT
    static constexpr auto members = tablemap::members(&order::price);
#else
    static constexpr auto members = tablemap::members(tablemap::member<&order::price>);
#endif
};

std::string const& name_of(tablemap::table<order> const& t) { return t.name(); }

int main() {}

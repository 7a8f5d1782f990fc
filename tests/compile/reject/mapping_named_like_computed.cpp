// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[M7]: two members have one property name
// expect-gcc: order::price
// expect-clang: .value.price
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
    static constexpr auto members = tablemap::members(tablemap::computed("price", [](order const&) { return 1; }));
#else
    static constexpr auto members = tablemap::members(tablemap::computed("Price", [](order const&) { return 1; }));
#endif
};

std::string const& name_of(tablemap::table<order> const& t) { return t.name(); }

int main() {}

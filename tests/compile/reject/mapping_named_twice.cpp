// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[M7]: two members have one property name; rename this one, with member<&T::m>.named
// expect-gcc: order::price
// expect-clang: .value.price
#include <tablemap/table/table.hpp>

#include <string>

struct order {
    std::string id{};
    double cost{};
    double price{};
};

template <> struct tablemap::mapping<order> {
    static constexpr auto partition_key = tablemap::key("orders");
    static constexpr auto row_key = tablemap::key(tablemap::part<&order::id>);
#ifdef TABLEMAP_REJECT
    static constexpr auto members = tablemap::members(tablemap::member<&order::price>.named("cost"));
#else
    static constexpr auto members = tablemap::members(tablemap::member<&order::price>.named("Cost"));
#endif
};

std::string const& name_of(tablemap::table<order> const& t) { return t.name(); }

int main() {}

// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[M7]: a property name is at most 255 letters, digits and underscores, no digit first; rename this member, with member<&T::m>.named
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
    static constexpr auto members = tablemap::members(tablemap::member<&order::price>.named("the price"));
#else
    static constexpr auto members = tablemap::members(tablemap::member<&order::price>.named("the_price"));
#endif
};

std::string const& name_of(tablemap::table<order> const& t) { return t.name(); }

int main() {}

// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[W2]: this member is ignored(), so there is nothing of it to merge
// expect: order::note
#include <tablemap/table/table.hpp>

#include <string>

struct order {
    std::string id{};
    double price{};
    std::string note{};
    tablemap::extras more{};
};

template <> struct tablemap::mapping<order> {
    static constexpr auto partition_key = tablemap::key("orders");
    static constexpr auto row_key = tablemap::key(tablemap::part<&order::id>);
    static constexpr auto members = tablemap::members(tablemap::member<&order::note>.ignored());
};

void use(tablemap::table<order>& orders, tablemap::entity<order>& e) {
#ifdef TABLEMAP_REJECT
    orders.merge(e, tablemap::only<&order::note>);
#else
    orders.merge(e, tablemap::only<&order::more>);
#endif
}

std::string const& name_of(tablemap::table<order> const& t) { return t.name(); }

int main() {}

// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[M7]: PartitionKey, RowKey and Timestamp belong to the service
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
    static constexpr auto members = tablemap::members(tablemap::member<&order::price>.named("RowKey"));
#else
    static constexpr auto members = tablemap::members(tablemap::member<&order::price>.named("row_key"));
#endif
};

std::string const& name_of(tablemap::table<order> const& t) { return t.name(); }

int main() {}

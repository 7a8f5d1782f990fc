// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[M7]: this mapping has computed properties, which chosen members alone do not give; read the entity and merge that, or use modify
#include <tablemap/table/table.hpp>

#include <cstdint>
#include <string>

struct order {
    std::string id{};
    std::int32_t price{};
};

template <> struct tablemap::mapping<order> {
    static constexpr auto partition_key = tablemap::key("orders");
    static constexpr auto row_key = tablemap::key(tablemap::part<&order::id>);
#ifdef TABLEMAP_REJECT
    static constexpr auto members =
        tablemap::members(tablemap::computed("Dear", [](order const& o) { return o.price > 100; }));
#endif
};

void use(tablemap::table<order> const& orders, order const& o) { orders.merge_any(o, tablemap::only<&order::price>); }

int main() {}

// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[M7]: the function of a computed property holds no state
#include <tablemap/table/table.hpp>

#include <cstdint>
#include <string>

struct order {
    std::string customer{};
    std::int32_t number{};
    double price{};
};

template <> struct tablemap::mapping<order> {
    static constexpr auto partition_key = tablemap::key(tablemap::part<&order::customer>);
    static constexpr auto row_key = tablemap::key("order_", tablemap::part<&order::number>.width(6));
#ifdef TABLEMAP_REJECT
    static constexpr auto members =
        tablemap::members(tablemap::computed("Total", [rate = 1.2](order const& o) { return o.price * rate; }));
#else
    static constexpr auto members =
        tablemap::members(tablemap::computed("Total", [](order const& o) { return o.price * 1.2; }));
#endif
};

std::string const& name_of(tablemap::table<order> const& t) { return t.name(); }

int main() {}

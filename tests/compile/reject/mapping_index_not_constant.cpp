// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[P1]: indexes is static constexpr
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
    inline static auto const indexes = tablemap::indexes(
        tablemap::index<"by_price">(tablemap::key("price_", tablemap::part<&order::price>.ordered())));
#else
    static constexpr auto indexes = tablemap::indexes(
        tablemap::index<"by_price">(tablemap::key("price_", tablemap::part<&order::price>.ordered())));
#endif
};

std::string const& name_of(tablemap::table<order> const& t) { return t.name(); }

int main() {}

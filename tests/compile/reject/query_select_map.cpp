// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[Q4]: the columns of a map or of extras are not known beforehand, so they cannot be selected; read the whole entity
// expect-gcc: order::tags
// expect-clang: &order::tags
#include <tablemap/table/table.hpp>

#include <cstdint>
#include <map>
#include <string>

struct order {
    std::string customer{};
    std::int32_t number{};
    double price{};
    std::map<std::string, std::string> tags{};
};

template <> struct tablemap::mapping<order> {
    static constexpr auto partition_key = tablemap::key(tablemap::part<&order::customer>);
    static constexpr auto row_key = tablemap::key(tablemap::part<&order::number>.width(6));
    static constexpr auto members = tablemap::members(tablemap::member<&order::tags>.prefixed());
};

void use(tablemap::table<order>& orders) {
#ifdef TABLEMAP_REJECT
    orders.query(tablemap::partition("contoso")).select<&order::price, &order::tags>();
#else
    orders.query(tablemap::partition("contoso")).select<&order::price>();
#endif
}

int main() {}

// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[K1]: partition_key and row_key are static constexpr
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
#ifdef TABLEMAP_REJECT
    tablemap::key_template<tablemap::member_part<& order::number>> row_key =
        tablemap::key(tablemap::part<&order::number>);
#else
    static constexpr auto row_key = tablemap::key(tablemap::part<&order::number>);
#endif
};

std::string const& name_of(tablemap::table<order> const& t) { return t.name(); }

int main() {}

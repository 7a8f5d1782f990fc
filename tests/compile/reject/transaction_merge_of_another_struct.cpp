// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[W2]: only<...> names members of the entity's own struct
#include <tablemap/write/transaction.hpp>

#include <string>

struct order {
    std::string customer{};
    std::int32_t number{};
    double price{};
};

template <> struct tablemap::mapping<order> {
    static constexpr auto partition_key = tablemap::key(tablemap::part<&order::customer>);
    static constexpr auto row_key = tablemap::key(tablemap::part<&order::number>.width(6));
};

struct invoice {
    double price{};
};

void use(tablemap::transaction& t, tablemap::entity<order>& read) {
#ifdef TABLEMAP_REJECT
    t.merge(read, tablemap::only<&invoice::price>);
#else
    t.merge(read, tablemap::only<&order::price>);
#endif
}

int main() {}

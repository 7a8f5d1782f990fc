// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[M0]: this struct has no mapping; specialise tablemap::mapping<T> with partition_key and row_key
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

struct forgotten {
    std::string number{};
};

void use(tablemap::transaction& t, tablemap::entity<order>& read) {
#ifdef TABLEMAP_REJECT
    t.insert(forgotten{});
#else
    t.insert(order{});
#endif
}

int main() {}

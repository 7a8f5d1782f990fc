// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[W4]: replace and merge take an entity that was read
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

void use(tablemap::transaction& t, tablemap::entity<order>& read) {
#ifdef TABLEMAP_REJECT
    t.replace(read.value);
#else
    t.replace_any(read.value);
#endif
}

int main() {}

// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[W4]: commit refreshes the etag of an entity that is inserted; give the entity a name that is not const and lives until then, or pass its value alone
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
    t.insert(tablemap::entity<order>{});
#else
    t.insert(order{});
    t.insert(read);
#endif
}

int main() {}

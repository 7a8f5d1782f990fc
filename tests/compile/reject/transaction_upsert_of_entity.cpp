// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[W4]: upserts and the writes that end in _any take a value and no etag; pass the entity's value, or use replace or merge under its etag
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
    t.upsert_replace(read);
#else
    t.upsert_replace(read.value);
#endif
}

int main() {}

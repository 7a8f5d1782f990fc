// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[W5]: a group transaction begins with a table, and writes to that one: auto hire = departments.transaction()
#include <tablemap/table/table.hpp>

#include <cstdint>
#include <string>

struct order {
    std::string customer{};
    std::int32_t number{};
};

template <> struct tablemap::mapping<order> {
    static constexpr auto partition_key = tablemap::key(tablemap::part<&order::customer>);
    static constexpr auto row_key = tablemap::key(tablemap::part<&order::number>.width(6));
};

void use(tablemap::table<order> const& orders, tablemap::table<order> const& archive, tablemap::entity<order>& o) {
#ifdef TABLEMAP_REJECT
    tablemap::transaction t{orders, archive};
    t.erase(o);
#else
    auto t = orders.transaction();
    t.erase(o);
    static_cast<void>(archive);
#endif
}

int main() {}

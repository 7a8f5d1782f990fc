// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[M8]: extras keep the unknown columns of the whole row, so the member belongs in the mapped struct itself and not in a nested one
// expect-gcc: address::more
// expect-clang: .value.more
#include <tablemap/table/table.hpp>

#include <string>

struct address {
    std::string city{};
#ifdef TABLEMAP_REJECT
    tablemap::extras more{};
#else
    std::string more{};
#endif
};

struct order {
    std::string id{};
    address home{};
};

template <> struct tablemap::mapping<order> {
    static constexpr auto partition_key = tablemap::key("orders");
    static constexpr auto row_key = tablemap::key(tablemap::part<&order::id>);
    static constexpr auto members = tablemap::members(tablemap::member<&order::home>.flattened());
};

std::string const& name_of(tablemap::table<order> const& t) { return t.name(); }

int main() {}

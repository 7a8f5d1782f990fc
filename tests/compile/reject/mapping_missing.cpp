// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[M0]: this struct has no mapping; specialise tablemap::mapping<T> with partition_key and row_key
// expect: forgotten
#include <tablemap/table/table.hpp>

#include <string>

struct order {
    std::string number{};
};

template <> struct tablemap::mapping<order> {
    static constexpr auto partition_key = tablemap::key("orders");
    static constexpr auto row_key = tablemap::key(tablemap::part<&order::number>);
};

std::string const& name_of(tablemap::table<order> const& t) { return t.name(); }

#ifdef TABLEMAP_REJECT
struct forgotten {
    std::string number{};
};

std::string const& name_of(tablemap::table<forgotten> const& t) { return t.name(); }
#endif

int main() {}

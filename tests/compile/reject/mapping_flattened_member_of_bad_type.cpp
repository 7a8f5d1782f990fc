// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[M4]: Edm.Double is 64 bits wide
// expect-gcc: address::height
// expect-clang: .value.height
#include <tablemap/table/table.hpp>

#include <string>

struct address {
#ifdef TABLEMAP_REJECT
    float height{};
#else
    double height{};
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

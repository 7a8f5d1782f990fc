// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[M4]: Edm.Double is 64 bits wide, so float and long double would not read back; use double
// expect-gcc: order::price
// expect-clang: .value.price
// expect-gcc: [with V = float;
// expect-clang: refuse_member<float,
#include <tablemap/table/table.hpp>

#include <string>

struct order {
    std::string id{};
#ifdef TABLEMAP_REJECT
    float price{};
#else
    double price{};
#endif
};

template <> struct tablemap::mapping<order> {
    static constexpr auto partition_key = tablemap::key("orders");
    static constexpr auto row_key = tablemap::key(tablemap::part<&order::id>);
};

std::string const& name_of(tablemap::table<order> const& t) { return t.name(); }

int main() {}

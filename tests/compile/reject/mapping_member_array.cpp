// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[M6]: say how a std::array is stored: member<&T::m>.numbered(), one property for each element, or .as_json()
// expect-gcc: order::sizes
// expect-clang: .value.sizes
// expect-gcc: [with V = std::array<int, 2>;
// expect-clang: refuse_member<std::array<int, 2>,
#include <tablemap/table/table.hpp>

#include <array>
#include <string>

struct order {
    std::string id{};
#ifdef TABLEMAP_REJECT
    std::array<int, 2> sizes{};
#else
    int sizes{};
#endif
};

template <> struct tablemap::mapping<order> {
    static constexpr auto partition_key = tablemap::key("orders");
    static constexpr auto row_key = tablemap::key(tablemap::part<&order::id>);
};

std::string const& name_of(tablemap::table<order> const& t) { return t.name(); }

int main() {}

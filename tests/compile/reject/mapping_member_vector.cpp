// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[M6]: a property holds one value; use tablemap::bytes for binary data, member<&T::m>.as_json(), or one entity per element
// expect-gcc: order::sizes
// expect-clang: .value.sizes
// expect-gcc: [with V = std::vector<int>;
// expect-clang: refuse_member<std::vector<int>,
#include <tablemap/table/table.hpp>

#include <string>
#include <vector>

struct order {
    std::string id{};
#ifdef TABLEMAP_REJECT
    std::vector<int> sizes{};
#else
    tablemap::bytes sizes{};
#endif
};

template <> struct tablemap::mapping<order> {
    static constexpr auto partition_key = tablemap::key("orders");
    static constexpr auto row_key = tablemap::key(tablemap::part<&order::id>);
};

std::string const& name_of(tablemap::table<order> const& t) { return t.name(); }

int main() {}

// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[P10]: a series has 1 to 252 elements
// expect-gcc: order::sizes
// expect-clang: .value.sizes
#include <tablemap/table/table.hpp>

#include <cstdint>
#include <string>

struct order {
    std::string id{};
#ifdef TABLEMAP_REJECT
    tablemap::series<std::int32_t, 0> sizes{};
#else
    tablemap::series<std::int32_t, 7> sizes{};
#endif
};

template <> struct tablemap::mapping<order> {
    static constexpr auto partition_key = tablemap::key("orders");
    static constexpr auto row_key = tablemap::key(tablemap::part<&order::id>);
};

std::string const& name_of(tablemap::table<order> const& t) { return t.name(); }

int main() {}

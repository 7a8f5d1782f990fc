// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[P10]: a series has 1 to 252 elements, since each is one property of the entity; spread a longer one over several entities, such as one for each day
// expect-gcc: order::sizes
// expect-clang: .value.sizes
#include <tablemap/table/table.hpp>

#include <cstdint>
#include <string>

struct order {
    std::string id{};
#ifdef TABLEMAP_REJECT
    tablemap::series<std::int32_t, 253> sizes{};
#else
    tablemap::series<std::int32_t, 252> sizes{};
#endif
};

template <> struct tablemap::mapping<order> {
    static constexpr auto partition_key = tablemap::key("orders");
    static constexpr auto row_key = tablemap::key(tablemap::part<&order::id>);
};

std::string const& name_of(tablemap::table<order> const& t) { return t.name(); }

int main() {}

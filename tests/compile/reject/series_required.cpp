// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[P10]: the elements of a series may be absent, so it cannot be required(); use a numbered() std::array where every element is there
// expect-gcc: order::sizes
// expect-clang: .value.sizes
#include <tablemap/table/table.hpp>

#include <cstdint>
#include <string>

struct order {
    std::string id{};
    tablemap::series<std::int32_t, 7> sizes{};
};

template <> struct tablemap::mapping<order> {
    static constexpr auto partition_key = tablemap::key("orders");
    static constexpr auto row_key = tablemap::key(tablemap::part<&order::id>);
#ifdef TABLEMAP_REJECT
    static constexpr auto members = tablemap::members(tablemap::member<&order::sizes>.required());
#else
    static constexpr auto members = tablemap::members(tablemap::member<&order::sizes>.named("Sizes"));
#endif
};

std::string const& name_of(tablemap::table<order> const& t) { return t.name(); }

int main() {}

// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[M12]: an entity has at most 252 properties beside its keys; split the struct, or store members with as_json(), or store it in several rows, with next_row_at<...> in its mapping and a wide_table; a series counts one for each element, so spread a long one over several entities
// expect-gcc: T = order]
// expect-clang: <order>
#include <tablemap/table/table.hpp>

#include <cstdint>
#include <string>

struct order {
    std::string id{};
#ifdef TABLEMAP_REJECT
    tablemap::series<std::int32_t, 252> sizes{};
    std::int32_t price{};
#else
    tablemap::series<std::int32_t, 251> sizes{};
    std::int32_t price{};
#endif
};

template <> struct tablemap::mapping<order> {
    static constexpr auto partition_key = tablemap::key("orders");
    static constexpr auto row_key = tablemap::key(tablemap::part<&order::id>);
};

std::string const& name_of(tablemap::table<order> const& t) { return t.name(); }

int main() {}

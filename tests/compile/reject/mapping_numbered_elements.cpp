// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[M6]: the elements of a numbered() array must each be one property; use .as_json()
// expect-gcc: order::sizes
// expect-clang: .value.sizes
#include <tablemap/table/table.hpp>

#include <array>
#include <string>

struct order {
    std::string id{};
    std::array<std::array<int, 2>, 2> sizes{};
};

template <> struct tablemap::mapping<order> {
    static constexpr auto partition_key = tablemap::key("orders");
    static constexpr auto row_key = tablemap::key(tablemap::part<&order::id>);
#ifdef TABLEMAP_REJECT
    static constexpr auto members = tablemap::members(tablemap::member<&order::sizes>.numbered());
#else
    static constexpr auto members = tablemap::members(tablemap::member<&order::sizes>.as_json());
#endif
};

std::string const& name_of(tablemap::table<order> const& t) { return t.name(); }

int main() {}

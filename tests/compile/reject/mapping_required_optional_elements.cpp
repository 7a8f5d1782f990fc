// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[M3]: an optional member may be absent, so it cannot be required(); make it no optional
// expect-gcc: order::sizes
// expect-clang: .value.sizes
#include <tablemap/table/table.hpp>

#include <array>
#include <optional>
#include <string>

struct order {
    std::string id{};
#ifdef TABLEMAP_REJECT
    std::array<std::optional<int>, 2> sizes{};
#else
    std::array<int, 2> sizes{};
#endif
};

template <> struct tablemap::mapping<order> {
    static constexpr auto partition_key = tablemap::key("orders");
    static constexpr auto row_key = tablemap::key(tablemap::part<&order::id>);
    static constexpr auto members = tablemap::members(tablemap::member<&order::sizes>.numbered().required());
};

std::string const& name_of(tablemap::table<order> const& t) { return t.name(); }

int main() {}

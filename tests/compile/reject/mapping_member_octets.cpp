// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[M2]: the converter for this member's type has a header of its own; include
// expect-gcc: order::data
// expect-clang: .value.data
#include <tablemap/table/table.hpp>

#include <cstdint>
#include <string>
#include <vector>

struct order {
    std::string id{};
#ifdef TABLEMAP_REJECT
    std::vector<std::uint8_t> data{};
#else
    tablemap::bytes data{};
#endif
};

template <> struct tablemap::mapping<order> {
    static constexpr auto partition_key = tablemap::key("orders");
    static constexpr auto row_key = tablemap::key(tablemap::part<&order::id>);
};

std::string const& name_of(tablemap::table<order> const& t) { return t.name(); }

int main() {}

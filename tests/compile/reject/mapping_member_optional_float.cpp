// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[M4]: Edm.Double is 64 bits wide
// expect-gcc: order::price
// expect-clang: .value.price
// expect-gcc: [with V = std::optional<float>;
// expect-clang: refuse_member<std::optional<float>,
#include <tablemap/table/table.hpp>

#include <optional>
#include <string>

struct order {
    std::string id{};
#ifdef TABLEMAP_REJECT
    std::optional<float> price{};
#else
    std::optional<double> price{};
#endif
};

template <> struct tablemap::mapping<order> {
    static constexpr auto partition_key = tablemap::key("orders");
    static constexpr auto row_key = tablemap::key(tablemap::part<&order::id>);
};

std::string const& name_of(tablemap::table<order> const& t) { return t.name(); }

int main() {}

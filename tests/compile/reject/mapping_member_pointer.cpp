// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[M4]: a pointer cannot be stored; use the value itself, or std::optional of it
// expect-gcc: order::price
// expect-clang: .value.price
// expect-gcc: [with V = double*;
// expect-clang: refuse_member<double *,
#include <tablemap/table/table.hpp>

#include <optional>
#include <string>

struct order {
    std::string id{};
#ifdef TABLEMAP_REJECT
    double* price{};
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

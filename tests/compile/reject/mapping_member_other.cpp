// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[M2]: this member's type is no property type; use std::string, bool, an integer, double, tablemap::ticks, std::chrono::sys_time, tablemap::guid, tablemap::bytes, an enum, or std::optional of one; or specialise tablemap::converter<T>
// expect-gcc: order::size
// expect-clang: .value.size
#include <tablemap/table/table.hpp>

#include <complex>
#include <string>

struct order {
    std::string id{};
#ifdef TABLEMAP_REJECT
    std::complex<double> size{};
#else
    double size{};
#endif
};

template <> struct tablemap::mapping<order> {
    static constexpr auto partition_key = tablemap::key("orders");
    static constexpr auto row_key = tablemap::key(tablemap::part<&order::id>);
};

std::string const& name_of(tablemap::table<order> const& t) { return t.name(); }

int main() {}

// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[M7]: required() is for members that have properties of their own
// expect-gcc: order::home
// expect-clang: .value.home
#include <tablemap/table/table.hpp>

#include <string>

struct address {
    std::string city{};
};

struct order {
    std::string id{};
    address home{};
};

template <> struct tablemap::mapping<order> {
    static constexpr auto partition_key = tablemap::key("orders");
    static constexpr auto row_key = tablemap::key(tablemap::part<&order::id>);
#ifdef TABLEMAP_REJECT
    static constexpr auto members = tablemap::members(tablemap::member<&order::home>.flattened().required());
#else
    static constexpr auto members = tablemap::members(tablemap::member<&order::home>.flattened());
#endif
};

std::string const& name_of(tablemap::table<order> const& t) { return t.name(); }

int main() {}

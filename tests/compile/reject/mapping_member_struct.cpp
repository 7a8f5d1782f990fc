// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[M2]: this member's type is no property type; use std::string, bool, std::int32_t, std::int64_t, double, tablemap::ticks, tablemap::guid, tablemap::bytes, or std::optional of one
// expect-gcc: order::destination
// expect-clang: .value.destination
// expect-gcc: [with V = address;
// expect-clang: check_member_type<address,
#include <tablemap/repository/table.hpp>

#include <string>

struct address {
    std::string city{};
};

struct order {
    std::string id{};
#ifdef TABLEMAP_REJECT
    address destination{};
#else
    std::string destination{};
#endif
};

template <> struct tablemap::mapping<order> {
    static constexpr auto partition_key = tablemap::key("orders");
    static constexpr auto row_key = tablemap::key(tablemap::part<&order::id>);
};

std::string const& name_of(tablemap::table<order> const& t) { return t.name(); }

int main() {}

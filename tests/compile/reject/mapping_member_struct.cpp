// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[M6]: say how a nested struct is stored: member<&T::m>.flattened(), one property for each of its members, or .as_json(); or specialise tablemap::converter<T>
// expect-gcc: order::destination
// expect-clang: .value.destination
// expect-gcc: [with V = address;
// expect-clang: refuse_member<address,
#include <tablemap/table/table.hpp>

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

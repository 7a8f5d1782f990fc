// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[M2]: use tablemap::ticks, the 100 ns UTC instant of Edm.DateTime
// expect-gcc: order::shipped
// expect-clang: .value.shipped
// expect-gcc: [with V = std::chrono::time_point<
// expect-clang: check_member_type<std::chrono::time_point<
#include <tablemap/repository/table.hpp>

#include <chrono>
#include <string>

struct order {
    std::string id{};
#ifdef TABLEMAP_REJECT
    std::chrono::system_clock::time_point shipped{};
#else
    tablemap::ticks shipped{};
#endif
};

template <> struct tablemap::mapping<order> {
    static constexpr auto partition_key = tablemap::key("orders");
    static constexpr auto row_key = tablemap::key(tablemap::part<&order::id>);
};

std::string const& name_of(tablemap::table<order> const& t) { return t.name(); }

int main() {}

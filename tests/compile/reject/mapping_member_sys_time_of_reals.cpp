// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[M2]: Edm.DateTime counts whole units of 100 ns, which this time is no multiple or fraction of; use tablemap::ticks, or std::chrono::sys_time of microseconds or coarser, counted in integers
// expect-gcc: order::shipped
// expect-clang: .value.shipped
#include <tablemap/table/table.hpp>

#include <chrono>
#include <string>

struct order {
    std::string id{};
#ifdef TABLEMAP_REJECT
    std::chrono::sys_time<std::chrono::duration<double>> shipped{};
#else
    std::chrono::sys_seconds shipped{};
#endif
};

template <> struct tablemap::mapping<order> {
    static constexpr auto partition_key = tablemap::key("orders");
    static constexpr auto row_key = tablemap::key(tablemap::part<&order::id>);
};

std::string const& name_of(tablemap::table<order> const& t) { return t.name(); }

int main() {}

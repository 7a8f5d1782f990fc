// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[M2]: only times of the system clock have a calendar; use tablemap::ticks or std::chrono::sys_time
// expect-gcc: order::shipped
// expect-clang: .value.shipped
#include <tablemap/table/table.hpp>

#include <chrono>
#include <string>

struct order {
    std::string id{};
#ifdef TABLEMAP_REJECT
    std::chrono::steady_clock::time_point shipped{};
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

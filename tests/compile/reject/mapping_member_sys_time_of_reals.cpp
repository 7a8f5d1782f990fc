// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[M2]: Edm.DateTime counts 100 ns, so a finer time would not read back
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

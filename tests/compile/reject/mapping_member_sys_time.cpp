// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[M2]: Edm.DateTime counts 100 ns, so a finer time would not read back; use tablemap::ticks or std::chrono::sys_time<tablemap::tick_duration>, or include tablemap/mapping/converters/system_time.hpp, which rounds it down to 100 ns
// expect-gcc: order::shipped
// expect-clang: .value.shipped
// expect-gcc: [with V = std::chrono::time_point<
// expect-clang: refuse_member<std::chrono::time_point<
#include <tablemap/table/table.hpp>

#include <chrono>
#include <string>

struct order {
    std::string id{};
#ifdef TABLEMAP_REJECT
    std::chrono::sys_time<std::chrono::nanoseconds> shipped{};
#else
    std::chrono::sys_time<std::chrono::microseconds> shipped{};
#endif
};

template <> struct tablemap::mapping<order> {
    static constexpr auto partition_key = tablemap::key("orders");
    static constexpr auto row_key = tablemap::key(tablemap::part<&order::id>);
};

std::string const& name_of(tablemap::table<order> const& t) { return t.name(); }

int main() {}

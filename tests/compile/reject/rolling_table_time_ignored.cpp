// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[P9]: this member is ignored(), so an entity that is read has no time
#include <tablemap/patterns/rolling_table.hpp>

#include <cstdint>
#include <string>

struct sign_in {
    std::string user{};
    std::int32_t number{};
    tablemap::ticks at{};
    tablemap::ticks cached{};
};

template <> struct tablemap::mapping<sign_in> {
    static constexpr auto partition_key = tablemap::key(tablemap::part<&sign_in::user>);
    static constexpr auto row_key = tablemap::key(tablemap::part<&sign_in::number>);
    static constexpr auto members = tablemap::members(tablemap::member<&sign_in::cached>.ignored());
};

#ifdef TABLEMAP_REJECT
using sign_ins = tablemap::rolling_table<sign_in, &sign_in::cached, tablemap::table_per::day>;
#else
using sign_ins = tablemap::rolling_table<sign_in, &sign_in::at, tablemap::table_per::day>;
#endif

std::string prefix_of(sign_ins const& s) { return s.prefix(); }

int main() {}

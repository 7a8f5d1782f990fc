// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[P9]: behind its type a rolling table names the member that holds the time
#include <tablemap/patterns/rolling_table.hpp>

#include <cstdint>
#include <string>

struct sign_in {
    std::string user{};
    std::int32_t number{};
    tablemap::ticks at{};

    tablemap::ticks when() const { return at; }
};

template <> struct tablemap::mapping<sign_in> {
    static constexpr auto partition_key = tablemap::key(tablemap::part<&sign_in::user>);
    static constexpr auto row_key = tablemap::key(tablemap::part<&sign_in::number>);
};

#ifdef TABLEMAP_REJECT
using sign_ins = tablemap::rolling_table<sign_in, &sign_in::when, tablemap::table_per::day>;
#else
using sign_ins = tablemap::rolling_table<sign_in, &sign_in::at, tablemap::table_per::day>;
#endif

std::string prefix_of(sign_ins const& s) { return s.prefix(); }

int main() {}

// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[Q2]: element<...> is for a numbered() std::array or a series
// expect-gcc: day_stats::total
// expect-clang: total
#include <tablemap/table/table.hpp>

#include <cstdint>
#include <string>

struct day_stats {
    std::string user{};
    std::string day{};
    std::int64_t total{};
    tablemap::series<std::int32_t, 24> messages{};
    tablemap::series<std::int32_t, 24> calls{};
};

template <> struct tablemap::mapping<day_stats> {
    static constexpr auto partition_key = tablemap::key(tablemap::part<&day_stats::user>);
    static constexpr auto row_key = tablemap::key(tablemap::part<&day_stats::day>);
};

void use(tablemap::table<day_stats> const& t, tablemap::entity<day_stats>& e) {
#ifdef TABLEMAP_REJECT
    t.merge(e, tablemap::element<&day_stats::total>(3));
#else
    t.merge(e, tablemap::only<&day_stats::total>);
#endif
}

int main() {}

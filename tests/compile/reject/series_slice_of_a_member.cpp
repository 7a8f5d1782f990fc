// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[P10]: select takes elements of the members that it names: select<&T::hours>(elements<&T::hours>(8, 18))
// expect-gcc: day_stats::messages
// expect-clang: messages
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
    (void)t.scan().select<&day_stats::messages>(tablemap::only<&day_stats::messages>), (void)e;
#else
    (void)t.scan().select<&day_stats::messages>(tablemap::elements<&day_stats::messages>(8, 18)), (void)e;
#endif
}

int main() {}

// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[P10]: rows of a type with versions are read whole, to be upgraded, so elements of them cannot be selected; select the whole member
// expect-gcc: day_stats::messages
// expect-clang: messages
#include <tablemap/table/table.hpp>

#include <cstdint>
#include <string>

struct day_stats {
    std::string user{};
    tablemap::series<std::int32_t, 24> messages{};
};

inline void rename(tablemap::dynamic_entity&) {}

template <> struct tablemap::mapping<day_stats> {
    static constexpr auto discriminator = tablemap::discriminator("Kind", "day_stats");
    static constexpr auto versions = tablemap::versions<2>(tablemap::upgrade_from<1>(&rename));
    static constexpr auto partition_key = tablemap::key(tablemap::part<&day_stats::user>);
    static constexpr auto row_key = tablemap::key("stats");
};

void use(tablemap::table<day_stats> const& t) {
#ifdef TABLEMAP_REJECT
    (void)t.scan().select<&day_stats::messages>(tablemap::elements<&day_stats::messages>(8, 18));
#else
    (void)t.scan().select<&day_stats::messages>();
#endif
}

int main() {}

// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[P10]: this member is a series, one property for each element; name the one to compare: element<&T::hours, 3>, or element<&T::hours>(i)
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
    (void)t.scan(tablemap::field<&day_stats::messages> > 3), (void)e;
#else
    (void)t.scan(tablemap::element<&day_stats::messages>(7) > 3), (void)e;
#endif
}

int main() {}

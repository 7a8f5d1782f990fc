// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[P8]: two entries of one time would have one row key, so the second could not be inserted; add a part
#include <tablemap/patterns/latest.hpp>

#include <cstdint>
#include <string>

struct claim {
    std::string user{};
    tablemap::ticks at{};
    std::int32_t number{};
};

template <> struct tablemap::mapping<claim> {
#ifndef TABLEMAP_REJECT
    static constexpr bool one_entry_per_time = true;
#endif
    static constexpr auto partition_key = tablemap::key(tablemap::part<&claim::user>);
    // The user is the same in the whole partition.
    static constexpr auto row_key =
        tablemap::key(tablemap::part<&claim::at>.descending(), "_", tablemap::part<&claim::user>);
};

auto read(tablemap::table<claim> const& claims) { return tablemap::latest(claims, tablemap::partition("u1"), 10); }

int main() {}

// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[P8]: the newest rows come first only if the row key begins, after literals, with a descending time
#include <tablemap/patterns/latest.hpp>

#include <cstdint>
#include <string>

struct claim {
    std::string user{};
    tablemap::ticks at{};
    std::int32_t number{};
};

template <> struct tablemap::mapping<claim> {
    static constexpr auto partition_key = tablemap::key(tablemap::part<&claim::user>);
#ifdef TABLEMAP_REJECT
    static constexpr auto row_key =
        tablemap::key("claim_", tablemap::part<&claim::at>, "_", tablemap::part<&claim::number>);
#else
    static constexpr auto row_key =
        tablemap::key("claim_", tablemap::part<&claim::at>.descending(), "_", tablemap::part<&claim::number>);
#endif
};

auto read(tablemap::table<claim> const& claims) { return tablemap::latest(claims, tablemap::partition("u1"), 10); }

int main() {}

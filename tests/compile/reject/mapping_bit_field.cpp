// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[M1]: a mapped struct must have no bit-field as a member
#include <tablemap/table/table.hpp>

#include <cstdint>
#include <string>

struct flags {
    std::string name{};
#ifdef TABLEMAP_REJECT
    std::uint8_t level : 3;
#else
    std::uint8_t level;
#endif
    bool locked{};
};

template <> struct tablemap::mapping<flags> {
    static constexpr auto partition_key = tablemap::key("flags");
    static constexpr auto row_key = tablemap::key(tablemap::part<&flags::name>);
};

std::string const& name_of(tablemap::table<flags> const& t) { return t.name(); }

int main() {}

// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[M2]: this pointer must point to a data member that the mapped struct itself declares, or lists if it is adapted
// expect-gcc: auto Member = &door::number
// expect-clang: &door::number
#include <tablemap/adapted.hpp>
#include <tablemap/table/table.hpp>

#include <string>

struct door {
    std::string building{};
    std::string number{};
    std::string colour{};
};

#ifdef TABLEMAP_REJECT
BOOST_HANA_ADAPT_STRUCT(door, building, colour);
#else
BOOST_HANA_ADAPT_STRUCT(door, building, number, colour);
#endif

template <> struct tablemap::mapping<door> {
    static constexpr auto partition_key = tablemap::key(tablemap::part<&door::building>);
    static constexpr auto row_key = tablemap::key(tablemap::part<&door::number>);
};

void open_table(tablemap::store_ptr const& store) { tablemap::table<door> const doors{store, "doors"}; }

// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[P9]: an index_in index has one table for the entities of one table
#include <tablemap/mapping/indexes.hpp>
#include <tablemap/patterns/rolling_table.hpp>

#include <cstdint>
#include <string>

struct sign_in {
    std::string user{};
    std::int32_t number{};
    tablemap::ticks at{};
    std::string address{};
};

template <> struct tablemap::mapping<sign_in> {
    static constexpr auto partition_key = tablemap::key(tablemap::part<&sign_in::user>);
    static constexpr auto row_key = tablemap::key("in_", tablemap::part<&sign_in::number>);
#ifdef TABLEMAP_REJECT
    static constexpr auto indexes = tablemap::indexes(tablemap::index_in<"by_address", "SignInsByAddress">(
        tablemap::key(tablemap::part<&sign_in::address>), tablemap::key("sign_in")));
#else
    static constexpr auto indexes =
        tablemap::indexes(tablemap::index<"by_address">(tablemap::key("address_", tablemap::part<&sign_in::address>)));
#endif
};

using sign_ins = tablemap::rolling_table<sign_in, &sign_in::at, tablemap::table_per::day>;

std::string prefix_of(sign_ins const& s) { return s.prefix(); }

int main() {}

// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[P1]: the rows of an index hold the members of the row key as properties, too, and this one has values above
#include <tablemap/table/table.hpp>

#include <cstdint>
#include <string>

struct parcel {
    std::string depot{};
    std::uint64_t number{};
    std::string street{};
};

template <> struct tablemap::mapping<parcel> {
    static constexpr auto partition_key = tablemap::key(tablemap::part<&parcel::depot>);
#ifdef TABLEMAP_REJECT
    static constexpr auto row_key = tablemap::key("number_", tablemap::part<&parcel::number>.width(20));
#else
    static constexpr auto row_key = tablemap::key("number_", tablemap::part<&parcel::number>.width(18));
#endif
    static constexpr auto indexes = tablemap::indexes(
        tablemap::index<"by_street">(tablemap::key("street_", tablemap::part<&parcel::street>.escaped())));
};

std::string const& name_of(tablemap::table<parcel> const& t) { return t.name(); }

int main() {}

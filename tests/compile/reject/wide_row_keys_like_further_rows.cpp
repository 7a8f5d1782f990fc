// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[P11]: the row key of a wide struct can end in two blanks and two digits
#include <tablemap/patterns/wide_table.hpp>

#include <cstdint>
#include <string>

struct survey {
    std::string area{};
    std::int32_t person{};
    std::string name{};
    std::string work{};
    std::string notes{};
};

template <> struct tablemap::mapping<survey> {
    static constexpr auto partition_key = tablemap::key(tablemap::part<&survey::area>);
#ifdef TABLEMAP_REJECT
    static constexpr auto row_key = tablemap::key("survey  ", tablemap::part<&survey::person>.width(2));
#else
    static constexpr auto row_key = tablemap::key("survey  _", tablemap::part<&survey::person>.width(2));
#endif
    static constexpr auto wide = tablemap::next_row_at<&survey::work, &survey::notes>;
};

std::string const& name_of(tablemap::wide_table<survey> const& t) { return t.name(); }

int main() {}

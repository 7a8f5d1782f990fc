// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[P11]: spread<N> chooses one of several partitions
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
#ifdef TABLEMAP_REJECT
    static constexpr auto partition_key = tablemap::key(tablemap::spread<4>(tablemap::part<&survey::person>));
#else
    static constexpr auto partition_key = tablemap::key(tablemap::part<&survey::area>);
#endif
    static constexpr auto row_key = tablemap::key("survey_", tablemap::part<&survey::person>.width(6));
    static constexpr auto wide = tablemap::next_row_at<&survey::work, &survey::notes>;
};

std::string const& name_of(tablemap::wide_table<survey> const& t) { return t.name(); }

int main() {}

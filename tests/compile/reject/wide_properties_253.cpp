// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[P11]: a row of this wide struct has more than 252 properties
#include <tablemap/patterns/wide_table.hpp>

#include <array>
#include <cstdint>
#include <string>

struct survey {
    std::string area{};
    std::int32_t person{};
#ifdef TABLEMAP_REJECT
    std::array<int, 252> work{};
#else
    std::array<int, 251> work{};
#endif
    std::string name{};
    std::string notes{};
};

template <> struct tablemap::mapping<survey> {
    static constexpr auto partition_key = tablemap::key(tablemap::part<&survey::area>);
    static constexpr auto row_key = tablemap::key("survey_", tablemap::part<&survey::person>.width(6));
    static constexpr auto members = tablemap::members(tablemap::member<&survey::work>.numbered());
    static constexpr auto wide = tablemap::next_row_at<&survey::work, &survey::name>;
};

std::string const& name_of(tablemap::wide_table<survey> const& t) { return t.name(); }

int main() {}

// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[P11]: wide is made by next_row_at<...>
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
    static constexpr auto row_key = tablemap::key("survey_", tablemap::part<&survey::person>.width(6));
#ifdef TABLEMAP_REJECT
    static constexpr bool wide = true;
#else
    static constexpr auto wide = tablemap::next_row_at<&survey::work, &survey::notes>;
#endif
};

std::string const& name_of(tablemap::wide_table<survey> const& t) { return t.name(); }

int main() {}

// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[P12]: a large_table is of a struct with a large<...> member
#include <tablemap/patterns/large_table.hpp>

#include <cstdint>
#include <string>

struct document {
    std::string folder{};
    std::int32_t id{};
#ifdef TABLEMAP_REJECT
    std::string text{};
#else
    tablemap::large<std::string> text{};
#endif
};

template <> struct tablemap::mapping<document> {
    static constexpr auto partition_key = tablemap::key(tablemap::part<&document::folder>);
    static constexpr auto row_key = tablemap::key("doc_", tablemap::part<&document::id>.width(6));
};

std::size_t size_of(tablemap::large_table<document> const& t) { return t.rows().name().size(); }

int main() {}

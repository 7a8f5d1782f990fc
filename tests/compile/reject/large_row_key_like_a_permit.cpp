// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[P12]: the row key of a type with large members begins with a literal of its own
#include <tablemap/patterns/large_table.hpp>

#include <cstdint>
#include <string>

struct document {
    std::string folder{};
    std::int32_t id{};
    tablemap::large<std::string> text{};
};

template <> struct tablemap::mapping<document> {
    static constexpr auto partition_key = tablemap::key(tablemap::part<&document::folder>);
#ifdef TABLEMAP_REJECT
    static constexpr auto row_key = tablemap::key(tablemap::part<&document::id>.width(6));
#else
    static constexpr auto row_key = tablemap::key("doc_", tablemap::part<&document::id>.width(6));
#endif
};

std::size_t size_of(tablemap::large_table<document> const& t) { return t.rows().name().size(); }

int main() {}

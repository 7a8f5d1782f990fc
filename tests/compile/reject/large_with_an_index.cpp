// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[P12]: a struct with large members has no indexes
#include <tablemap/patterns/large_table.hpp>

#include <cstdint>
#include <string>

struct document {
    std::string folder{};
    std::int32_t id{};
    std::string title{};
    tablemap::large<std::string> text{};
};

template <> struct tablemap::mapping<document> {
    static constexpr auto partition_key = tablemap::key(tablemap::part<&document::folder>);
    static constexpr auto row_key = tablemap::key("doc_", tablemap::part<&document::id>.width(6));
#ifdef TABLEMAP_REJECT
    static constexpr auto indexes = tablemap::indexes(
        tablemap::unique_index<"by_title">(tablemap::key("title_", tablemap::part<&document::title>)));
#endif
};

std::size_t size_of(tablemap::large_table<document> const& t) { return t.rows().name().size(); }

int main() {}

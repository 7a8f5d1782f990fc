// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[P12]: a large_table is of one mapped struct
#include <tablemap/patterns/large_table.hpp>

#include <cstdint>
#include <string>
#include <variant>

struct document {
    std::string folder{};
    std::int32_t id{};
    tablemap::large<std::string> text{};
};

template <> struct tablemap::mapping<document> {
    static constexpr auto partition_key = tablemap::key(tablemap::part<&document::folder>);
    static constexpr auto row_key = tablemap::key("doc_", tablemap::part<&document::id>.width(6));
};

#ifdef TABLEMAP_REJECT
using kind = std::variant<document>;
#else
using kind = document;
#endif

std::size_t size_of(tablemap::large_table<kind> const& t) { return t.rows().name().size(); }

int main() {}

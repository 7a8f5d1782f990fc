// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[P12]: a large member is not optional
#include <tablemap/patterns/large_table.hpp>

#include <cstdint>
#include <optional>
#include <string>

struct document {
    std::string folder{};
    std::int32_t id{};
    tablemap::large<std::string> text{};
#ifdef TABLEMAP_REJECT
    std::optional<tablemap::large<std::string>> notes{};
#else
    tablemap::large<std::string> notes{};
#endif
};

template <> struct tablemap::mapping<document> {
    static constexpr auto partition_key = tablemap::key(tablemap::part<&document::folder>);
    static constexpr auto row_key = tablemap::key("doc_", tablemap::part<&document::id>.width(6));
};

std::size_t size_of(tablemap::large_table<document> const& t) { return t.rows().name().size(); }

int main() {}

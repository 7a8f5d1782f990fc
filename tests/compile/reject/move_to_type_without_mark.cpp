// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[P6]: the type that entities are moved to has a member for the mark of a move
#include <tablemap/patterns/moves.hpp>

#include <cstdint>
#include <optional>

struct pensioner {
    std::int32_t id{};
    std::optional<tablemap::guid> arriving{};
};

template <> struct tablemap::mapping<pensioner> {
    static constexpr auto partition_key = tablemap::key("pensioners");
    static constexpr auto row_key = tablemap::key("p_", tablemap::part<&pensioner::id>.width(6));
#ifndef TABLEMAP_REJECT
    static constexpr auto move_mark = &pensioner::arriving;
#endif
};

tablemap::move_to<pensioner> order() { return tablemap::move_to<pensioner>{7}; }

int main() {}

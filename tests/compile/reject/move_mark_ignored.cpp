// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[P6]: the member that move_mark names is ignored()
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
    static constexpr auto move_mark = &pensioner::arriving;
#ifdef TABLEMAP_REJECT
    static constexpr auto members = tablemap::members(tablemap::member<&pensioner::arriving>.ignored());
#endif
};

tablemap::move_to<pensioner> order() { return tablemap::move_to<pensioner>{7}; }

int main() {}

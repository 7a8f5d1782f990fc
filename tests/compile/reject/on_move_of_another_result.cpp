// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[P6]: the function of on_move takes the entity that is moved and returns the new one
#include <tablemap/patterns/moves.hpp>

#include <cstdint>
#include <optional>
#include <string>

struct clerk {
    std::string office{};
    std::int32_t id{};
};

struct pensioner {
    std::int32_t id{};
    std::optional<tablemap::guid> arriving{};
};

template <> struct tablemap::mapping<clerk> {
    static constexpr auto partition_key = tablemap::key(tablemap::part<&clerk::office>);
    static constexpr auto row_key = tablemap::key("clerk_", tablemap::part<&clerk::id>.width(6));
};
template <> struct tablemap::mapping<pensioner> {
    static constexpr auto partition_key = tablemap::key("pensioners");
    static constexpr auto row_key = tablemap::key("p_", tablemap::part<&pensioner::id>.width(6));
    static constexpr auto move_mark = &pensioner::arriving;
};

using clerks_outbox = tablemap::outbox<clerk, tablemap::move_to<pensioner>>;

void work(clerks_outbox const& o, tablemap::table<pensioner> const& to) {
#ifdef TABLEMAP_REJECT
    auto const make = [](clerk const& c) { return c.id; };
#else
    auto const make = [](clerk const& c) { return pensioner{.id = c.id}; };
#endif
    tablemap::relay{o, tablemap::on_move(to, make)}.sweep();
}

int main() {}

// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[P6]: the row key of a type whose entities are moved begins with a literal
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
#ifdef TABLEMAP_REJECT
    static constexpr auto row_key = tablemap::key("~moved_", tablemap::part<&clerk::id>.width(6));
#else
    static constexpr auto row_key = tablemap::key("clerk_", tablemap::part<&clerk::id>.width(6));
#endif
};
template <> struct tablemap::mapping<pensioner> {
    static constexpr auto partition_key = tablemap::key("pensioners");
    static constexpr auto row_key = tablemap::key("p_", tablemap::part<&pensioner::id>.width(6));
    static constexpr auto move_mark = &pensioner::arriving;
};

using clerks_outbox = tablemap::outbox<clerk, tablemap::move_to<pensioner>>;

std::string const& queue_of(clerks_outbox const& o) { return o.queue(); }

int main() {}

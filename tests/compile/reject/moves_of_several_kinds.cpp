// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[P6]: moves reads one kind of entity
#include <tablemap/patterns/moves.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <variant>

struct clerk {
    std::string office{};
    std::int32_t id{};
};

struct office {
    std::string name{};
};

struct pensioner {
    std::int32_t id{};
    std::optional<tablemap::guid> arriving{};
};

template <> struct tablemap::mapping<clerk> {
    static constexpr auto partition_key = tablemap::key(tablemap::part<&clerk::office>);
    static constexpr auto row_key = tablemap::key("clerk_", tablemap::part<&clerk::id>.width(6));
    static constexpr auto discriminator = tablemap::discriminator("Kind", "clerk");
};
template <> struct tablemap::mapping<office> {
    static constexpr auto partition_key = tablemap::key(tablemap::part<&office::name>);
    static constexpr auto row_key = tablemap::key("office");
    static constexpr auto discriminator = tablemap::discriminator("Kind", "office");
};
template <> struct tablemap::mapping<pensioner> {
    static constexpr auto partition_key = tablemap::key("pensioners");
    static constexpr auto row_key = tablemap::key("p_", tablemap::part<&pensioner::id>.width(6));
    static constexpr auto move_mark = &pensioner::arriving;
};

using clerk_or_office = std::variant<clerk, office>;
using outbox_of_both = tablemap::outbox<clerk_or_office, tablemap::move_to<pensioner>>;

std::string const& queue_of(outbox_of_both const& o) { return o.queue(); }

#ifdef TABLEMAP_REJECT
using reader = tablemap::moves<clerk_or_office, pensioner>;
#else
using reader = tablemap::moves<clerk, pensioner>;
#endif

bool is_anywhere(reader const& m) { return m.find({"Bonn", 1}, {1}).source.has_value(); }

int main() {}

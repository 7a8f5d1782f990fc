// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[P4]: two effects of an outbox have one name
#include <tablemap/patterns/outbox.hpp>

#include <cstdint>
#include <string>

struct clerk {
    std::string office{};
    std::int32_t id{};
};

struct archive_clerk {
    std::int32_t id{};
};

struct greet_clerk {
    std::string text{};
};

template <> struct tablemap::mapping<clerk> {
    static constexpr auto partition_key = tablemap::key(tablemap::part<&clerk::office>);
    static constexpr auto row_key = tablemap::key("clerk_", tablemap::part<&clerk::id>.width(6));
};

namespace other {
struct archive_clerk {
#ifndef TABLEMAP_REJECT
    static constexpr std::string_view effect_name = "other_archive_clerk";
#endif
    std::int32_t id{};
};
}  // namespace other

using clerks_outbox = tablemap::outbox<clerk, archive_clerk, other::archive_clerk>;

std::string const& queue_of(clerks_outbox const& o) { return o.queue(); }

int main() {}

// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[P4]: the row key of a type with an outbox begins with a literal of its own
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
#ifdef TABLEMAP_REJECT
    static constexpr auto row_key = tablemap::key(tablemap::part<&clerk::id>.width(6));
#else
    static constexpr auto row_key = tablemap::key("clerk_", tablemap::part<&clerk::id>.width(6));
#endif
};

using clerks_outbox = tablemap::outbox<clerk, archive_clerk>;

std::string const& queue_of(clerks_outbox const& o) { return o.queue(); }

int main() {}

// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[P4]: an effect is a plain struct whose members can be stored as JSON
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

#ifdef TABLEMAP_REJECT
using clerks_outbox = tablemap::outbox<clerk, int>;
#else
using clerks_outbox = tablemap::outbox<clerk, archive_clerk>;
#endif

std::string const& queue_of(clerks_outbox const& o) { return o.queue(); }

int main() {}

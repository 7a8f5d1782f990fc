// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[P4]: commit takes effects that the outbox declares
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

void commit(tablemap::outbox<clerk, archive_clerk> const& o, tablemap::transaction& t) {
#ifdef TABLEMAP_REJECT
    o.commit(t, greet_clerk{"hello"});
#else
    o.commit(t, archive_clerk{1});
#endif
}

int main() {}

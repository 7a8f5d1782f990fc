// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[P4]: a handler takes its effect, and the context if it wants
#include <tablemap/patterns/relay.hpp>

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

void run(tablemap::outbox<clerk, archive_clerk> const& o) {
#ifdef TABLEMAP_REJECT
    auto const archive = tablemap::on<archive_clerk>([](greet_clerk const&) {});
#else
    auto const archive = tablemap::on<archive_clerk>([](archive_clerk const&) {});
#endif
    tablemap::relay{o, archive}.sweep();
}

int main() {}

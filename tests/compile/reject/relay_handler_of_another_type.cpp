// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[P4]: this handler is for a type that is no effect of the outbox
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

void run(tablemap::outbox<clerk, archive_clerk, greet_clerk> const& o) {
    auto const greet = tablemap::on<greet_clerk>([](greet_clerk const&) {});
    auto const archive = tablemap::on<archive_clerk>([](archive_clerk const&) {});
#ifdef TABLEMAP_REJECT
    tablemap::relay{o, archive, greet, tablemap::on<clerk>([](clerk const&) {})}.sweep();
#else
    tablemap::relay{o, archive, greet}.sweep();
#endif
}

int main() {}

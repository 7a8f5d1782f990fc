// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[P4]: a handler returns nothing or a result<V>, whose error is its failure
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

template <> struct tablemap::mapping<clerk> {
    static constexpr auto partition_key = tablemap::key(tablemap::part<&clerk::office>);
    static constexpr auto row_key = tablemap::key("clerk_", tablemap::part<&clerk::id>.width(6));
};

void run(tablemap::outbox<clerk, archive_clerk> const& o) {
#ifdef TABLEMAP_REJECT
    auto const archive = tablemap::on<archive_clerk>([](archive_clerk const& e) { return e.id; });
#else
    auto const archive =
        tablemap::on<archive_clerk>([](archive_clerk const& e) -> tablemap::result<std::int32_t> { return e.id; });
#endif
    tablemap::relay{o, archive}.sweep();
}

int main() {}

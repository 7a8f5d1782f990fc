// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[P4]: a handler that takes an effect_end returns nothing
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
    auto const archive = tablemap::on<archive_clerk>(
        [](archive_clerk const&, tablemap::effect_context const&, tablemap::effect_end end) {
            end();
#ifdef TABLEMAP_REJECT
            return tablemap::result<void>{};
#endif
        });
    tablemap::relay{o, archive}.sweep();
}

int main() {}

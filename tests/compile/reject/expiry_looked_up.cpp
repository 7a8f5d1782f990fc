// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[P16]: nothing is looked up in an index of expiry times
#include <tablemap/patterns/expiry_sweeper.hpp>
#include <tablemap/patterns/index_elsewhere.hpp>

#include <cstdint>
#include <string>

struct session {
    std::string user{};
    std::int32_t id{};
    tablemap::ticks until{};
};

template <> struct tablemap::mapping<session> {
    static constexpr auto partition_key = tablemap::key(tablemap::part<&session::user>);
    static constexpr auto row_key = tablemap::key("session_", tablemap::part<&session::id>.width(6));
    static constexpr auto indexes = tablemap::indexes(tablemap::expiry_in<"SessionExpiry">(
        tablemap::part<&session::until>, tablemap::spread<4>(tablemap::part<&session::id>)));
};

#ifdef TABLEMAP_REJECT
using reader = tablemap::index_elsewhere<session, "expiry">;
#else
using reader = tablemap::expiry_sweeper<session>;
#endif

reader read(tablemap::table<session> const& t) { return reader{t}; }

int main() {}

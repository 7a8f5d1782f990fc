// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[P16]: the mapping of this type does not say when its entities expire
#include <tablemap/patterns/expiry_sweeper.hpp>

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
#ifndef TABLEMAP_REJECT
    static constexpr auto indexes = tablemap::indexes(tablemap::expiry_in<"SessionExpiry">(
        tablemap::part<&session::until>, tablemap::spread<4>(tablemap::part<&session::id>)));
#endif
};

std::size_t erased_by(tablemap::expiry_sweeper<session> const& s) { return s.sweep().erased; }

int main() {}

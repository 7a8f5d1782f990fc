// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[P16]: an entity without a value of the member in spread<N>(...) would have no row
#include <tablemap/patterns/expiry_sweeper.hpp>

#include <cstdint>
#include <optional>
#include <string>

struct visit {
    tablemap::ticks until{};
};

struct session {
    std::string user{};
    std::int32_t id{};
    std::optional<std::string> device{};
    tablemap::ticks until{};
};

template <> struct tablemap::mapping<session> {
    static constexpr auto partition_key = tablemap::key(tablemap::part<&session::user>);
    static constexpr auto row_key = tablemap::key("session_", tablemap::part<&session::id>.width(6));
    static constexpr auto indexes = tablemap::indexes(
#ifdef TABLEMAP_REJECT
        tablemap::expiry_in<"SessionExpiry">(tablemap::part<&session::until>,
                                             tablemap::spread<4>(tablemap::part<&session::device>))
#else
        tablemap::expiry_in<"SessionExpiry">(tablemap::part<&session::until>,
                                             tablemap::spread<4>(tablemap::part<&session::id>))
#endif
    );
};

std::string const& name_of(tablemap::table<session> const& t) { return t.name(); }

int main() {}

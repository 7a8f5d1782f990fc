// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[P4]: commit takes a completion token last
#include <tablemap/async.hpp>

#include <boost/asio/detached.hpp>

#include <cstdint>
#include <string>

namespace asio = boost::asio;

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

void commit(tablemap::async_outbox<clerk, archive_clerk> const& o, tablemap::transaction& t, archive_clerk const& e) {
#ifdef TABLEMAP_REJECT
    o.commit(t, e);
#else
    o.commit(t, e, asio::detached);
#endif
}

int main() {}

// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[Q9]: an asynchronous query is read with a completion token
#include <tablemap/async.hpp>

#include <boost/asio/use_future.hpp>

#include <cstdint>
#include <string>

namespace asio = boost::asio;

struct employee {
    std::string department{};
    std::int32_t id{};
};

template <> struct tablemap::mapping<employee> {
    static constexpr auto partition_key = tablemap::key(tablemap::part<&employee::department>);
    static constexpr auto row_key = tablemap::key(tablemap::part<&employee::id>.width(6));
};

std::int32_t use(tablemap::async_table<employee> const& employees) {
    std::int32_t ids = 0;
#ifdef TABLEMAP_REJECT
    for (auto const& e : employees.query(tablemap::partition("Sales"))) ids += e.value.id;
#else
    auto range = employees.query(tablemap::partition("Sales"));
    while (auto e = range.next(asio::use_future).get()) ids += e->value.id;
#endif
    return ids;
}

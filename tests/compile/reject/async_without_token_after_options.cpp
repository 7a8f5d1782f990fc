// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[W12]: an asynchronous operation takes a completion token last
#include <tablemap/async.hpp>

#include <boost/asio/detached.hpp>

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

void use(tablemap::async_table<employee> const& employees, tablemap::call_options const& options) {
#ifdef TABLEMAP_REJECT
    employees.find({"Sales", 1}, options);
#else
    employees.find({"Sales", 1}, options, asio::detached);
#endif
}

// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[W11]: erase(...) takes an entity that was read from this table
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

void use(tablemap::async_table<employee> const& employees, tablemap::entity<employee>& e) {
#ifdef TABLEMAP_REJECT
    static_cast<void>(e);
    employees.erase({"Sales", 1}, asio::detached);
#else
    employees.erase_any({"Sales", 1}, asio::detached);
    employees.erase(e, asio::detached);
#endif
}

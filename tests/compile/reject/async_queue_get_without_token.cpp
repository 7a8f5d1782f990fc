// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[W12]: an asynchronous operation takes a completion token last
#include <tablemap/queue/async_queue.hpp>

#include <boost/asio/detached.hpp>

namespace asio = boost::asio;

void use(tablemap::async_queue const& tasks) {
#ifdef TABLEMAP_REJECT
    tasks.get(32);
#else
    tasks.get(32, asio::detached);
#endif
}

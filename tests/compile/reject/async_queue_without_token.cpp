// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[W12]: an asynchronous operation takes a completion token last
#include <tablemap/queue/async_queue.hpp>

#include <boost/asio/detached.hpp>

namespace asio = boost::asio;

void use(tablemap::async_queue const& tasks, tablemap::call_options const& options) {
#ifdef TABLEMAP_REJECT
    tasks.put("archive 4711", options);
#else
    tasks.put("archive 4711", options, asio::detached);
#endif
}

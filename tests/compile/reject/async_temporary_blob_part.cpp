// SPDX-License-Identifier: Apache-2.0
// expect-gcc: tablemap[W9]: g++ 12 destroys an aggregate twice that is a temporary in a co_await expression
// expect-clang: this compiler takes temporaries
#include <tablemap/blob/async_blob_container.hpp>

#include <boost/asio/use_future.hpp>

namespace tmap = tablemap;

void read(tmap::async_blob_container const& files) {
    tmap::blob_part const named{.range = tmap::blob_range{0, 3}};
    files.get("a", named, boost::asio::use_future);
#ifdef TABLEMAP_REJECT
    files.get("a", tmap::blob_part{.range = tmap::blob_range{0, 3}}, boost::asio::use_future);
    static_assert(!tmap::aggregate_temporaries_are_safe, "this compiler takes temporaries");
#endif
}

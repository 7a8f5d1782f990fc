// SPDX-License-Identifier: Apache-2.0
// expect-gcc: tablemap[W9]: g++ 12 destroys an aggregate twice that is a temporary in a co_await expression
// expect-clang: this compiler takes temporaries
#include <tablemap/async.hpp>

#include <boost/asio/use_future.hpp>

#include <string>
#include <vector>

namespace tmap = tablemap;

struct note {
    std::string id{};
    std::string text{};
};

template <> struct tmap::mapping<note> {
    static constexpr auto partition_key = tmap::key("notes");
    static constexpr auto row_key = tmap::key(tmap::part<&note::id>);
};

void write(tmap::async_table<note>& notes) {
    tmap::bulk_options const named{.parallel = 2};
    std::vector<note> const rows(2);
    notes.insert_many(rows, named, boost::asio::use_future);
    notes.insert_many(rows, named, tmap::call_options{.request_id = "these may be temporaries"},
                      boost::asio::use_future);
#ifdef TABLEMAP_REJECT
    notes.insert_many(rows, tmap::bulk_options{.parallel = 2}, boost::asio::use_future);
    static_assert(!tmap::aggregate_temporaries_are_safe, "this compiler takes temporaries");
#endif
}

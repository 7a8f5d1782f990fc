// SPDX-License-Identifier: Apache-2.0
// expect-gcc: tablemap[W9]: g++ 12 destroys an aggregate twice that is a temporary in a co_await expression
// expect-gcc: give the value a name and pass that
// expect-clang: this compiler takes temporaries
#include <tablemap/async.hpp>

#include <boost/asio/use_future.hpp>

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
    note const named{.id = "1", .text = "kept"};
    notes.insert(named, boost::asio::use_future);
#ifdef TABLEMAP_REJECT
    notes.insert(note{.id = "2", .text = "a temporary"}, boost::asio::use_future);
    static_assert(!tmap::aggregate_temporaries_are_safe, "this compiler takes temporaries");
#endif
}

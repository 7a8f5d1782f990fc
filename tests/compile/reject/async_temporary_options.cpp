// SPDX-License-Identifier: Apache-2.0
// expect-gcc: tablemap[W9]: g++ 12 destroys an aggregate twice that is a temporary in a co_await expression
// expect-clang: this compiler takes temporaries
#include <tablemap/async.hpp>

#include <boost/asio/use_future.hpp>

#include <string>

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
    tmap::reencryption_options const named{.values_in_the_open = true};
    notes.reencrypt(named, boost::asio::use_future);
    notes.reencrypt({}, boost::asio::use_future);
#ifdef TABLEMAP_REJECT
    notes.reencrypt(tmap::reencryption_options{}, boost::asio::use_future);
    static_assert(!tmap::aggregate_temporaries_are_safe, "this compiler takes temporaries");
#endif
}

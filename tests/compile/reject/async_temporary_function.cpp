// SPDX-License-Identifier: Apache-2.0
// expect-gcc: tablemap[W9]: g++ 12 destroys a function object with captures twice that is a temporary in a co_await expression
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

void write(tmap::async_table<note>& notes, std::string const& text) {
    notes.modify(
        {"1"}, [&](note& n) { n.text = text; }, boost::asio::use_future);
    auto const named = [text](note& n) { n.text = text; };
    notes.modify({"1"}, named, boost::asio::use_future);
#ifdef TABLEMAP_REJECT
    notes.modify(
        {"1"}, [text](note& n) { n.text = text; }, boost::asio::use_future);
    static_assert(!tmap::aggregate_temporaries_are_safe, "this compiler takes temporaries");
#endif
}

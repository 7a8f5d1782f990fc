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
    static constexpr auto row_key = tmap::key("n_", tmap::part<&note::id>);
    static constexpr auto indexes =
        tmap::indexes(tmap::index<"by_text">(tmap::key("text_", tmap::part<&note::text>.escaped())));
};

void write(tmap::async_table<note>& notes) {
    tmap::index_audit_options const named{.at_once = 2};
    notes.verify_indexes(named, boost::asio::use_future);
#ifdef TABLEMAP_REJECT
    notes.verify_indexes(tmap::index_audit_options{.at_once = 2}, boost::asio::use_future);
    static_assert(!tmap::aggregate_temporaries_are_safe, "this compiler takes temporaries");
#endif
}

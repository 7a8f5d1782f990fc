// SPDX-License-Identifier: Apache-2.0
// expect-gcc: tablemap[W9]: g++ 12 destroys a function object with captures twice that is a temporary in a co_await expression
// expect-clang: this compiler takes temporaries
#include <tablemap/async.hpp>

#include <boost/asio/use_future.hpp>

#include <optional>
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
    auto rows = [text, left = 3]() mutable -> std::optional<note> {
        if (left == 0) return std::nullopt;
        return note{.id = std::to_string(left--), .text = text};
    };
    notes.insert_many(rows, boost::asio::use_future);
#ifdef TABLEMAP_REJECT
    notes.insert_many([text]() -> std::optional<note> { return std::nullopt; }, boost::asio::use_future);
    static_assert(!tmap::aggregate_temporaries_are_safe, "this compiler takes temporaries");
#endif
}

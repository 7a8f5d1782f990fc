// SPDX-License-Identifier: Apache-2.0
#include "support/random.hpp"
#include "tablemap/detail/base/utf.hpp"
#include "tablemap/embedded/store.hpp"
#include "tablemap/table/table.hpp"
#include "tablemap/testing/faulty_store.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

/// A query by an index gives the same as sorting all entities and choosing among them, whatever was written
/// before.

namespace tablemap::test {
namespace {

struct song {
    std::string shelf{};
    std::int32_t id{};
    std::string title{};
    std::int32_t plays{};
    std::string code{};
    bool liked{};

    friend bool operator==(song const&, song const&) = default;
};

}  // namespace
}  // namespace tablemap::test

template <> struct tablemap::mapping<tablemap::test::song> {
    using song = test::song;
    static constexpr auto partition_key = key(part<&song::shelf>.may_be_empty());
    static constexpr auto row_key = key("id_", part<&song::id>.width(4));
    static constexpr auto indexes = tablemap::indexes(
        index<"by_title">(key("title_", part<&song::title>.escaped())),
        index<"by_plays">(key("plays_", part<&song::plays>.descending(), "_", part<&song::title>.escaped()))
            .where(&song::liked),
        unique_index<"by_code">(key("code_", part<&song::code>)).include<&song::title>());
};

namespace tablemap::test {
namespace {

bool text_less(std::string const& a, std::string const& b) { return detail::compare_utf16(a, b) < 0; }

using chooses = std::function<bool(song const&)>;
using stands_before = std::function<bool(song const&, song const&)>;

class index_queries : public ::testing::Test {
protected:
    void SetUp() override {
        songs().create();
        for (int i = 0; i < 60; ++i) write();
    }

    /// Over pages of random sizes.
    table<song> songs() {
        auto s = std::make_shared<tablemap::testing::faulty_store>(store_);
        s->shorten_pages(random_.word());
        return {s, "Songs"};
    }

    song any_song() {
        auto const id = static_cast<std::int32_t>(random_.below(30));
        return {.shelf = std::string(1, static_cast<char>('a' + random_.below(2))),
                .id = id,
                .title = random_.coin() ? random_.text(4) : any_title(),
                .plays = static_cast<std::int32_t>(random_.below(10)) - 5,
                .code = std::to_string(id) + "_" + random_.key_text(3),
                .liked = random_.coin()};
    }

    /// One of a few, which therefore comes often.
    std::string any_title() {
        static std::string const some[] = {"", "a", "a b", "a/b", "ab", "b", "\xF0\x9F\x8E\xB5", "\xEF\xBF\xBD"};
        return some[random_.below(std::size(some))];
    }

    void write() {
        auto const s = any_song();
        auto const t = songs();
        switch (random_.below(4)) {
        case 0: static_cast<void>(t.erase_any({s.shelf, s.id})); break;
        case 1: static_cast<void>(t.try_modify({s.shelf, s.id}, [&](song& old) { old = s; })); break;
        default: t.upsert_replace(s); break;
        }
    }

    /// The contents of the entities' own rows.
    std::vector<song> all(std::string const& shelf, chooses const& chosen, stands_before const& order) {
        std::vector<song> found;
        for (auto& e : songs().query(partition(shelf)))
            if (chosen(e.value)) found.push_back(e.value);
        std::stable_sort(found.begin(), found.end(), order);
        return found;
    }

    template <class Range> static std::vector<song> read(Range&& range) {
        std::vector<song> found;
        for (auto& e : range) found.push_back(std::move(e.value));
        return found;
    }

    random_source random_;

private:
    store_ptr store_ = value_or_throw(open_embedded({.path = ":memory:"}));
};

bool by_title(song const& x, song const& y) { return text_less(x.title, y.title); }
bool by_plays(song const& x, song const& y) {
    return x.plays != y.plays ? x.plays > y.plays : text_less(x.title, y.title);
}

TEST_F(index_queries, give_ranges_of_text_as_sorting_does) {
    for (int i = 0; i < 60; ++i) {
        write();
        auto const from = any_title(), to = any_title();
        std::string const shelf = random_.coin() ? "a" : "b";
        auto const in = [&](song const& s) { return !text_less(s.title, from) && text_less(s.title, to); };
        ASSERT_EQ(read(songs().query_by<"by_title">(partition(shelf), row_range(from, to))), all(shelf, in, by_title));
        auto const begins = [&](song const& s) { return s.title.starts_with(from); };
        ASSERT_EQ(read(songs().query_by<"by_title">(partition(shelf), starting_with(from))),
                  all(shelf, begins, by_title));
        auto const is = [&](song const& s) { return s.title == from; };
        ASSERT_EQ(read(songs().query_by<"by_title">(partition(shelf), leading(from))), all(shelf, is, by_title));
    }
}

TEST_F(index_queries, give_ranges_of_numbers_in_reverse_order_as_sorting_does) {
    for (int i = 0; i < 60; ++i) {
        write();
        auto const from = static_cast<std::int32_t>(random_.below(12)) - 6;
        auto const to = static_cast<std::int32_t>(random_.below(12)) - 6;
        auto const title = any_title();
        auto const in = [&](song const& s) { return s.liked && s.plays >= from && s.plays <= to; };
        ASSERT_EQ(read(songs().query_by<"by_plays">(partition("a"), row_between(from, to))), all("a", in, by_plays));
        auto const begins = [&](song const& s) { return s.liked && s.plays == from && s.title.starts_with(title); };
        ASSERT_EQ(read(songs().query_by<"by_plays">(partition("a"), starting_with(from, title))),
                  all("a", begins, by_plays));
    }
}

TEST_F(index_queries, find_by_a_unique_value_what_has_it) {
    for (int i = 0; i < 60; ++i) {
        write();
        auto const every = [](song const&) { return true; };
        for (auto const& s : all("b", every, by_title)) {
            auto const found = songs().find_by<"by_code">("b", s.code);
            ASSERT_TRUE(found);
            ASSERT_EQ(found->value, s);
            ASSERT_FALSE(found->etag.empty());
        }
        auto const code = random_.key_text(3);
        auto const has = [&](song const& s) { return s.code == code; };
        ASSERT_EQ(songs().find_by<"by_code">("b", code).has_value(), !all("b", has, by_title).empty());
    }
}

TEST_F(index_queries, keep_as_many_rows_as_there_are_entities) {
    for (int i = 0; i < 60; ++i) {
        write();
        ASSERT_EQ(songs().query_by<"by_title">(partition("a")).count(), songs().query(partition("a")).count());
        ASSERT_EQ(songs().query_by<"by_code">(partition("a")).count(), songs().query(partition("a")).count());
    }
}

}  // namespace
}  // namespace tablemap::test

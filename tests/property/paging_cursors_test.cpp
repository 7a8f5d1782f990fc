// SPDX-License-Identifier: Apache-2.0
#include "support/random.hpp"
#include "tablemap/embedded/store.hpp"
#include "tablemap/table/table.hpp"
#include "tablemap/testing/faulty_store.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

/// A query that is taken up again from cursors gives what it gives in one go, however its pages fall.

namespace tablemap {
namespace {

/// 0: each site is a partition. 1: each site is spread over three.
template <int Form> struct sample {
    std::string site{};
    std::int32_t number{};
    std::string device{};
    std::int32_t level{};

    std::string id() const { return site + '/' + std::to_string(number) + '/' + device; }
};

}  // namespace

template <> struct mapping<sample<0>> {
    static constexpr auto partition_key = key(part<&sample<0>::site>);
    static constexpr auto row_key = key(part<&sample<0>::number>.ordered(), part<&sample<0>::device>.escaped());
};
template <> struct mapping<sample<1>> {
    static constexpr auto partition_key = key(part<&sample<1>::site>, "_", spread<3>(part<&sample<1>::device>));
    static constexpr auto row_key = key(part<&sample<1>::number>.ordered(), part<&sample<1>::device>.escaped());
};

namespace test {
namespace {

template <class T> struct query_under_test {
    char const* name;
    bool ordered;
    std::function<query_range<T>(table<T> const&)> make;
};

template <class T> std::vector<query_under_test<T>> const& queries() {
    static auto const some = std::vector{partition("d"), partition("a"), partition("none"), partition("c")};
    static std::vector<query_under_test<T>> const all{
        {"a partition", true, [](auto const& t) { return t.query(partition("b")); }},
        {"a filtered partition", true,
         [](auto const& t) { return t.query(partition("b")).where(field<&T::level> >= 50); }},
        {"a range of rows", true, [](auto const& t) { return t.query(partition("b"), row_range(-4, 5)); }},
        {"a list of partitions", true, [](auto const& t) { return t.query(some); }},
        {"a list in any order", false, [](auto const& t) { return t.query(some).in_any_order(); }},
        {"a scan", true, [](auto const& t) { return t.scan(); }},
        {"a split scan", true,
         [](auto const& t) {
             return t.scan().split_at({"b", "c_1"});
         }},
        {"a page read ahead", true, [](auto const& t) { return t.query(partition("b")).read_ahead(); }},
        {"a filtered scan", true, [](auto const& t) { return t.scan(field<&T::level> < 50); }},
    };
    return all;
}

template <class T> class paging : public ::testing::Test {
protected:
    void SetUp() override {
        plain().create();
        for (int i = 0; i < 250; ++i) put();
    }

    table<T> plain() const { return {store_, "Samples"}; }

    /// Another table object over another way to the same store, whose pages have other sizes.
    table<T> another() {
        auto s = std::make_shared<tablemap::testing::faulty_store>(store_);
        s->shorten_pages(random_.word());
        return {s, "Samples"};
    }

    /// Stores a random row. Returns its name.
    std::string put() {
        T const row{.site = std::string(1, static_cast<char>('a' + random_.below(5))),
                    .number = static_cast<std::int32_t>(random_.below(20)) - 10,
                    .device = random_.key_text(4),
                    .level = static_cast<std::int32_t>(random_.below(100))};
        plain().upsert_replace(row);
        return row.id();
    }

    std::string erase_any_row(std::vector<std::string> const& ids) {
        auto const& id = ids[random_.below(ids.size())];
        for (auto const& e : plain().scan())
            if (e.value.id() == id) {
                plain().erase(e);
                break;
            }
        return id;
    }

    static std::vector<std::string> ids(query_range<T> range) {
        std::vector<std::string> found;
        for (auto const& e : range) found.push_back(e.value.id());
        return found;
    }

    /// Reads a query some rows at a time, every time from a cursor. Between the times `change` is called.
    template <class Change> std::vector<std::string> read_in_parts(query_under_test<T> const& q, Change change) {
        std::vector<std::string> found;
        auto const at_a_time = 1 + random_.below(20);
        std::optional<std::string> cursor;
        do {
            auto range = q.make(another()).page_size(1 + random_.below(12));
            if (cursor) range = std::move(range).from(*cursor);
            for (std::size_t i = 0; i < at_a_time; ++i)
                if (auto const e = value_or_throw(range.try_next())) found.push_back(e->value.id());
            cursor = range.cursor();
            if (cursor) {
                EXPECT_THAT(*cursor, ::testing::MatchesRegex("[A-Za-z0-9_-]+"));
                change();
            }
        } while (cursor && found.size() < most_rows);
        EXPECT_FALSE(cursor) << "the query did not end after " << found.size() << " rows";
        return found;
    }

    random_source random_;
    static constexpr std::size_t most_rows = 2000;

private:
    store_ptr store_ = value_or_throw(open_embedded({.path = ":memory:"}));
};

using forms = ::testing::Types<sample<0>, sample<1>>;
TYPED_TEST_SUITE(paging, forms);

TYPED_TEST(paging, from_cursors_gives_what_one_go_gives) {
    for (auto const& q : queries<TypeParam>())
        for (int i = 0; i < 4; ++i) {
            auto whole = this->ids(q.make(this->plain()));
            auto parts = this->read_in_parts(q, [] {});
            if (!q.ordered) {
                std::sort(whole.begin(), whole.end());
                std::sort(parts.begin(), parts.end());
            }
            ASSERT_EQ(parts, whole) << q.name;
        }
}

TYPED_TEST(paging, loses_and_repeats_no_row_while_others_come_and_go) {
    for (auto const& q : queries<TypeParam>()) {
        auto const before = this->ids(q.make(this->plain()));
        ASSERT_FALSE(before.empty()) << q.name;
        std::set<std::string> touched;
        // Rows that come faster than they are read would make the query endless.
        auto parts = this->read_in_parts(q, [&, changes = 40]() mutable {
            if (--changes < 0) return;
            for (int i = 0; i < 3; ++i) touched.insert(this->put());
            for (int i = 0; i < 2; ++i) touched.insert(this->erase_any_row(before));
        });
        std::sort(parts.begin(), parts.end());
        EXPECT_EQ(std::adjacent_find(parts.begin(), parts.end()), parts.end()) << q.name;
        for (auto const& id : before)
            EXPECT_TRUE(touched.contains(id) || std::binary_search(parts.begin(), parts.end(), id)) << q.name;
    }
}

TYPED_TEST(paging, of_a_split_scan_is_in_the_order_of_the_scan) {
    auto const whole = this->ids(this->plain().scan());
    EXPECT_EQ(this->ids(this->another().scan().split_at({"b", "c_1"})), whole);
}

TYPED_TEST(paging, goes_on_from_a_cursor_that_was_taken_before_the_first_row) {
    for (auto const& q : queries<TypeParam>()) {
        auto const cursor = q.make(this->another()).cursor();
        ASSERT_TRUE(cursor) << q.name;
        auto whole = this->ids(q.make(this->plain()));
        auto again = this->ids(q.make(this->another()).from(*cursor));
        EXPECT_THAT(again, ::testing::UnorderedElementsAreArray(whole)) << q.name;
    }
}

TYPED_TEST(paging, has_no_cursor_at_the_end) {
    for (auto const& q : queries<TypeParam>()) {
        auto range = q.make(this->another());
        while (value_or_throw(range.try_next())) {
        }
        EXPECT_FALSE(range.cursor()) << q.name;
    }
}

TYPED_TEST(paging, refuses_the_cursors_of_other_queries) {
    auto const& all = queries<TypeParam>();
    // These two read the same rows in the same partitions, so that their cursors are the same.
    auto const alike = [](std::string_view name) {
        return name == "a list in any order" ? "a list of partitions"
               : name == "a page read ahead" ? "a partition"
                                             : name;
    };
    for (auto const& from : all)
        for (auto const& to : all) {
            auto range = to.make(this->plain()).from(*from.make(this->plain()).cursor());
            auto const r = range.try_next();
            if (alike(from.name) == alike(to.name))
                EXPECT_TRUE(r) << from.name << " to " << to.name;
            else
                EXPECT_TRUE(!r && r.error().code() == library_errc::invalid_cursor) << from.name << " to " << to.name;
        }
}

TYPED_TEST(paging, refuses_cursors_that_were_tampered_with_or_goes_on_with_them) {
    for (auto const& q : queries<TypeParam>()) {
        auto range = q.make(this->plain()).page_size(5);
        for (int i = 0; i < 7; ++i) static_cast<void>(range.try_next());
        auto const good = *range.cursor();
        for (int i = 0; i < 60; ++i) {
            auto bad = good;
            switch (this->random_.below(3)) {
            case 0: bad[this->random_.below(bad.size())] = static_cast<char>(this->random_.below(256)); break;
            case 1: bad.resize(this->random_.below(bad.size())); break;
            default: bad += this->random_.text(5);
            }
            auto damaged = q.make(this->plain()).from(bad);
            for (int rows = 0; rows < 3; ++rows) {
                auto const r = damaged.try_next();
                if (!r) {
                    EXPECT_NE(r.error().code(), std::error_code{});
                    break;
                }
            }
        }
    }
}

}  // namespace
}  // namespace test
}  // namespace tablemap

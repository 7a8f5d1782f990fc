// SPDX-License-Identifier: Apache-2.0
#include "tablemap/embedded/store.hpp"
#include "tablemap/testing/faulty_store.hpp"

#include "support/answers.hpp"
#include "support/rolling_samples.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <random>

namespace tablemap::test {
namespace {

using namespace std::chrono_literals;
using tablemap::testing::fault;
using tablemap::testing::faulty_store;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

class rolling_queries : public ::testing::Test {
protected:
    rolling_queries() {
        for (int day : {0, 1, 3, 4})
            for (int hour : {1, 12, 23}) sign_ins.insert({"ana", day_of_2014(day, hour), day * 100 + hour});
    }

    /// Reads a query in pieces of so many entities, each by another range.
    std::vector<int> in_pieces(rolling_range<sign_in> const& query, std::size_t size) {
        std::vector<int> all;
        std::optional<std::string> cursor;
        do {
            auto piece = cursor ? query.from(*cursor).top(size) : query.top(size);
            auto const read = numbers_in(piece);
            all.insert(all.end(), read.begin(), read.end());
            cursor = piece.cursor();
            if (cursor) between_pieces();
        } while (cursor);
        return all;
    }
    std::function<void()> between_pieces = [] {};

    std::shared_ptr<faulty_store> counted =
        std::make_shared<faulty_store>(value_or_throw(open_embedded({.path = ":memory:"})));
    daily_sign_ins sign_ins{counted, "signins", on_day(40)};
    decltype(partition("ana")) ana = partition("ana");
};

TEST_F(rolling_queries, visit_the_tables_in_order_of_time) {
    auto const all = sign_ins.query(period<>{}, ana);
    EXPECT_THAT(numbers_in(all), ElementsAre(1, 12, 23, 101, 112, 123, 301, 312, 323, 401, 412, 423));
    EXPECT_THAT(numbers_in(all.newest_table_first()),
                ElementsAre(401, 412, 423, 301, 312, 323, 101, 112, 123, 1, 12, 23));
}

TEST_F(rolling_queries, find_the_entities_of_the_span_alone) {
    auto const when = since(day_of_2014(1, 12)).before(day_of_2014(4, 12));
    EXPECT_THAT(numbers_in(sign_ins.query(when, ana)), ElementsAre(112, 123, 301, 312, 323, 401));
    EXPECT_THAT(numbers_in(sign_ins.scan(since(day_of_2014(4, 2)))), ElementsAre(412, 423));
    EXPECT_THAT(numbers_in(sign_ins.scan(before(day_of_2014(0, 2)))), ElementsAre(1));
    EXPECT_THAT(numbers_in(sign_ins.scan(since(day_of_2014(2)).before(day_of_2014(3)))), IsEmpty());
    EXPECT_THAT(numbers_in(sign_ins.scan(since(day_of_2014(4)).before(day_of_2014(0)))), IsEmpty());
}

TEST_F(rolling_queries, take_the_table_of_the_last_instant_and_not_that_of_the_end) {
    auto const before_reading = counted->requests();
    EXPECT_THAT(numbers_in(sign_ins.scan(since(day_of_2014(0)).before(day_of_2014(1)))), ElementsAre(1, 12, 23));
    EXPECT_EQ(counted->requests() - before_reading, 1u);
}

TEST_F(rolling_queries, take_times_of_other_units) {
    std::chrono::sys_days const first{std::chrono::year{2014} / 1 / 1};
    EXPECT_THAT(numbers_in(sign_ins.scan(since(first).before(first + std::chrono::days{1}))), ElementsAre(1, 12, 23));
}

TEST_F(rolling_queries, are_narrowed_by_conditions_and_rows) {
    EXPECT_THAT(numbers_in(sign_ins.query(period<>{}, ana).where(field<&sign_in::at> >= day_of_2014(4, 12))),
                ElementsAre(412, 423));
    EXPECT_THAT(numbers_in(sign_ins.query(period<>{}, ana, row_range(100, 112))), ElementsAre(101));
    EXPECT_THAT(numbers_in(sign_ins.query(period<>{}, partition("eve"))), IsEmpty());
    EXPECT_THAT(numbers_in(sign_ins.query(period<>{}, ana).top(4)), ElementsAre(1, 12, 23, 101));
    EXPECT_THAT(numbers_in(sign_ins.query(period<>{}, ana).top(0)), IsEmpty());
    EXPECT_EQ(sign_ins.query(since(day_of_2014(1, 2)), ana).first()->value.number, 112);
}

TEST_F(rolling_queries, of_one_s_own_are_made_for_each_table) {
    auto const lists = [&](table<sign_in> const& t) { return t.query(std::vector{ana, partition("bob")}); };
    sign_ins.insert({"bob", day_of_2014(1, 12), 105});
    EXPECT_THAT(numbers_in(sign_ins.query_each(since(day_of_2014(1)).before(day_of_2014(2)), lists)),
                ElementsAre(101, 112, 123, 105));
}

TEST_F(rolling_queries, of_one_s_own_are_of_the_table_that_the_function_was_given) {
    auto const first_day = since(day_of_2014(0)).before(day_of_2014(1));
    table<sign_in> const in_other_store{counted, "signins20140101"};
    std::vector<std::function<query_range<sign_in>(table<sign_in> const&)>> const wrong{
        [&](auto const&) { return sign_ins.at(day_of_2014(3)).query(ana); },
        [&](auto const&) { return in_other_store.query(ana); }, [&](auto const& t) { return t.query(ana).top(2); }};
    for (auto const& make : wrong)
        EXPECT_TRUE(failed_with(sign_ins.query_each(first_day, make).try_first(), library_errc::unsupported));
}

TEST_F(rolling_queries, begin_again_with_each_loop_and_are_copied_unread) {
    auto range = sign_ins.query(before(day_of_2014(1)), ana);
    EXPECT_EQ(range.try_next().value()->value.number, 1);
    auto copy = range;
    EXPECT_THAT(numbers_in(range), ElementsAre(1, 12, 23));
    EXPECT_THAT(numbers_in(copy), ElementsAre(1, 12, 23));
}

TEST_F(rolling_queries, do_not_make_a_key_that_cannot_be) {
    auto const r = sign_ins.query(period<>{}, partition("a/b")).try_first();
    ASSERT_FALSE(r);
    EXPECT_EQ(r.error().code(), library_errc::invalid_key);
}

TEST_F(rolling_queries, list_the_tables_of_an_open_or_long_span) {
    auto const requests = [&](auto const& when) {
        auto const before_reading = counted->requests();
        static_cast<void>(numbers_in(sign_ins.scan(when)));
        return counted->requests() - before_reading;
    };
    EXPECT_EQ(requests(period<>{}), 5u);
    EXPECT_EQ(requests(since(day_of_2014(3))), 3u);
    EXPECT_EQ(requests(since(day_of_2014(0)).before(day_of_2014(100))), 100u);
    EXPECT_EQ(requests(since(day_of_2014(0)).before(day_of_2014(101))), 5u);
    EXPECT_EQ(requests(since(ticks::min()).before(ticks::max())), 5u);
}

TEST_F(rolling_queries, go_on_behind_the_entities_taken_after_an_error) {
    auto range = sign_ins.scan(period<>{}).page_size(2);
    counted->fail_next(fault::busy, 4);
    std::vector<int> read;
    std::size_t faults = 0;
    for (;;) {
        auto const next = range.try_next();
        if (!next) {
            ++faults;
            continue;
        }
        if (!*next) break;
        read.push_back((*next)->value.number);
    }
    EXPECT_EQ(faults, 1u);
    EXPECT_THAT(read, ElementsAre(1, 12, 23, 101, 112, 123, 301, 312, 323, 401, 412, 423));
}

TEST_F(rolling_queries, report_rows_that_cannot_be_read) {
    table<dynamic_entity> const raw{counted, "signins20140102"};
    dynamic_entity odd{"ana", "at_x"};
    raw.insert(odd);
    EXPECT_THROW(numbers_in(sign_ins.query(since(day_of_2014(1)), ana)), error);
    std::size_t bad = 0;
    auto const skip = skip_bad_rows([&](bad_row const&) { ++bad; });
    EXPECT_EQ(numbers_in(sign_ins.query(period<>{}, ana).on_error(skip)).size(), 12u);
    EXPECT_EQ(bad, 1u);
}

// ---- cursors --------------------------------------------------------------------------------------------------------

TEST_F(rolling_queries, go_on_from_a_cursor_at_every_place) {
    for (auto const& query : {sign_ins.query(period<>{}, ana), sign_ins.query(period<>{}, ana).newest_table_first(),
                              sign_ins.scan(since(day_of_2014(0, 2)).before(day_of_2014(4, 20)))})
        for (std::size_t size = 1; size < 14; ++size) EXPECT_EQ(in_pieces(query, size), numbers_in(query)) << size;
}

TEST_F(rolling_queries, have_no_cursor_at_the_end_and_one_at_the_beginning) {
    auto query = sign_ins.query(period<>{}, ana);
    auto const first = query.cursor();
    ASSERT_TRUE(first);
    EXPECT_EQ(numbers_in(query.from(*first)).size(), 12u);
    EXPECT_EQ(numbers_in(query).size(), 12u);
    EXPECT_FALSE(query.cursor());
}

TEST_F(rolling_queries, refuse_the_cursor_of_another_query) {
    auto query = sign_ins.query(period<>{}, ana);
    static_cast<void>(query.try_next());
    auto const cursor = *query.cursor();
    auto const refuses = [&](rolling_range<sign_in> const& other, std::string const& text) {
        auto const r = other.from(text).try_first();
        return !r && r.error().code() == library_errc::invalid_cursor;
    };
    EXPECT_TRUE(refuses(query.newest_table_first(), cursor));
    EXPECT_TRUE(refuses(sign_ins.query(since(day_of_2014(0)), ana), cursor));
    EXPECT_TRUE(refuses(sign_ins.query(period<>{}, partition("bob")), cursor));
    EXPECT_TRUE(refuses(query.where(field<&sign_in::success>), cursor));
    EXPECT_TRUE(refuses(daily_sign_ins{counted, "logins"}.query(period<>{}, ana), cursor));
    for (auto const* const bad : {"", "r1", "x", "1AAAA"}) EXPECT_TRUE(refuses(query, bad)) << bad;
    EXPECT_TRUE(refuses(query, cursor + "x"));
    EXPECT_TRUE(refuses(query, cursor.substr(0, 20)));
    EXPECT_TRUE(refuses(query, cursor.substr(0, cursor.find('.') + 1))) << "it would begin with the table anew";
}

TEST_F(rolling_queries, go_on_from_a_cursor_whose_table_was_dropped) {
    auto query = sign_ins.query(period<>{}, ana);
    for (int i = 0; i < 5; ++i) static_cast<void>(query.try_next());
    auto const cursor = *query.cursor();
    table_service{counted}.delete_table("signins20140102");
    EXPECT_THAT(numbers_in(query.from(cursor)), ElementsAre(301, 312, 323, 401, 412, 423));
    EXPECT_THAT(numbers_in(sign_ins.query(period<>{}, ana)), ElementsAre(1, 12, 23, 301, 312, 323, 401, 412, 423));
}

/// Behind the entity taken last come a table of which nothing is asked, and one that is not there.
TEST_F(rolling_queries, leave_the_entity_taken_last_where_it_is_when_a_cursor_is_made) {
    auto const lists = [&](table<sign_in> const& t) {
        return t.query(t.name() == "signins20140102" ? std::vector<decltype(ana)>{} : std::vector{ana});
    };
    auto range = sign_ins.query_each(since(day_of_2014(0)).before(day_of_2014(4)), lists);
    auto it = range.begin();
    ++it;
    ++it;
    EXPECT_TRUE(range.cursor());
    EXPECT_TRUE(range.cursor());
    EXPECT_EQ(it->value, (sign_in{"ana", day_of_2014(0, 23), 23}));
}

TEST_F(rolling_queries, end_a_table_that_is_dropped_while_it_is_read) {
    std::vector<int> read;
    for (auto const& e : sign_ins.query(period<>{}, ana).page_size(2)) {
        read.push_back(e.value.number);
        if (e.value.number == 101) table_service{counted}.delete_table("signins20140102");
    }
    EXPECT_THAT(read, ElementsAre(1, 12, 23, 101, 112, 301, 312, 323, 401, 412, 423));
}

TEST_F(rolling_queries, see_tables_that_are_created_between_two_pieces) {
    bool once = false;
    between_pieces = [&] {
        if (!std::exchange(once, true)) sign_ins.insert({"ana", day_of_2014(2), 200});
    };
    EXPECT_EQ(in_pieces(sign_ins.query(period<>{}, ana), 2).size(), 13u);
}

/// Random spans, directions and sizes of pieces find what a sorted list of all entities has.
TEST(rolling_query_model, agrees) {
    std::mt19937 random{7};
    auto const below = [&](int n) { return std::uniform_int_distribution<int>{0, n - 1}(random); };
    auto const store = value_or_throw(open_embedded({.path = ":memory:"}));
    rolling_table<sign_in, &sign_in::at, table_per::hour> const hourly{store, "log"};
    std::vector<sign_in> all;
    for (int i = 0; i < 200; ++i) {
        all.push_back(
            {"u" + std::to_string(below(2)), day_of_2014(below(3), below(24)) + std::chrono::minutes{below(60)}, i});
        hourly.insert(all.back());
    }
    for (int round = 0; round < 60; ++round) {
        auto const from = day_of_2014(below(3), below(24)) + std::chrono::minutes{below(60)};
        auto const to = from + std::chrono::minutes{below(3000)};
        bool const reverse = below(2) == 1;
        std::vector<sign_in> wanted;
        for (auto const& s : all)
            if (from <= s.at && s.at < to) wanted.push_back(s);
        auto const place = [&](sign_in const& s) {
            auto const hour = s.at.count() / 36'000'000'000;
            return std::tuple{reverse ? -hour : hour, s.user, s.number};
        };
        std::sort(wanted.begin(), wanted.end(), [&](auto& a, auto& b) { return place(a) < place(b); });
        auto query = hourly.scan(since(from).before(to)).page_size(static_cast<std::size_t>(1 + below(3)));
        if (reverse) query = query.newest_table_first();
        std::vector<int> numbers;
        for (auto const& s : wanted) numbers.push_back(s.number);
        EXPECT_EQ(numbers_in(query), numbers) << round;
    }
}

}  // namespace
}  // namespace tablemap::test

// SPDX-License-Identifier: Apache-2.0
#include "support/answers.hpp"
#include "support/readings.hpp"
#include "support/waited.hpp"
#include "tablemap/table/async_table.hpp"
#include "tablemap/table/join.hpp"
#include "tablemap/testing/faulty_store.hpp"

#include <gmock/gmock.h>

#include <algorithm>

/// A query is a value: what narrows it leaves it as it is, and every copy and every loop begins at its beginning.
namespace tablemap::test {
namespace {

using tablemap::testing::fault;

class query_value : public ::testing::Test {
protected:
    void SetUp() override { put_readings(inner_, "a", 0, 6); }

    static query_range<reading> all_of(table<reading> const& t) {
        return t.query(partition("a"), {.retry = retry_policy::none()}).page_size(2);
    }

    store_ptr inner_ = store_of_readings();
    std::shared_ptr<tablemap::testing::faulty_store> store_ = std::make_shared<tablemap::testing::faulty_store>(inner_);
    table<reading> t_{store_, readings_table};
};

TEST_F(query_value, is_read_from_its_beginning_by_every_loop) {
    auto range = all_of(t_);
    EXPECT_EQ(numbers_of(range), counting(0, 6));
    std::vector<std::int32_t> again;
    for (auto const& e : range) again.push_back(e.value.number);
    for (auto const& e : range) again.push_back(e.value.number);
    EXPECT_EQ(again.size(), 12u);
    EXPECT_TRUE(std::equal(again.begin(), again.begin() + 6, again.begin() + 6));
}

TEST_F(query_value, begins_again_after_a_loop_that_was_left_and_after_single_entities) {
    auto range = all_of(t_).read_ahead();
    for (auto const& e : range)
        if (e.value.number == 2) break;
    EXPECT_EQ(range.begin()->value.number, 0);
    EXPECT_EQ((*range.try_next())->value.number, 1) << "single entities go on behind what was taken";
    EXPECT_EQ(range.begin()->value.number, 0);
}

TEST_F(query_value, loses_no_entity_when_begin_is_asked_twice) {
    auto range = all_of(t_);
    EXPECT_FALSE(range.begin() == range.end());
    EXPECT_EQ(numbers_of(range), counting(0, 6));
}

TEST_F(query_value, goes_on_after_an_error_in_the_next_loop) {
    auto range = all_of(t_);
    std::vector<std::int32_t> numbers;
    store_->fail_next(fault::busy, 1);
    auto const read = [&] {
        for (auto const& e : range) numbers.push_back(e.value.number);
    };
    EXPECT_THROW(read(), error);
    EXPECT_EQ(numbers, counting(0, 2));
    read();
    EXPECT_EQ(numbers, counting(0, 6));
    read();
    EXPECT_EQ(numbers.size(), 12u);
}

TEST_F(query_value, is_copied_with_nothing_taken) {
    auto range = all_of(t_).top(4);
    EXPECT_EQ((*range.try_next())->value.number, 0);
    auto copy = range;
    EXPECT_EQ((*copy.try_next())->value.number, 0);
    EXPECT_EQ((*range.try_next())->value.number, 1) << "each goes its own way";
    EXPECT_EQ(numbers_of(copy), counting(0, 4));
    range = copy;
    EXPECT_EQ(numbers_of(range), counting(0, 4));
}

TEST_F(query_value, is_narrowed_step_by_step_and_stays_what_it_was) {
    auto const all = t_.query(partition("a"));
    auto some = all;
    some = some.where(field<&reading::level> >= 2);
    some = some.where(raw_filter("level lt {}", 5));
    EXPECT_EQ(numbers_of(some), counting(2, 5));
    EXPECT_EQ(numbers_of(some.top(2)), counting(2, 4));
    EXPECT_EQ(numbers_of(query_range<reading>{all}), counting(0, 6));
}

TEST_F(query_value, is_counted_and_looked_into_without_being_taken_from) {
    auto range = t_.query(partition("a")).where(field<&reading::level> >= 2).top(3);
    EXPECT_EQ((*range.try_next())->value.number, 2);
    EXPECT_EQ(range.count(), 3u);
    EXPECT_TRUE(range.exists());
    EXPECT_EQ(range.first()->value.number, 2);
    EXPECT_EQ((*range.try_next())->value.number, 3);
}

TEST_F(query_value, keeps_its_condition_in_a_variable) {
    condition<reading> wanted = field<&reading::level> >= 1;
    wanted = wanted && field<&reading::level> < 3;
    EXPECT_EQ(numbers_of(t_.query(partition("a")).where(wanted)), counting(1, 3));
}

TEST_F(query_value, of_selected_members_begins_again_too) {
    auto range = all_of(t_).select<&reading::number>().top(3);
    auto copy = range;
    for (int i = 0; i < 2; ++i) {
        std::vector<std::int32_t> numbers;
        for (auto const& [n] : copy) numbers.push_back(n);
        EXPECT_EQ(numbers, counting(0, 3));
    }
    EXPECT_EQ(range.count(), 3u);
}

TEST_F(query_value, that_does_not_block_is_copied_with_nothing_taken) {
    async_table<reading> const async{inner_, readings_table};
    auto range = async.query(partition("a")).page_size(2);
    using found = std::optional<entity<reading>>;
    auto const next = [](auto& r) { return waited<found>([&](auto token) { r.next(token); })->value.number; };
    EXPECT_EQ(next(range), 0);
    auto copy = range;
    EXPECT_EQ(next(copy), 0);
    EXPECT_EQ(next(range), 1);
    EXPECT_EQ(waited<std::size_t>([&](auto token) { range.count(token); }), 6u);
    EXPECT_EQ(waited<found>([&](auto token) { range.first(token); })->value.number, 0);
    EXPECT_EQ(next(range), 2);
}

TEST_F(query_value, of_a_join_begins_again) {
    auto pairs = join(all_of(t_), t_, [](entity<reading> const& e) { return key_of<reading>{"a", e.value.level}; });
    for (int i = 0; i < 2; ++i) {
        std::vector<std::int32_t> numbers;
        for (auto const& [left, right] : pairs) numbers.push_back(right->value.number);
        EXPECT_EQ(numbers, counting(0, 6));
    }
    static_assert(!std::is_copy_constructible_v<decltype(pairs)>);
}

TEST_F(query_value, that_was_read_is_erased_as_a_whole) {
    auto range = t_.query(partition("a")).top(4);
    EXPECT_EQ((*range.try_next())->value.number, 0);
    EXPECT_EQ(t_.erase_where(range).erased(), 4u);
    EXPECT_EQ(numbers_of(t_.query(partition("a"))), counting(4, 6));
}

}  // namespace
}  // namespace tablemap::test

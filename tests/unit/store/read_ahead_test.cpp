// SPDX-License-Identifier: Apache-2.0
#include "store/read_ahead.hpp"

#include "support/answers.hpp"
#include "support/operations.hpp"
#include "support/readings.hpp"
#include "support/waiting_stores.hpp"
#include "tablemap/async.hpp"

#include <boost/asio/bind_executor.hpp>
#include <boost/asio/io_context.hpp>

#include <optional>
#include <thread>
#include <utility>

namespace tablemap::test {
namespace {

namespace asio = boost::asio;
using tablemap::testing::answer_page;
using tablemap::testing::response_failure;
using tablemap::testing::scripted_store;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// 35 rows in pages of 10 on a store whose asynchronous responses wait.
class read_ahead : public ::testing::Test {
protected:
    void SetUp() override { put_readings(inner_, "a", 0, 35); }

    auto readings() const {
        return table<reading>{slow_, readings_table}.query(partition("a")).page_size(10).read_ahead();
    }

    static std::optional<std::int32_t> next_number(query_range<reading>& range) {
        auto const e = value_or_throw(range.try_next());
        return e ? std::optional{e->value.number} : std::nullopt;
    }

    store_ptr inner_ = store_of_readings();
    std::shared_ptr<pending_store> slow_ = std::make_shared<pending_store>(inner_);
};

TEST_F(read_ahead, gives_the_same_rows) {
    auto const answering = slow_->answer_from_now_on();
    EXPECT_EQ(numbers_of(readings()), counting(0, 35));
    EXPECT_EQ(slow_->asked(), 4u);
}

TEST_F(read_ahead, asks_for_the_next_page_before_the_one_at_hand_is_used) {
    auto range = readings();
    EXPECT_EQ(next_number(range), 0);
    EXPECT_EQ(slow_->asked(), 2u);
    EXPECT_EQ(slow_->pending(), 1u);
    slow_->answer_all();
    for (int i = 1; i < 10; ++i) EXPECT_EQ(next_number(range), i);
    EXPECT_EQ(slow_->asked(), 2u);
    EXPECT_EQ(next_number(range), 10);
    EXPECT_EQ(slow_->asked(), 3u);
    slow_->answer_all();
}

TEST_F(read_ahead, asks_for_nothing_behind_the_last_page) {
    auto const answering = slow_->answer_from_now_on();
    put_readings(inner_, "b", 0, 10);
    auto range = table<reading>{slow_, readings_table}.query(partition("b")).read_ahead();
    EXPECT_EQ(numbers_of(range), counting(0, 10));
    EXPECT_EQ(slow_->asked(), 1u);
}

TEST_F(read_ahead, asks_again_when_it_is_wanted_for_a_page_that_failed_early) {
    auto range = readings();
    EXPECT_EQ(next_number(range), 0);
    ASSERT_TRUE(slow_->answer_one(response_failure(service_errc::server_busy)));
    auto const answering = slow_->answer_from_now_on();
    for (int i = 1; i < 35; ++i) EXPECT_EQ(next_number(range), i);
    EXPECT_EQ(slow_->asked(), 5u);
}

TEST_F(read_ahead, waits_as_long_as_the_store_asked_for_a_page_that_failed_early) {
    tablemap::testing::fixed_clock clock;
    call_options const options{.retry = exact_retry(2), .clock = &clock};
    auto range = table<reading>{slow_, readings_table}.query(partition("a"), options).page_size(10).read_ahead();
    EXPECT_EQ(next_number(range), 0);
    auto busy = response_failure(service_errc::server_busy);
    busy.retry_after = std::chrono::seconds{7};
    ASSERT_TRUE(slow_->answer_one(busy));
    auto const answering = slow_->answer_from_now_on();
    for (int i = 1; i < 35; ++i) EXPECT_EQ(next_number(range), i);
    EXPECT_THAT(clock.waits(), ElementsAre(std::chrono::seconds{7}));
}

TEST_F(read_ahead, ends_cleanly_while_a_page_is_outstanding) {
    std::optional<std::jthread> answering;
    {
        auto range = readings();
        EXPECT_EQ(next_number(range), 0);
        ASSERT_EQ(slow_->pending(), 1u);
        answering.emplace(slow_->answer_from_now_on());
    }
    answering.reset();
    EXPECT_EQ(slow_->pending(), 0u);
}

TEST_F(read_ahead, of_several_ranges_of_a_scan_is_left_out) {
    auto const t = table<reading>{std::make_shared<meeting_store>(inner_, 3), readings_table};
    put_readings(inner_, "b", 0, 35);
    put_readings(inner_, "c", 0, 35);
    EXPECT_EQ(numbers_of(t.scan().page_size(10).read_ahead().split_at({"b", "c"})).size(), 105u);
    EXPECT_EQ(numbers_of(t.scan().page_size(10).split_at({"b", "c"}).read_ahead()).size(), 105u);
}

TEST_F(read_ahead, asked_for_twice_reads_one_page_ahead) {
    auto range = readings().read_ahead();
    EXPECT_EQ(next_number(range), 0);
    EXPECT_EQ(slow_->asked(), 2u);
    slow_->answer_all();
}

TEST_F(read_ahead, gives_cursors_of_the_row_at_hand) {
    auto const answering = slow_->answer_from_now_on();
    auto range = readings();
    for (int i = 0; i < 13; ++i) next_number(range);
    EXPECT_EQ(numbers_of(readings().from(*range.cursor())), counting(13, 35));
}

// ---- the asynchronous driver ----------------------------------------------------------------------------------------

class async_read_ahead : public read_ahead {
protected:
    using row = std::optional<tablemap::entity<reading>>;

    void ask(async_query_range<reading>& range) {
        answer_.reset();
        range.next(asio::bind_executor(io_, [this](std::exception_ptr e, row r) {
            EXPECT_FALSE(e);
            answer_ = std::move(r);
        }));
    }

    /// The row that the last `ask` brings; the store answers if it has to.
    row wait() {
        for (;;) {
            io_.restart();
            io_.poll();
            if (answer_) return *std::exchange(answer_, std::nullopt);
            if (!slow_->answer_one()) return {};
        }
    }

    row next(async_query_range<reading>& range) {
        ask(range);
        return wait();
    }

private:
    asio::io_context io_;
    std::optional<row> answer_{};
};

TEST_F(async_read_ahead, gives_the_same_rows) {
    async_query_range<reading> range{readings()};
    std::vector<std::int32_t> numbers;
    while (auto e = next(range)) numbers.push_back(e->value.number);
    EXPECT_EQ(numbers, counting(0, 35));
    EXPECT_EQ(slow_->asked(), 4u);
}

TEST_F(async_read_ahead, asks_for_the_next_page_before_the_one_at_hand_is_used) {
    async_query_range<reading> range{readings()};
    EXPECT_EQ(next(range)->value.number, 0);
    EXPECT_EQ(slow_->asked(), 2u);
    slow_->answer_all();
    for (int i = 1; i < 10; ++i) EXPECT_EQ(next(range)->value.number, i);
    EXPECT_EQ(slow_->asked(), 2u);
    EXPECT_EQ(next(range)->value.number, 10);
    EXPECT_EQ(slow_->asked(), 3u);
    slow_->answer_all();
}

TEST_F(async_read_ahead, asks_again_when_it_is_wanted_for_a_page_that_failed_early) {
    async_query_range<reading> range{readings()};
    EXPECT_EQ(next(range)->value.number, 0);
    ASSERT_TRUE(slow_->answer_one(response_failure(service_errc::server_busy)));
    for (int i = 1; i < 35; ++i) EXPECT_EQ(next(range)->value.number, i);
    EXPECT_EQ(slow_->asked(), 5u);
}

TEST_F(async_read_ahead, asks_again_for_a_page_that_failed_while_it_was_wanted) {
    async_query_range<reading> range{readings()};
    for (int i = 0; i < 10; ++i) EXPECT_EQ(next(range)->value.number, i);
    ask(range);
    ASSERT_TRUE(slow_->answer_one(response_failure(service_errc::server_busy)));
    EXPECT_EQ(wait()->value.number, 10);
    EXPECT_EQ(slow_->asked(), 4u);
    slow_->answer_all();
}

TEST_F(async_read_ahead, a_range_may_go_on_the_one_thread_that_brings_answers) {
    {
        async_query_range<reading> range{readings()};
        ask(range);
    }
    EXPECT_EQ(wait()->value.number, 0);
    slow_->answer_all();
}

TEST_F(async_read_ahead, a_range_may_go_while_a_page_is_outstanding) {
    {
        async_query_range<reading> range{readings()};
        EXPECT_EQ(next(range)->value.number, 0);
        EXPECT_EQ(slow_->pending(), 1u);
    }
    std::weak_ptr<store> const alive = slow_;
    slow_->answer_all();
    EXPECT_EQ(slow_->asked(), 2u);
    slow_.reset();
    EXPECT_TRUE(alive.expired());
}

// ---- by itself ------------------------------------------------------------------------------------------------------

TEST(read_ahead_store, passes_on_what_is_no_page) {
    auto const s = std::make_shared<scripted_store>(
        std::vector<tablemap::testing::exchange>{{"create table T", {}}, {"find T [p] [r]", {}}});
    detail::read_ahead_store early{s};
    EXPECT_TRUE(early.execute(create_table{"T"}, {}).ok());
    EXPECT_TRUE(early.execute(get_entity{"T", "p", "r"}, {}).ok());
    EXPECT_THAT(s->complaints(), IsEmpty());
}

TEST(read_ahead_store, does_not_give_a_page_that_was_not_asked_for) {
    auto const s = std::make_shared<scripted_store>(
        std::vector<tablemap::testing::exchange>{{"query T [*] [*]", answer_page("first", continuation{"a", "b"})},
                                                 {"query T [*] [*] from [a] [b]", answer_page("second")},
                                                 {"query T [*] [*] from [c] [d]", answer_page("other")}});
    detail::read_ahead_store early{s};
    continuation const other{"c", "d"};
    EXPECT_EQ(early.execute(query_page{.table = "T"}, {}).body, "first");
    EXPECT_EQ(early.execute(query_page{.table = "T", .from = &other}, {}).body, "other");
    EXPECT_THAT(s->complaints(), IsEmpty());
}

TEST(read_ahead_store, reads_nothing_ahead_of_a_failure) {
    auto const s = std::make_shared<scripted_store>(
        std::vector<tablemap::testing::exchange>{{"query T", response_failure(service_errc::server_busy)}});
    detail::read_ahead_store early{s};
    EXPECT_FALSE(early.execute(query_page{.table = "T"}, {}).ok());
    EXPECT_EQ(s->asked(), 1u);
}

}  // namespace
}  // namespace tablemap::test

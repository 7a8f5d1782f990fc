// SPDX-License-Identifier: Apache-2.0
#include "tablemap/patterns/async_rolling_table.hpp"

#include "tablemap/embedded/store.hpp"
#include "tablemap/testing/faulty_store.hpp"

#include "support/answers.hpp"
#include "support/rolling_samples.hpp"
#include "support/waited.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tablemap::test {
namespace {

using found = std::optional<entity<sign_in>>;

/// Waits for the end of a call without a value.
template <class Call> void wait_for_end(Call const& call) {
    std::promise<void> ended;
    auto came = ended.get_future();
    call([&](std::exception_ptr e) { e ? ended.set_exception(e) : ended.set_value(); });
    came.get();
}

std::vector<int> read(async_rolling_range<sign_in> range) {
    std::vector<int> numbers;
    while (auto e = waited<found>([&](auto token) { range.next(token); })) numbers.push_back(e->value.number);
    return numbers;
}

using tablemap::testing::fault;
using tablemap::testing::faulty_store;
using ::testing::ElementsAre;

class async_rolling_tables : public ::testing::Test {
protected:
    store_ptr memory = value_or_throw(open_embedded({.path = ":memory:"}));
    daily_sign_ins blocking{memory, "signins", on_day(40)};
    async_rolling_table<sign_in, &sign_in::at, table_per::day> sign_ins{blocking};
};

TEST_F(async_rolling_tables, write_and_read_without_blocking) {
    sign_in const one{"ana", day_of_2014(0), 1};
    auto e = waited<entity<sign_in>>([&](auto token) { sign_ins.insert(one, token); });
    wait_for_end([&](auto token) { sign_ins.replace(e, token); });
    wait_for_end([&](auto token) { sign_ins.merge(e, token); });
    sign_in const two{"ana", day_of_2014(1), 2};
    waited<entity<sign_in>>([&](auto token) { sign_ins.upsert_replace(two, token); });
    auto const first = sign_ins.at(day_of_2014(0));
    EXPECT_TRUE(waited<found>([&](auto token) { first.find({"ana", 1}, token); }));
    wait_for_end([&](auto token) { sign_ins.erase(e, token); });
    EXPECT_FALSE(waited<found>([&](auto token) { first.find({"ana", 1}, token); }));
    EXPECT_THAT(tables_in(memory), ElementsAre("signins20140101", "signins20140102"));
}

TEST_F(async_rolling_tables, modify_within_the_table_only) {
    blocking.insert({"ana", day_of_2014(0), 1});
    auto const change_by = [&](auto change) {
        return waited<entity<sign_in>>([&](auto token) { sign_ins.modify(day_of_2014(0), {"ana", 1}, change, token); });
    };
    EXPECT_TRUE(change_by([](sign_in& s) { s.success = true; }).value.success);
    EXPECT_THROW(change_by([](sign_in& s) { s.at = day_of_2014(9); }), error);
    EXPECT_EQ(blocking.at(day_of_2014(0)).find("ana", 1)->value.at, day_of_2014(0));
}

TEST_F(async_rolling_tables, query_and_retain) {
    for (int day = 8; day < 12; ++day) blocking.insert({"ana", day_of_2014(day), day});
    EXPECT_THAT(read(sign_ins.query(period<>{}, partition("ana"))), ElementsAre(8, 9, 10, 11));
    auto const report =
        waited<retention_report>([&](auto token) { sign_ins.retain(std::chrono::days{30}, {}, token); });
    EXPECT_THAT(report.dropped(), ElementsAre("signins20140109", "signins20140110"));
    EXPECT_THAT(read(sign_ins.scan(period<>{})), ElementsAre(10, 11));
}

TEST_F(async_rolling_tables, go_on_from_a_cursor) {
    for (int day = 8; day < 12; ++day) blocking.insert({"ana", day_of_2014(day), day});
    auto const query = blocking.scan(period<>{}).newest_table_first();
    async_rolling_range<sign_in> range{query};
    waited<found>([&](auto token) { range.next(token); });
    EXPECT_THAT(numbers_in(query.from(*range.cursor())), ElementsAre(10, 9, 8));
}

/// Each request of a first write fails once.
TEST_F(async_rolling_tables, do_not_guess_after_a_loss) {
    for (auto const f : {fault::lost_before, fault::lost_after, fault::busy})
        for (std::size_t at = 0; at < 3; ++at) {
            auto const faulty = std::make_shared<faulty_store>(value_or_throw(open_embedded({.path = ":memory:"})));
            faulty->fail_next(f, at);
            async_rolling_table<sign_in, &sign_in::at, table_per::day> const tables{faulty, "signins"};
            sign_in const value{"ana", day_of_2014(0), 1};
            call_options const once{.retry = retry_policy::none()};
            auto effect = outcome::applied;
            try {
                waited<entity<sign_in>>([&](auto token) { tables.insert(value, once, token); });
            } catch (error const& e) {
                effect = e.outcome();
            }
            auto const day = tables.at(day_of_2014(0));
            auto const there = waited<found>([&](auto token) { day.find({"ana", 1}, token); });
            EXPECT_TRUE(effect == outcome::in_doubt || there.has_value() == (effect == outcome::applied)) << at;
        }
}

TEST_F(async_rolling_tables, retain_for_the_duration_that_was_declared) {
    auto const retain = [](auto const& tables) {
        return waited<retention_report>([&](auto token) { tables.retain({}, token); });
    };
    blocking.insert({"ana", day_of_2014(8), 8});
    daily_sign_ins const keeping{memory, "signins", on_day(40, std::chrono::days{30})};
    EXPECT_THAT(retain(async_rolling_table{keeping}).dropped(), ElementsAre("signins20140109"));
    EXPECT_THROW(static_cast<void>(retain(sign_ins)), error);
}

/// A store of which the asynchronous request after so many others throws.
class throwing_store final : public store {
public:
    throwing_store(store_ptr inner, std::size_t at) : inner_(std::move(inner)), at_(at) {}

    tablemap::capabilities const& capabilities() const noexcept override { return inner_->capabilities(); }
    response execute(request const& r, call_options const& o) override { return inner_->execute(r, o); }
    void async_execute(request const& r, call_options const& o, receiver& to) override {
        if (requests++ == at_) throw std::runtime_error("thrown by the store");
        inner_->async_execute(r, o, to);
    }

    std::size_t requests = 0;

private:
    store_ptr inner_;
    std::size_t at_;
};

TEST_F(async_rolling_tables, send_nothing_more_after_an_exception_of_their_store) {
    for (std::size_t const at : {0U, 1U, 2U}) {
        auto const throwing = std::make_shared<throwing_store>(value_or_throw(open_embedded({.path = ":memory:"})), at);
        async_rolling_table<sign_in, &sign_in::at, table_per::day> const tables{throwing, "signins"};
        sign_in const value{"ana", day_of_2014(0), 1};
        EXPECT_THROW(waited<entity<sign_in>>([&](auto token) { tables.insert(value, token); }), std::runtime_error);
        EXPECT_EQ(throwing->requests, at + 1);
    }
}

}  // namespace
}  // namespace tablemap::test

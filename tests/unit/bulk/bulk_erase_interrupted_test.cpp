// SPDX-License-Identifier: Apache-2.0
#include "store/task_runner.hpp"
#include "support/bulk_rows.hpp"
#include "support/operations.hpp"
#include "support/waiting_stores.hpp"

#include "tablemap/embedded/store.hpp"

namespace tablemap::test {
namespace {

using tablemap::testing::answer_ok;
using tablemap::testing::response_failure;

/// Two erases, one of each partition, are under way when the call is stopped.
class erase_interrupted : public ::testing::Test {
protected:
    erase_interrupted() {
        engine.begin(erasing.get(), erasing.get().promise());
        items.create();
        for (auto const* p : {"p0", "p1"}) items.insert({p, "a", 1});
        go_on();
        store->answer_one();  // the page
        go_on();
        EXPECT_EQ(store->pending(), 2u);
    }

    void go_on() {
        while (runner.step(false)) {
        }
    }
    /// Goes on as far as possible, and again after each of these responses.
    erase_report end(std::vector<response> answers) {
        go_on();
        for (auto& a : answers) {
            store->answer_one(std::move(a));
            go_on();
        }
        EXPECT_EQ(store->pending(), 0u);
        return value_or_throw(erasing.take());
    }

    static response changed() { return response_failure(service_errc::update_condition_not_satisfied); }
    static response lost() { return response_failure(library_errc::response_lost, outcome::in_doubt); }

    store_ptr memory = value_or_throw(open_embedded({.path = ":memory:"}));
    std::shared_ptr<pending_store> store = std::make_shared<pending_store>(memory);
    table<bulk_item> items{memory, "Items"};
    table<bulk_item> late{store, "Items"};
    tablemap::testing::fixed_clock clock;
    std::stop_source stop;
    call_options call{.stop = stop.get_token(), .clock = &clock};
    query_range<bulk_item> range = late.scan();
    detail::call_context driven{*store, call};
    detail::task<result<erase_report>> const erasing =
        detail::erase_rows(*detail::table_internals::shared_state(late), detail::table_internals::query(range),
                           &detail::are_keys_of<bulk_item>, nullptr, std::make_unique<bulk_options const>());
    detail::task_engine engine{driven.env(), store->context().default_retry};
    detail::task_runner runner{*store, driven, engine, detail::id_scope::request};
};

TEST_F(erase_interrupted, is_not_complete_when_a_changed_row_was_not_looked_at_again) {
    stop.request_stop();
    auto const report = end({answer_ok(), changed()});
    EXPECT_EQ(report.erased(), 1u);
    EXPECT_FALSE(report.complete());
    ASSERT_TRUE(report.ended_by);
    EXPECT_EQ(report.ended_by->code(), library_errc::cancelled);
    EXPECT_TRUE(report.cursor);
}

TEST_F(erase_interrupted, is_complete_when_all_that_was_under_way_was_erased) {
    stop.request_stop();
    auto const report = end({answer_ok(), answer_ok()});
    EXPECT_TRUE(report.complete());
    EXPECT_FALSE(report.cursor);
}

TEST_F(erase_interrupted, rows_that_could_not_be_looked_at_again_are_no_problems) {
    store->answer_one(changed());
    go_on();
    EXPECT_EQ(store->pending(), 1u) << "it waits";
    clock.advance(std::chrono::seconds{1});
    go_on();
    EXPECT_EQ(store->pending(), 2u) << "an erase, and the row that is read again";
    stop.request_stop();
    auto const report = end({answer_ok(), response_failure(library_errc::cancelled)});
    EXPECT_EQ(report.totals.failed, 0u);
    EXPECT_EQ(report.erased(), 1u);
    EXPECT_EQ(report.ended_by->code(), library_errc::cancelled);
    EXPECT_TRUE(report.cursor) << "to go on with them";
}

TEST_F(erase_interrupted, a_row_that_was_read_again_is_erased_while_another_one_waits) {
    for (int i = 0; i < 2; ++i) {
        store->answer_one(changed());
        go_on();
    }
    while (store->pending() == 0) {
        clock.advance(std::chrono::microseconds{1});
        go_on();
    }
    store->answer_one();  // the read
    go_on();
    EXPECT_EQ(store->pending(), 1u) << "its erase";
    store->answer_one();
    clock.advance(std::chrono::seconds{1});
    go_on();
    store->answer_one();
    go_on();
    EXPECT_EQ(end({answer_ok()}).erased(), 2u);
}

TEST_F(erase_interrupted, rows_in_doubt_are_reported_as_such) {
    store->answer_one(lost());
    go_on();
    clock.advance(std::chrono::seconds{1});
    go_on();
    stop.request_stop();
    auto const report = end({answer_ok(), response_failure(library_errc::cancelled)});
    EXPECT_EQ(report.totals.in_doubt, 1u);
    EXPECT_EQ(report.ended_by->code(), library_errc::cancelled);
    for (auto const& p : report.problems) EXPECT_EQ(p.error.outcome(), outcome::in_doubt) << p.error.what();
}

}  // namespace
}  // namespace tablemap::test

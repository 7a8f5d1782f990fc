// SPDX-License-Identifier: Apache-2.0
#include "support/indexed_samples.hpp"
#include "support/noting_store.hpp"

#include "tablemap/embedded/store.hpp"
#include "tablemap/testing/fixed_clock.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <random>
#include <string>

/// Writes of others between the requests of `verify_indexes` and `rebuild_indexes`.

namespace tablemap::test {
namespace {

class index_audit_meanwhile : public ::testing::Test {
protected:
    index_audit_meanwhile() { workers_.create(); }

    void put_three_in_step() {
        for (auto const& e : rows_.scan()) rows_.erase_any(entity_key_of(e.value));
        for (std::int32_t i = 1; i <= 3; ++i)
            others_.insert({"Sales", i, "Name", std::to_string(i) + "@x", 30, 1, true});
    }
    static key_of<dynamic_entity> entity_key_of(dynamic_entity const& e) { return {e.partition_key, e.row_key}; }

    void erase_row(std::string const& row_key) { EXPECT_TRUE(rows_.erase_any({"Sales", row_key})) << row_key; }
    void put_row(std::string const& row_key, char const* property, std::int32_t value) {
        dynamic_entity e{"Sales", row_key};
        e.set(property, value);
        rows_.upsert_merge(e);
    }
    bool is_there(std::string const& row_key) const { return rows_.find("Sales", row_key).has_value(); }

    /// As an older program: it does not keep the indexes.
    void give_email(std::int32_t id, char const* email) {
        plain_.modify({"Sales", id}, [&](plain_worker& w) { w.email = email; });
    }

    /// Rebuilds what `broken` breaks, with someone else before each of the requests in turn, and looks at what it left.
    void rebuild_at_every_moment(std::function<void()> const& broken, std::function<void()> const& meanwhile,
                                 std::function<void()> const& check) {
        for (std::size_t moment = 0, happened = 1; happened != 0; ++moment) {
            SCOPED_TRACE("before request " + std::to_string(moment));
            put_three_in_step(), broken();
            happened = 0;
            noted_->before_next(moment, [&] { ++happened, meanwhile(); });
            static_cast<void>(workers_.rebuild_indexes());
            noted_->before_next(0, {});
            if (happened != 0) check();
        }
    }

    /// Before every so manieth request from now on a program that keeps the indexes changes something.
    void write_before_every(std::size_t requests) {
        noted_->before_next(requests - 1, [this, requests] {
            auto const any = [&](unsigned end) { return static_cast<std::int32_t>(engine_() % end); };
            auto const id = any(3) + 1;
            auto const value = std::to_string(id) + "xy"[any(2)];  // few, so that rows come and go by the same keys
            if (any(4) == 0)
                others_.erase_any({"Sales", id});
            else
                others_.upsert_replace({"Sales", id, value, value, 30, 1, any(2) == 0});
            write_before_every(requests);
        });
    }
    void expect_in_step() { EXPECT_EQ(others_.verify_indexes().found(), 0u); }

    store_ptr steady_ = value_or_throw(open_embedded({.path = ":memory:"}));
    std::shared_ptr<noting_store> noted_ = std::make_shared<noting_store>(steady_);
    table<worker> workers_{noted_, "Workers"}, others_{steady_, "Workers"};
    table<plain_worker> plain_{steady_, "Workers"};
    table<dynamic_entity> rows_{steady_, "Workers"};
    std::minstd_rand engine_{};
};

TEST_F(index_audit_meanwhile, takes_no_writer_at_work_for_a_fault) {
    for (std::size_t requests = 1; requests <= 6; ++requests) {
        put_three_in_step();
        for (int run = 0; run < 20; ++run) {
            write_before_every(requests);
            auto const seen = workers_.verify_indexes({.page_rows = 2});
            auto const done = workers_.rebuild_indexes({.page_rows = 2});
            noted_->before_next(0, {});
            EXPECT_EQ(seen.found(), 0u) << requests;
            EXPECT_EQ(done.found(), 0u) << requests;
            expect_in_step();
        }
    }
}

TEST_F(index_audit_meanwhile, writes_no_row_of_an_entity_that_was_changed) {
    rebuild_at_every_moment([&] { erase_row("email_2@x"); },
                            [&] {
                                others_.modify({"Sales", 2}, [](worker& w) { w.email = "new@x"; });
                            },
                            [&] { expect_in_step(); });
    rebuild_at_every_moment([&] { put_row("email_2@x", "age", 7); },
                            [&] {
                                others_.modify({"Sales", 2}, [](worker& w) { w.age = 40; });
                            },
                            [&] { expect_in_step(); });
}

TEST_F(index_audit_meanwhile, writes_over_no_row_that_was_changed) {
    rebuild_at_every_moment([&] { put_row("email_2@x", "age", 7); },
                            [&] { erase_row("email_2@x"), put_row("email_2@x", "text", 1); },
                            [&] { EXPECT_TRUE(rows_.find("Sales", "email_2@x")->value.find("text")); });
}

TEST_F(index_audit_meanwhile, erases_no_row_that_was_written_anew) {
    rebuild_at_every_moment([&] { erase_row("id_000002"), erase_row("email_2@x"); },
                            [&] {
                                others_.upsert_replace({"Sales", 2, "Name", "2@x", 30, 2, true});
                            },
                            [&] { expect_in_step(); });
}

TEST_F(index_audit_meanwhile, erases_no_row_that_its_entity_implies_again) {
    bool was_there = false;
    rebuild_at_every_moment([&] { give_email(2, "new@x"); },
                            [&] { was_there = is_there("email_2@x"), give_email(2, "2@x"); },
                            [&] { EXPECT_EQ(is_there("email_2@x"), was_there); });
}

TEST_F(index_audit_meanwhile, looks_again_at_what_was_changed_and_not_at_all_that_was_sent_with_it) {
    auto const rebuild = [&] {
        put_three_in_step();
        for (auto const* email : {"a@new", "b@new", "c@new", "d@new", "e@new", "f@new"}) {
            give_email(2, "x");
            others_.modify({"Sales", 2}, [&](worker& w) { w.email = email; });
        }
        noted_->take();
        EXPECT_EQ(workers_.rebuild_indexes().repaired, 6u);
        return noted_->take().size();
    };
    auto const undisturbed = rebuild();
    noted_->before_next(undisturbed - 1, [&] { put_row("email_c@new", "age", 7); });
    EXPECT_EQ(rebuild(), undisturbed + 3);  // that row, its entity, and the group once more
    expect_in_step();
}

TEST_F(index_audit_meanwhile, waits_before_it_looks_again_at_what_was_changed) {
    put_three_in_step();
    erase_row("email_2@x");
    // Behind two pages comes the group.
    noted_->before_next(2, [&] { others_.modify({"Sales", 2}, [](worker& w) { w.age = 40; }); });
    tablemap::testing::fixed_clock clock;
    static_cast<void>(workers_.rebuild_indexes({}, {.clock = &clock}));
    EXPECT_EQ(clock.waits().size(), 1u);
    expect_in_step();
}

TEST_F(index_audit_meanwhile, gives_up_what_others_change_each_time) {
    put_three_in_step();
    erase_row("email_2@x");
    std::int32_t age = 0;
    std::function<void()> const meddle = [&] {
        plain_.modify({"Sales", 2}, [&](plain_worker& w) { w.age = ++age; });
        noted_->before_next(0, meddle);
    };
    noted_->before_next(2, meddle);
    tablemap::testing::fixed_clock clock;
    auto const r = workers_.rebuild_indexes({}, {.clock = &clock});
    noted_->before_next(0, {});
    EXPECT_EQ(r.unsettled, 1u);
    EXPECT_EQ(r.repaired, 0u);
    EXPECT_EQ(clock.waits().size(), 19u);
}

TEST_F(index_audit_meanwhile, ends_if_the_deadline_comes_before_the_next_look) {
    put_three_in_step();
    erase_row("email_2@x");
    noted_->before_next(2, [&] { others_.modify({"Sales", 2}, [](worker& w) { w.age = 40; }); });
    tablemap::testing::fixed_clock clock;
    auto const r =
        workers_.try_rebuild_indexes({}, {.deadline = clock.now() + std::chrono::nanoseconds{1}, .clock = &clock});
    ASSERT_FALSE(r);
    EXPECT_EQ(r.error().code(), library_errc::deadline_exceeded);
    EXPECT_EQ(r.error().outcome(), outcome::not_applied);
}

}  // namespace
}  // namespace tablemap::test

// SPDX-License-Identifier: Apache-2.0
#include "tablemap/patterns/outbox_status.hpp"

#include "tablemap/embedded/store.hpp"
#include "tablemap/testing/faulty_store.hpp"

#include "support/endless_store.hpp"
#include "support/outbox_samples.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <string>

namespace tablemap::test {
namespace {

using namespace std::chrono_literals;
using tablemap::testing::fault;
using tablemap::testing::faulty_store;

class outbox_status_test : public ::testing::Test {
protected:
    void SetUp() override {
        people.create();
        noted.failing_id = 2;
        noted.failures_left = 1'000;
    }

    void hire(std::string office, std::int32_t id) {
        auto t = people.transaction();
        t.upsert_replace(staff{std::move(office), id, "Don"});
        box.commit(t, archive_staff{id, 1});
    }
    void work() { noted.relay_of(box, {.attempts = 1}).sweep(); }

    std::shared_ptr<faulty_store> store =
        std::make_shared<faulty_store>(value_or_throw(open_embedded({.path = ":memory:"})));
    table<staff> people{store, "Company"};
    staff_outbox box{people};
    noted_effects noted;
};

TEST_F(outbox_status_test, of_an_outbox_without_effects_is_empty) {
    auto const s = box.status();
    EXPECT_EQ(s.partitions, 0U);
    EXPECT_EQ(s.pending + s.parked, 0);
    EXPECT_EQ(s.lag, 0ns);
}

TEST_F(outbox_status_test, counts_pending_effects_of_all_partitions) {
    hire("Bonn", 1);
    hire("Bonn", 3);
    hire("Rome", 1);
    store->shorten_pages(1);
    auto const s = box.status();
    EXPECT_EQ(s.partitions, 2U);
    EXPECT_EQ(s.pending, 3);
    EXPECT_EQ(s.parked, 0);
    EXPECT_GT(s.lag, 0ns);
}

TEST_F(outbox_status_test, counts_those_of_one_partition) {
    hire("Bonn", 1);
    hire("Rome", 1);
    hire("Rome", 3);
    EXPECT_EQ(box.status(partition("Rome")).pending, 2);
    EXPECT_EQ(box.status(partition("Oslo")).pending, 0);
}

TEST_F(outbox_status_test, has_the_age_of_the_oldest_pending_effect) {
    hire("Bonn", 1);
    auto const first = ticks::now();
    hire("Rome", 1);
    auto const in_rome = box.status(partition("Rome")).lag;
    EXPECT_LE(in_rome, ticks::now() - first);
    EXPECT_GE(box.status().lag, in_rome);
}

TEST_F(outbox_status_test, of_parked_effects_has_no_age) {
    hire("Bonn", 2);
    hire("Bonn", 1);
    work();
    auto const s = box.status();
    EXPECT_EQ(s.partitions, 1U);
    EXPECT_EQ(s.pending, 0);
    EXPECT_EQ(s.parked, 1);
    EXPECT_EQ(s.lag, 0ns);
}

TEST_F(outbox_status_test, is_empty_when_all_are_applied) {
    hire("Bonn", 1);
    hire("Rome", 3);
    work();
    EXPECT_EQ(box.status().partitions, 0U);
}

TEST_F(outbox_status_test, reports_a_fault_of_the_store) {
    hire("Bonn", 1);
    store->fail_next(fault::reset, 1);
    auto const s = box.try_status();
    ASSERT_FALSE(s);
    EXPECT_NE(std::string{s.error().what()}.find("status"), std::string::npos);
}

TEST_F(outbox_status_test, counts_heads_that_no_outbox_wrote) {
    hire("Bonn", 1);
    hire("Rome", 1);
    table<dynamic_entity> const raw{store, "Company"};
    auto head = *raw.find("Bonn", "~outbox_head");
    head.value.set("Next", std::int32_t{7});
    raw.replace(head);
    auto const s = box.status();
    EXPECT_EQ(s.unreadable, 1U);
    EXPECT_EQ(s.partitions, 1U);
    EXPECT_EQ(s.pending, 1);
    EXPECT_GT(s.lag, 0ns);
}

TEST_F(outbox_status_test, counts_an_oldest_effect_that_cannot_be_read) {
    hire("Bonn", 1);
    table<dynamic_entity> const raw{store, "Company"};
    auto row = *raw.find("Bonn", "~outbox_pending_0000000000000000001");
    row.value.set("Committed", "yesterday");
    raw.replace(row);
    auto const s = box.status();
    EXPECT_EQ(s.unreadable, 1U);
    EXPECT_EQ(s.pending, 1);
}

TEST_F(outbox_status_test, ends_although_pages_do_not) {
    for (std::size_t const places : {std::size_t{2}, no_place_twice}) {
        table<staff> const endless{std::make_shared<endless_store>(store, places), "Company"};
        auto const s = staff_outbox{endless}.try_status(call_options{.empty_pages = 20});
        ASSERT_FALSE(s);
        EXPECT_EQ(s.error().code(), library_errc::malformed_response);
    }
}

}  // namespace
}  // namespace tablemap::test

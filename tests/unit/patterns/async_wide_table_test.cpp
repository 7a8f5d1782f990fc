// SPDX-License-Identifier: Apache-2.0
#include "support/async_calls.hpp"
#include "support/wide_samples.hpp"

#include "tablemap/embedded/store.hpp"
#include "tablemap/patterns/async_wide_table.hpp"
#include "tablemap/testing/faulty_store.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

namespace tablemap::test {
namespace {

using tablemap::testing::fault;
using tablemap::testing::faulty_store;
using ::testing::ElementsAre;

class async_wide_tables : public ::testing::Test {
protected:
    void SetUp() override { blocking.create(); }

    void insert(std::int32_t persons) const {
        for (std::int32_t p = 1; p <= persons; ++p) blocking.insert(sample_survey(p));
    }

    std::shared_ptr<faulty_store> faulty =
        std::make_shared<faulty_store>(value_or_throw(open_embedded({.path = ":memory:"})));
    wide_table<survey> blocking{faulty, "Surveys"};
    async_wide_table<survey> surveys{faulty, "Surveys"};
};

asio::awaitable<void> write_and_read(async_wide_table<survey> surveys) {
    auto const first = sample_survey(7);
    auto e = co_await surveys.insert(first, awaited);
    e.value.notes = "changed";
    co_await surveys.merge(e, only<&survey::notes>, awaited);
    e.value.name = "Donald";
    co_await surveys.replace(e, awaited);
    auto const found = co_await surveys.find("north", 7, awaited);
    EXPECT_EQ(found->value, e.value);
    EXPECT_EQ(found->etag, e.etag);
    co_await surveys.erase(*found, awaited);
    EXPECT_FALSE(co_await surveys.find({"north", 7}, awaited));
}

TEST_F(async_wide_tables, write_and_read_entities) { run(write_and_read(surveys)); }

asio::awaitable<void> change(async_wide_table<survey> surveys) {
    auto const first = sample_survey(7);
    co_await surveys.upsert(first, awaited);
    auto const e = co_await surveys.modify(
        {"north", 7}, [](survey& s) { s.last = "last"; }, awaited);
    EXPECT_EQ(e.value.last, "last");
    modify_options const patient{.attempts = 3};
    co_await surveys.modify(
        {"north", 7}, [](survey& s) { ++s.visits; }, patient, call_options{}, awaited);
    EXPECT_TRUE(co_await surveys.erase_any({"north", 7}, awaited));
    EXPECT_FALSE(co_await surveys.erase_any({"north", 7}, awaited));
}

TEST_F(async_wide_tables, change_and_erase_entities_by_their_keys) { run(change(surveys)); }

asio::awaitable<void> administer(store_ptr store) {
    async_wide_table<survey> const others{store, "Others"};
    co_await others.create(awaited);
    EXPECT_TRUE(co_await others.exists(awaited));
    EXPECT_FALSE(co_await others.create_if_not_exists(awaited));
    co_await others.delete_table(awaited);
    EXPECT_FALSE(co_await others.delete_if_exists(awaited));
}

TEST_F(async_wide_tables, create_and_delete_their_tables) { run(administer(faulty)); }

asio::awaitable<std::vector<std::int32_t>> persons_in(async_wide_range<survey> range) {
    std::vector<std::int32_t> all;
    while (auto const e = co_await range.next(awaited)) all.push_back(e->value.person);
    co_return all;
}

TEST_F(async_wide_tables, read_ranges) {
    insert(12);
    run([](async_wide_table<survey> s) -> asio::awaitable<void> {
        EXPECT_EQ((co_await persons_in(s.query(partition("north")))).size(), 12U);
        EXPECT_THAT(co_await persons_in(s.query(partition("north"), row_range(3, 5)).page_size(3)), ElementsAre(3, 4));
    }(surveys));
}

TEST_F(async_wide_tables, begin_a_range_again_in_its_copy) {
    insert(2);
    auto range = surveys.query(partition("north"));
    EXPECT_EQ(range.next(future).get()->value.person, 1);
    auto copy = range;
    EXPECT_EQ(copy.next(future).get()->value.person, 1);
    EXPECT_EQ(range.next(future).get()->value.person, 2);
    EXPECT_FALSE(range.next(future).get());
}

TEST_F(async_wide_tables, go_on_with_a_range_after_an_error) {
    insert(1);
    async_wide_range<survey> range{blocking.query(partition("north"), {.retry = retry_policy::none()})};
    faulty->fail_next(fault::busy);
    auto const failed = outcome_of(range.next(future));
    ASSERT_FALSE(failed);
    EXPECT_EQ(failed.error().table(), "Surveys");
    EXPECT_TRUE(range.next(future).get());
}

TEST_F(async_wide_tables, end_with_the_errors_of_blocking_ones) {
    insert(1);
    auto const first = sample_survey(1);
    EXPECT_EQ(outcome_of(surveys.insert(first, future)).error().code(), service_errc::entity_already_exists);
    entity<survey> unread{sample_survey(1)};
    EXPECT_EQ(outcome_of(surveys.replace(unread, future)).error().code(), library_errc::missing_etag);
    EXPECT_EQ(outcome_of(surveys.erase(unread, future)).error().code(), library_errc::missing_etag);
}

TEST_F(async_wide_tables, end_an_operation_after_they_are_destroyed) {
    auto const first = sample_survey(1);
    auto came = async_wide_table<survey>{faulty, "Surveys"}.insert(first, future);
    EXPECT_EQ(came.get().value, first);
    insert(0);
    auto next = surveys.query(partition("north")).next(future);
    EXPECT_EQ(next.get()->value, first);
}

}  // namespace
}  // namespace tablemap::test

// SPDX-License-Identifier: Apache-2.0
#include "support/async_calls.hpp"
#include "support/encrypted_samples.hpp"
#include "support/large_samples.hpp"

#include "tablemap/embedded/store.hpp"
#include "tablemap/mapping/dynamic.hpp"
#include "tablemap/patterns/async_large_table.hpp"
#include "tablemap/patterns/large_collector.hpp"
#include "tablemap/testing/faulty_store.hpp"
#include "tablemap/testing/fixed_clock.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <string>

namespace tablemap::test {
namespace {

using tablemap::testing::fault;
using tablemap::testing::faulty_store;
using tablemap::testing::fixed_clock;

class large_values_under_old_keys : public ::testing::Test {
protected:
    using secrets = large_table<secret_document>;

    void SetUp() override {
        plain.rows().create();
        plain.blobs().create();
    }
    secrets with(char const* keys) const { return {with_keys(store, ring_of(keys)), "Documents", "values"}; }
    void expect_value(secrets const& t) const {
        auto const found = t.find("plans", 1);
        ASSERT_TRUE(found);
        EXPECT_EQ(found->value.text, value.text);
        EXPECT_EQ(found->value.picture, value.picture);
    }
    static secret_document small(int id) {
        return {.folder = "plans", .id = id, .text = sample_text(id, 200), .picture = sample_picture(id, 10)};
    }
    void change(int id) const {
        auto row = *raw.find("plans", "doc_00000" + std::to_string(id));
        row.value.set("title", sample_text(changes_++, 10));
        raw.replace(row);
    }
    large_report sweep() const {
        auto const in_an_hour = [] { return ticks::now() + std::chrono::hours{1}; };
        large_collector_options const o{.grace = std::chrono::seconds{0}, .now = in_an_hour};
        return large_collector{store, "Documents", "values", o}.sweep();
    }

    secret_document const value{
        .folder = "plans", .id = 1, .text = sample_text(1, 9'000'000), .picture = sample_picture(1, 10)};
    store_ptr store = value_or_throw(open_embedded({.path = ":memory:"}));
    large_table<document> plain{store, "Documents", "values"};
    table<dynamic_entity> raw{store, "Documents"};
    mutable int changes_ = 0;
};

TEST_F(large_values_under_old_keys, are_stored_anew_so_that_the_old_key_can_be_erased) {
    plain.insert(sample_document(2));
    with("a").insert(value);
    auto const done = with("ba").reencrypt();
    EXPECT_EQ(done.rewritten, 1U);
    EXPECT_TRUE(done.refused.empty());
    expect_value(with("b"));
    EXPECT_EQ(with("ba").reencrypt().rewritten, 0U);
    EXPECT_EQ(sweep().deleted, 2U);
    expect_value(with("b"));
    EXPECT_EQ(plain.find("plans", 2)->value, sample_document(2));
}

TEST_F(large_values_under_old_keys, are_reported_by_the_rows_that_name_them) {
    with("a").insert(value);
    auto const rows = with("ba").rows();
    auto const done = rows.reencrypt();
    EXPECT_EQ(done.rewritten, 0U);
    ASSERT_EQ(done.refused.size(), 1U);
    auto const& why = done.refused.front().error;
    EXPECT_EQ(why.faults().size(), 2U);
    EXPECT_NE(std::string{why.what()}.find("call reencrypt of the large_table"), std::string::npos) << why.what();
    static_cast<void>(with("ba").reencrypt());
    EXPECT_TRUE(rows.reencrypt().refused.empty());
}

TEST_F(large_values_under_old_keys, are_reported_if_they_cannot_be_read) {
    with("a").insert(value);
    auto const unread = with("b").reencrypt();
    ASSERT_EQ(unread.refused.size(), 1U);
    EXPECT_EQ(unread.refused.front().error.code(), library_errc::unknown_encryption_key);
    for (auto const& b : plain.blobs().list()) plain.blobs().erase_any(b.name);
    auto const gone = with("ba").reencrypt();
    ASSERT_EQ(gone.refused.size(), 1U);
    EXPECT_EQ(gone.refused.front().error.code(), library_errc::malformed_response);
}

TEST_F(large_values_under_old_keys, leave_neither_permits_nor_copies_if_one_cannot_be_read) {
    with("a").insert(small(1));
    auto const named = plain.blobs().list();
    ASSERT_EQ(named.size(), 2U);
    plain.blobs().erase_any(named.front().name);
    EXPECT_EQ(with("ba").reencrypt().refused.size(), 1U);
    EXPECT_EQ(with("b").reencrypt().refused.size(), 1U);
    auto const left = sweep();
    EXPECT_EQ(left.blobs, 1U);
    EXPECT_EQ(left.deleted, 0U);
    EXPECT_EQ(left.permits, 0U);
}

TEST_F(large_values_under_old_keys, are_stored_anew_beside_other_writers) {
    with("a").insert(value);
    auto const faulty = std::make_shared<faulty_store>(with_keys(store, ring_of("ba")));
    auto const change = [&](class store&) {
        auto row = *raw.find("plans", "doc_000001");
        row.value.set("title", "new");
        raw.replace(row);
    };
    faulty->act_before(change, 4);  // after the page, the permit, and pieces
    EXPECT_EQ((secrets{faulty, "Documents", "values"}.reencrypt().rewritten), 1U);
    expect_value(with("b"));
    EXPECT_EQ(*raw.find("plans", "doc_000001")->value.try_get<std::string>("title"), "new");
}

TEST_F(large_values_under_old_keys, are_stored_anew_in_all_rows_that_changed_since_they_were_read) {
    for (int id = 1; id <= 6; ++id) with("a").insert(small(id));
    auto const faulty = std::make_shared<faulty_store>(with_keys(store, ring_of("ba")));
    auto const change_all = [&](class store&) {
        for (int id = 1; id <= 6; ++id) change(id);
    };
    faulty->act_before(change_all, 1);  // after the page
    EXPECT_EQ((secrets{faulty, "Documents", "values"}.reencrypt().rewritten), 6U);
    EXPECT_EQ(with("ba").reencrypt().rewritten, 0U);
}

TEST_F(large_values_under_old_keys, are_stored_anew_behind_a_row_that_changes_all_the_time) {
    for (int id = 1; id <= 2; ++id) with("a").insert(small(id));
    auto const faulty = std::make_shared<faulty_store>(with_keys(store, ring_of("ba")));
    for (std::size_t request = 1; request < 1000; ++request)
        faulty->act_before([&](class store&) { change(1); }, request);
    fixed_clock clock;
    auto const done = secrets{faulty, "Documents", "values"}.reencrypt({}, {.clock = &clock});
    EXPECT_LT(faulty->requests(), 1000U);
    EXPECT_EQ(clock.waits().size(), 19U);
    EXPECT_EQ(done.rewritten, 1U);
    ASSERT_EQ(done.refused.size(), 1U);
    EXPECT_EQ(done.refused.front().row_key, "doc_000001");
    EXPECT_EQ(done.refused.front().error.code(), service_errc::update_condition_not_satisfied);
}

TEST_F(large_values_under_old_keys, are_in_doubt_if_a_lost_write_of_them_may_have_been_carried_out) {
    bool was_in_doubt = false;
    for (std::size_t request = 0; request < 20 && !was_in_doubt; ++request) {
        with("a").upsert(small(1));
        auto const faulty = std::make_shared<faulty_store>(with_keys(store, ring_of("ba")));
        for (std::size_t next = request; next < 40; ++next) faulty->fail_next(fault::lost_after, next);
        secrets const through{faulty, "Documents", "values"};
        auto const done = through.try_reencrypt({}, {.retry = retry_policy::none()});
        ASSERT_FALSE(done);
        was_in_doubt = with("ba").reencrypt().rewritten == 0;
        EXPECT_EQ(done.error().outcome(), was_in_doubt ? outcome::in_doubt : outcome::not_applied) << request;
    }
    EXPECT_TRUE(was_in_doubt);
}

TEST_F(large_values_under_old_keys, can_be_read_after_a_lost_response) {
    for (auto const met : {fault::lost_before, fault::lost_after})
        for (std::size_t request = 0; request < 10; ++request) {
            with("a").upsert(value);
            auto const faulty = std::make_shared<faulty_store>(with_keys(store, ring_of("ba")));
            faulty->fail_next(met, request);
            secrets const through{faulty, "Documents", "values"};
            static_cast<void>(through.try_reencrypt({}, {.retry = retry_policy::none()}));
            EXPECT_EQ(faulty->faults(), 1U) << request;
            static_cast<void>(sweep());
            expect_value(with("ba"));
        }
}

TEST_F(large_values_under_old_keys, are_stored_anew_without_blocking) {
    with("a").insert(value);
    async_large_table<secret_document> const all{with("ba")};
    std::size_t pages = 0;
    rewrite_options const counting{.progress = [&](rewrite_report const&) { ++pages; }};
    EXPECT_EQ(all.reencrypt(counting, future).get().rewritten, 1U);
    EXPECT_EQ(all.reencrypt({}, call_options{}, future).get().rewritten, 0U);
    EXPECT_EQ(pages, 1U);
    expect_value(with("b"));
}

}  // namespace
}  // namespace tablemap::test

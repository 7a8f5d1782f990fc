// SPDX-License-Identifier: Apache-2.0
#include "tablemap/embedded/store.hpp"
#include "tablemap/table/table.hpp"
#include "tablemap/testing/faulty_store.hpp"
#include "tablemap/testing/fixed_clock.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <stdexcept>
#include <utility>

namespace tablemap {
namespace {

/// Version 1 had one `name`; version 2 split it; version 3 counts in cents.
struct claim {
    std::string user{};
    std::int32_t number{};
    std::string first{};
    std::string last{};
    std::int64_t cents{};

    friend bool operator==(claim const&, claim const&) = default;
};

void split_name(dynamic_entity& row) {
    if (!row.find("name")) throw std::runtime_error("no name");
    auto const name = *row.try_get<std::string>("name");
    auto const space = name.find(' ');
    row.set("first", name.substr(0, space));
    row.set("last", space == std::string::npos ? std::string{} : name.substr(space + 1));
    row.erase("name");
}

void count_in_cents(dynamic_entity& row) {
    if (auto const* amount = row.try_get<std::int32_t>("amount")) row.set("cents", std::int64_t{*amount} * 100);
    row.erase("amount");
}

}  // namespace

template <> struct mapping<claim> {
    static constexpr auto discriminator = tablemap::discriminator("Type", "claim");
    static constexpr auto versions =
        tablemap::versions<3>(upgrade_from<1>(&split_name), upgrade_from<2>(&count_in_cents));
    static constexpr auto partition_key = key(part<&claim::user>);
    static constexpr auto row_key = key("claim_", part<&claim::number>.width(4));
};

namespace test {
namespace {

using tablemap::testing::fault;
using ::testing::IsEmpty;
using ::testing::SizeIs;

/// A table of claims that holds rows of all three versions, behind a store that can fail.
class migration : public ::testing::Test {
protected:
    void SetUp() override {
        store_ = std::make_shared<tablemap::testing::faulty_store>(value_or_throw(open_embedded({.path = ":memory:"})));
        claims.emplace(store_, "Claims");
        rows.emplace(store_, "Claims");
        claims->create();
        for (int n = 0; n < old_rows; ++n) insert_version_1("user" + std::to_string(n % 3), n);
        auto second = row("user0", 9001);
        second.set("Type", "claim_v2");
        second.set("first", "Jun");
        second.set("last", "Cao");
        second.set("amount", 7);
        rows->insert(second);
        claims->insert({.user = "user0", .number = 9002, .first = "New", .last = "Row", .cents = 1});
    }

    static dynamic_entity row(std::string user, int number) {
        auto text = std::to_string(number);
        return {std::move(user), "claim_" + std::string(4 - text.size(), '0') + text};
    }

    void insert_version_1(std::string user, int number) {
        auto first = row(std::move(user), number);
        first.set("Type", "claim");
        first.set("name", "Don Hall");
        first.set("amount", number);
        first.set("Unknown", "kept");
        rows->insert(first);
    }

    tablemap::testing::faulty_store& faults() { return *store_; }
    store_ptr shared_store() { return store_; }

    static constexpr int old_rows = 25;
    std::optional<table<claim>> claims;
    std::optional<table<dynamic_entity>> rows;

private:
    std::shared_ptr<tablemap::testing::faulty_store> store_;
};

TEST_F(migration, rewrites_every_row_of_an_older_version_and_no_other) {
    auto const before = rows->find("user0", "claim_9002")->etag;
    auto const report = claims->migrate();
    EXPECT_EQ(report.rewritten, old_rows + 1U);
    EXPECT_EQ(report.done_by_others, 0U);
    EXPECT_THAT(report.refused, IsEmpty());
    EXPECT_EQ(rows->find("user0", "claim_9002")->etag, before);
    EXPECT_EQ(*rows->find("user1", "claim_0001")->value.try_get<std::string>("Type"), "claim_v3");
    EXPECT_EQ(claims->find("user0", 9001)->value,
              (claim{.user = "user0", .number = 9001, .first = "Jun", .last = "Cao", .cents = 700}));
}

TEST_F(migration, keeps_columns_that_the_type_does_not_know) {
    claims->migrate();
    auto const found = rows->find("user1", "claim_0001");
    EXPECT_EQ(*found->value.try_get<std::string>("Unknown"), "kept");
    EXPECT_EQ(found->value.find("name"), nullptr);
}

TEST_F(migration, leaves_nothing_to_do_for_a_second_one) {
    claims->migrate();
    auto const asked = faults().requests();
    EXPECT_EQ(claims->migrate().rewritten, 0U);
    EXPECT_EQ(faults().requests(), asked + 1);
}

TEST_F(migration, goes_on_after_an_interruption) {
    faults().fail_next(fault::busy, 7);
    auto const first = claims->try_migrate({}, {.retry = retry_policy::none()});
    ASSERT_FALSE(first);
    EXPECT_EQ(first.error().code(), service_errc::server_busy);
    EXPECT_EQ(first.error().table(), "Claims");
    auto const second = claims->migrate();
    EXPECT_GT(second.rewritten, 0U);
    EXPECT_LT(second.rewritten, old_rows + 1U);
    for (auto const& e : claims->query(partition("user2"))) EXPECT_FALSE(e.outdated);
}

TEST_F(migration, is_in_doubt_once_a_row_may_have_been_rewritten) {
    auto const outcome_after = [&](fault f, std::size_t skip) {
        faults().fail_next(f, skip);
        auto const r = claims->try_migrate({}, {.retry = retry_policy::none()});
        return r ? outcome::applied : r.error().outcome();
    };
    EXPECT_EQ(outcome_after(fault::busy, 0), outcome::not_applied) << "the page";
    EXPECT_EQ(outcome_after(fault::busy, 1), outcome::in_doubt) << "the first of several rows";
}

TEST_F(migration, finds_out_what_became_of_a_write_whose_answer_was_lost) {
    faults().fail_next(fault::lost_after, 3);
    faults().fail_next(fault::lost_before, 5);
    auto const report = claims->migrate({}, {.retry = retry_policy::none()});
    EXPECT_EQ(report.rewritten + report.done_by_others, old_rows + 1U);
    EXPECT_EQ(report.done_by_others, 1U);
    EXPECT_EQ(claims->migrate().rewritten, 0U);
}

/// Lets someone else in before the first write, or before each.
class meddled_store final : public store {
public:
    meddled_store(store_ptr inner, std::function<void()> meddle, bool always = false)
        : inner_(std::move(inner)), meddle_(std::move(meddle)), always_(always) {}

    tablemap::capabilities const& capabilities() const noexcept override { return inner_->capabilities(); }
    store_context const& context() const noexcept override { return inner_->context(); }
    response execute(request const& r, call_options const& o) override {
        if (is_write(r))
            if (auto const now = always_ ? meddle_ : std::exchange(meddle_, nullptr)) now();
        return inner_->execute(r, o);
    }

private:
    store_ptr inner_;
    std::function<void()> meddle_;
    bool always_;
};

TEST_F(migration, does_not_overwrite_what_others_do_meanwhile) {
    auto const meddle = [&] {
        auto replaced = *claims->find("user0", 0);
        replaced.value.cents = 5;
        claims->replace(replaced);
        rows->erase_any({"user0", "claim_0003"});
        auto changed = *rows->find("user0", "claim_0006");
        changed.value.set("name", "Jun Cao");
        rows->merge(changed, only_properties{"name"});
    };
    table<claim> const meddled{std::make_shared<meddled_store>(shared_store(), meddle), "Claims"};
    auto const report = meddled.migrate();
    EXPECT_EQ(report.done_by_others, 2U);
    EXPECT_EQ(report.rewritten, old_rows + 1U - 2U);
    EXPECT_EQ(claims->find("user0", 0)->value.cents, 5);
    EXPECT_FALSE(claims->find("user0", 3));
    EXPECT_EQ(claims->find("user0", 6)->value.first, "Jun");
}

TEST_F(migration, refuses_a_row_that_others_change_each_time_and_waits_between_the_tries) {
    int changes = 0;
    auto const meddle = [&] {
        auto changed = *rows->find("user0", "claim_0000");
        changed.value.set("amount", ++changes);
        rows->merge(changed, only_properties{"amount"});
    };
    for (int n = 1; n < old_rows; ++n) rows->erase_any({"user" + std::to_string(n % 3), row("", n).row_key});
    rows->erase_any({"user0", "claim_9001"});
    table<claim> const meddled{std::make_shared<meddled_store>(shared_store(), meddle, true), "Claims"};
    tablemap::testing::fixed_clock clock;
    auto const report = meddled.migrate({}, {.clock = &clock});
    ASSERT_THAT(report.refused, SizeIs(1));
    EXPECT_EQ(report.refused.front().error.code(), service_errc::update_condition_not_satisfied);
    EXPECT_EQ(changes, 20);
    EXPECT_THAT(clock.waits(), SizeIs(19));
}

TEST_F(migration, reports_a_row_that_its_upgrade_makes_unreadable_and_leaves_it) {
    auto bad = row("user9", 1);
    bad.set("Type", "claim_v2");
    bad.set("first", 5);
    rows->insert(bad);
    auto const report = claims->migrate();
    ASSERT_THAT(report.refused, SizeIs(1));
    EXPECT_EQ(report.refused.front().partition_key, "user9");
    EXPECT_EQ(report.refused.front().error.code(), library_errc::type_mismatch);
    EXPECT_EQ(rows->find("user9", "claim_0001")->value, bad);
}

TEST_F(migration, reports_a_row_whose_upgrade_throws_and_goes_on) {
    auto bad = row("user9", 1);
    bad.set("Type", "claim");
    rows->insert(bad);
    EXPECT_EQ(claims->try_find({"user9", 1}).error().code(), library_errc::upgrade_failed);
    auto const report = claims->migrate();
    ASSERT_THAT(report.refused, SizeIs(1));
    EXPECT_EQ(report.refused.front().error.code(), library_errc::upgrade_failed);
    EXPECT_EQ(report.rewritten, old_rows + 1U);
}

TEST_F(migration, reports_rows_of_a_version_that_is_not_known_yet) {
    auto later = row("user9", 1);
    later.set("Type", "claim_v4");
    rows->insert(later);
    auto const report = claims->migrate();
    ASSERT_THAT(report.refused, SizeIs(1));
    EXPECT_EQ(report.refused.front().error.code(), library_errc::unknown_version);
}

TEST_F(migration, of_rows_that_were_read_is_a_replace_and_a_merge_is_refused) {
    auto old = *claims->find("user1", 1);
    EXPECT_TRUE(old.outdated);
    EXPECT_EQ(old.value.first, "Don");
    auto const merged = claims->try_merge(old, only<&claim::cents>);
    ASSERT_FALSE(merged);
    EXPECT_EQ(merged.error().code(), library_errc::outdated_entity);
    claims->replace(old);
    EXPECT_FALSE(claims->find("user1", 1)->outdated);
}

}  // namespace
}  // namespace test
}  // namespace tablemap

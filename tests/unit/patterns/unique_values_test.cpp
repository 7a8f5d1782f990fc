// SPDX-License-Identifier: Apache-2.0
#include "store/replicated.hpp"
#include "support/unique_samples.hpp"

#include "tablemap/embedded/store.hpp"
#include "tablemap/testing/faulty_store.hpp"
#include "tablemap/testing/fixed_clock.hpp"
#include "tablemap/testing/scripted_store.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <stop_token>
#include <string>

namespace tablemap::test {
namespace {

using tablemap::testing::fault;
using tablemap::testing::faulty_store;
using tablemap::testing::fixed_clock;

class unique_values : public ::testing::Test {
protected:
    void SetUp() override { others.create_if_not_exists(); }

    static account don() { return {.tenant = "contoso", .number = 1, .email = "don@x"}; }
    static account eve() { return {.tenant = "fabrikam", .number = 1, .email = "eve@x"}; }
    std::optional<std::string> email(std::string const& tenant) const {
        auto const e = others.entities().find(tenant, 1);
        return e ? e->value.email : std::nullopt;
    }
    std::string disagreements() const { return summary_of(others.verify()); }
    call_options options() { return {.clock = &clock}; }
    std::size_t rows_of_accounts() const { return table<dynamic_entity>{inner, "Accounts"}.scan().count(); }

    /// Gives a property of a row a type that nobody can read.
    void spoil(std::string const& name, std::string const& partition, std::string const& row, char const* property) {
        table<dynamic_entity> const raw{inner, name};
        auto e = raw.find(partition, row).value();
        e.value.set(property, 1.5);
        raw.replace(e);
    }

    store_ptr inner = value_or_throw(open_embedded({.path = ":memory:"}));
    std::shared_ptr<faulty_store> faulty = std::make_shared<faulty_store>(inner);
    account_table others{inner, "Accounts"};
    account_table accounts{faulty, "Accounts"};
    fixed_clock clock;
};

template <class R>::testing::AssertionResult taken(R const& r, std::string const& name) {
    if (r) return ::testing::AssertionFailure() << "succeeded";
    bool const right = r.error().code() == library_errc::unique_value_taken && r.error().member() == name &&
                       r.error().outcome() == outcome::not_applied;
    return right ? ::testing::AssertionSuccess() : ::testing::AssertionFailure() << r.error().what();
}

// ---- other clients between two requests -----------------------------------------------------------------------------

TEST_F(unique_values, one_of_two_inserts_wins_wherever_the_other_comes_between) {
    for (std::size_t at = 0; at < 4; ++at) {
        auto const tag = std::to_string(at);
        account const mine{.tenant = "m" + tag, .number = 1, .email = tag};
        account const theirs{.tenant = "t" + tag, .number = 1, .email = tag};
        fixed_clock patient{2};
        bool they_did = false;
        faulty->act_before([&](store&) { they_did = others.try_insert(theirs, {.clock = &patient}).has_value(); }, at);
        auto const r = accounts.try_insert(mine, options());
        EXPECT_NE(r.has_value(), they_did) << "before request " << at;
        EXPECT_EQ(others.find_by<"email">(tag)->value, r ? mine : theirs);
    }
    EXPECT_EQ(disagreements(), "");
}

TEST_F(unique_values, a_change_never_gives_a_value_to_two_wherever_another_comes_between) {
    for (std::size_t at = 0; at < 7; ++at) {
        auto const tag = std::to_string(at);
        others.insert({.tenant = "m" + tag, .number = 1, .email = "old" + tag});
        fixed_clock patient{2};
        bool they_did = false;
        faulty->act_before(
            [&](store&) {
                they_did =
                    others.try_insert({.tenant = "t" + tag, .number = 1, .email = "new" + tag}, {.clock = &patient})
                        .has_value();
            },
            at);
        auto const r = accounts.try_modify(
            {"m" + tag, 1}, [&](account& a) { a.email = "new" + tag; }, options());
        EXPECT_NE(r.has_value(), they_did) << "before request " << at;
        EXPECT_EQ(email("m" + tag), (r ? "new" : "old") + tag);
    }
    EXPECT_EQ(disagreements(), "");
}

TEST_F(unique_values, an_old_value_is_not_released_when_the_entity_got_it_back_meanwhile) {
    others.insert(don());
    // Read, read of the old reservation and guard, reservation, group, confirmation and release.
    for (std::size_t const at : {5U, 6U}) {
        faulty->act_before(
            [&](store&) {
                others.modify(
                    {"contoso", 1}, [](account& a) { a.email = "don@x"; }, options());
            },
            at);
        accounts.modify(
            {"contoso", 1}, [](account& a) { a.email = "donald@x"; }, options());
        EXPECT_EQ(email("contoso"), "don@x");
        EXPECT_TRUE(taken(others.try_insert({.tenant = "other", .number = 1, .email = "don@x"}), "email"));
    }
}

TEST_F(unique_values, a_change_is_repeated_when_the_entity_was_changed_before_the_group) {
    others.insert(don());
    faulty->act_before([&](store&) { others.modify({"contoso", 1}, [](account& a) { ++a.visits; }); }, 4);
    auto const e = accounts.modify(
        {"contoso", 1}, [](account& a) { a.email = "donald@x"; }, options());
    EXPECT_EQ(e.value.visits, 1);
    EXPECT_EQ(e.value.email, "donald@x");
    EXPECT_EQ(disagreements(), "");
}

TEST_F(unique_values, a_replace_ends_when_the_entity_was_changed_before_the_group) {
    auto e = others.insert(don());
    faulty->act_before([&](store&) { others.modify({"contoso", 1}, [](account& a) { ++a.visits; }); }, 4);
    e.value.email = "donald@x";
    auto const r = accounts.try_replace(e, options());
    ASSERT_FALSE(r);
    EXPECT_EQ(r.error().code(), service_errc::update_condition_not_satisfied);
    EXPECT_EQ(r.error().outcome(), outcome::not_applied);
    EXPECT_EQ(disagreements(), "");
    EXPECT_TRUE(others.try_insert({.tenant = "other", .number = 1, .email = "donald@x"}));
}

TEST_F(unique_values, an_insert_of_an_entity_that_exists_gives_the_values_back) {
    others.insert(don());
    auto const r = accounts.try_insert({.tenant = "contoso", .number = 1, .email = "donald@x"}, options());
    ASSERT_FALSE(r);
    EXPECT_EQ(r.error().code(), service_errc::entity_already_exists);
    EXPECT_EQ(others.verify().reservations, 1U);
    auto const again = accounts.try_insert(don(), options());
    ASSERT_FALSE(again);
    EXPECT_EQ(again.error().code(), service_errc::entity_already_exists);
    EXPECT_EQ(disagreements(), "");
}

TEST_F(unique_values, a_first_value_is_given_back_when_the_second_is_taken) {
    auto known = eve();
    known.login = "eve";
    others.insert(known);
    auto mine = don();
    mine.login = "eve";
    EXPECT_TRUE(taken(accounts.try_insert(mine, options()), "login"));
    EXPECT_EQ(others.verify().reservations, 2U);
    mine.login.reset();
    EXPECT_TRUE(others.try_insert(mine));
}

TEST_F(unique_values, two_writers_that_want_two_values_each_do_not_wait_for_each_other) {
    account const theirs{.tenant = "b", .number = 1, .email = "e", .login = "l"};
    fixed_clock patient{2};
    faulty->act_before([&](store&) { static_cast<void>(others.try_insert(theirs, {.clock = &patient})); }, 2);
    auto const r = accounts.try_insert({.tenant = "a", .number = 1, .email = "e", .login = "l"}, options());
    EXPECT_NE(r.has_value(), others.entities().find("b", 1).has_value());
}

// ---- waiting --------------------------------------------------------------------------------------------------------

/// A writer that reserved the value and ended.
class unique_value_left : public unique_values {
protected:
    void SetUp() override {
        unique_values::SetUp();
        for (std::size_t i = 2; i < 40; ++i) faulty->fail_next(fault::lost_before, i);
        static_cast<void>(accounts.try_insert(don(), options()));
        faulty->stop_failing();
    }
};

TEST_F(unique_value_left, is_taken_over_when_its_time_is_over) {
    auto const began = clock.now();
    auto theirs = eve();
    theirs.email = "don@x";
    others.insert(theirs, options());
    EXPECT_GE(clock.now() - began, std::chrono::seconds{9});
    EXPECT_LT(clock.now() - began, std::chrono::seconds{12});
    EXPECT_EQ(others.find_by<"email">("don@x")->value, theirs);
    EXPECT_EQ(disagreements(), "");
}

TEST_F(unique_value_left, is_taken_for_a_call_that_ends_before) {
    auto theirs = eve();
    theirs.email = "don@x";
    auto const r = others.try_insert(theirs, {.deadline = clock.now() + std::chrono::seconds{2}, .clock = &clock});
    ASSERT_TRUE(taken(r, "email"));
    EXPECT_NE(std::string_view{r.error().what()}.find("another write has reserved"), std::string_view::npos);
}

TEST_F(unique_value_left, is_found_by_nobody) { EXPECT_FALSE(others.find_by<"email">("don@x")); }

TEST_F(unique_value_left, is_reported_as_pending_until_its_time_is_over) {
    EXPECT_EQ(disagreements(), "pending email");
    EXPECT_EQ(summary_of(others.repair()), "pending email");
}

TEST_F(unique_value_left, is_settled_by_a_repair_after_its_time) {
    account_table const hasty{faulty, "Accounts", {.reserved_for = std::chrono::milliseconds{0}}};
    for (std::size_t i = 2; i < 40; ++i) faulty->fail_next(fault::lost_before, i);
    static_cast<void>(hasty.try_insert(eve(), options()));
    EXPECT_EQ(disagreements(), "pending email, abandoned email, guard");
    EXPECT_EQ(summary_of(others.repair()), "pending email, abandoned email repaired");
    EXPECT_EQ(disagreements(), "pending email");
}

TEST_F(unique_values, a_slow_writer_that_was_overtaken_learns_that_the_value_is_taken) {
    account_table const hasty{inner, "Accounts", {.reserved_for = std::chrono::milliseconds{0}}};
    auto theirs = eve();
    theirs.email = "don@x";
    faulty->act_before([&](store&) { hasty.insert(theirs); }, 2);
    EXPECT_TRUE(taken(
        account_table(faulty, "Accounts", {.reserved_for = std::chrono::milliseconds{0}}).try_insert(don(), options()),
        "email"));
    EXPECT_FALSE(others.entities().find("contoso", 1));
    EXPECT_EQ(disagreements(), "");
}

// ---- lost responses -------------------------------------------------------------------------------------------------

TEST_F(unique_values, a_lost_response_of_any_request_of_an_insert_is_made_good) {
    for (auto const f : {fault::lost_before, fault::lost_after, fault::overtaken, fault::truncated})
        for (std::size_t at = 0; at < 4; ++at) {
            auto const tag = std::to_string(static_cast<int>(f)) + std::to_string(at);
            faulty->fail_next(f, at);
            auto const r = accounts.try_insert({.tenant = tag, .number = 1, .email = tag}, options());
            faulty->carry_out_overtaken();
            ASSERT_TRUE(r) << tag << ": " << r.error().what();
            EXPECT_EQ(others.find_by<"email">(tag)->value.tenant, tag);
        }
    EXPECT_TRUE(others.repair().clean());
}

TEST_F(unique_values, a_lost_response_of_a_write_without_new_values_is_told_by_its_row) {
    others.insert(don());
    faulty->fail_next(fault::lost_before, 1);
    EXPECT_EQ(accounts
                  .modify(
                      {"contoso", 1}, [](account& a) { ++a.visits; }, options())
                  .value.visits,
              1);
    faulty->fail_next(fault::lost_after, 1);
    auto const r = accounts.try_modify(
        {"contoso", 1}, [](account& a) { ++a.visits; }, options());
    ASSERT_FALSE(r);
    EXPECT_EQ(r.error().outcome(), outcome::in_doubt);
    account_table const with_ids{faulty, "Accounts", {}, {.operation_ids = true}};
    faulty->fail_next(fault::lost_after, 1);
    EXPECT_EQ(with_ids
                  .modify(
                      {"contoso", 1}, [](account& a) { ++a.visits; }, options())
                  .value.visits,
              3);
}

TEST_F(unique_values, a_lost_group_that_nobody_can_tell_stays_in_doubt) {
    faulty->fail_next(fault::lost_after, 2);
    faulty->act_before([&](store&) { others.erase(others.entities().find("contoso", 1).value()); }, 3);
    auto const r = accounts.try_insert(don(), options());
    ASSERT_FALSE(r);
    EXPECT_EQ(r.error().outcome(), outcome::in_doubt);
}

TEST_F(unique_values, a_failure_before_the_entity_is_written_applies_nothing) {
    for (std::size_t at = 0; at < 2; ++at) {
        for (std::size_t i = at; i < 40; ++i) faulty->fail_next(fault::lost_after, i);
        auto const r = accounts.try_insert({.tenant = "t", .number = 1, .email = std::to_string(at)}, options());
        faulty->stop_failing();
        ASSERT_FALSE(r);
        EXPECT_EQ(r.error().outcome(), outcome::not_applied);
    }
}

TEST_F(unique_values, no_guard_stays_when_the_old_reservation_cannot_be_read) {
    others.insert(don());
    // Read, guard, read of the old reservation.
    faulty->fail_next(fault::busy, 2);
    auto const r = accounts.try_modify({"contoso", 1}, [](account& a) { a.email = "donald@x"; },
                                       {.retry = retry_policy::none(), .clock = &clock});
    ASSERT_FALSE(r);
    EXPECT_EQ(r.error().code(), service_errc::server_busy);
    EXPECT_EQ(r.error().outcome(), outcome::not_applied);
    EXPECT_EQ(rows_of_accounts(), 1U);
}

TEST_F(unique_values, a_stopped_call_sends_nothing_more) {
    std::stop_source source;
    faulty->act_before([&](store&) { source.request_stop(); }, 1);
    auto const r = accounts.try_insert(don(), {.stop = source.get_token(), .clock = &clock});
    ASSERT_FALSE(r);
    EXPECT_EQ(r.error().code(), library_errc::cancelled);
    EXPECT_EQ(r.error().outcome(), outcome::not_applied);
    EXPECT_EQ(faulty->requests(), 2U);
}

// ---- looking up -----------------------------------------------------------------------------------------------------

TEST_F(unique_values, a_look_up_follows_a_value_that_changes_hands) {
    others.insert(don());
    faulty->act_before(
        [&](store&) {
            others.modify({"contoso", 1}, [](account& a) { a.email.reset(); });
            auto theirs = eve();
            theirs.email = "don@x";
            others.insert(theirs);
        },
        1);
    auto const found = accounts.find_by<"email">("don@x");
    ASSERT_TRUE(found);
    EXPECT_EQ(found->value.tenant, "fabrikam");
}

TEST_F(unique_values, a_look_up_returns_no_entity_that_lost_the_value) {
    others.insert(don());
    others.entities().modify({"contoso", 1}, [](account& a) { a.email = "else@x"; });
    EXPECT_FALSE(others.find_by<"email">("don@x"));
}

/// A copy that rows of the entities have not reached yet.
class copy_without_accounts final : public store {
public:
    explicit copy_without_accounts(store_ptr inner) : inner_(std::move(inner)) {}

    tablemap::capabilities const& capabilities() const noexcept override { return inner_->capabilities(); }
    store_context const& context() const noexcept override { return inner_->context(); }
    response execute(request const& r, call_options const& o) override {
        auto const* const get = std::get_if<get_entity>(&r);
        if (!get || get->table != "Accounts") return inner_->execute(r, o);
        return response::failed(error{service_errc::resource_not_found});
    }

private:
    store_ptr inner_;
};

TEST_F(unique_values, a_look_up_finds_an_entity_that_a_copy_lacks) {
    others.insert(don());
    auto const copy = std::make_shared<copy_without_accounts>(inner);
    account_table const replicated{make_replicated(inner, copy, read_from::secondary), "Accounts"};
    auto const found = replicated.find_by<"email">("don@x");
    ASSERT_TRUE(found);
    EXPECT_EQ(found->value, don());
}

// ---- repairing ------------------------------------------------------------------------------------------------------

TEST_F(unique_values, of_a_table_that_was_written_without_reservations_are_reserved_by_a_repair) {
    for (std::int64_t i = 0; i < 600; ++i)
        others.entities().insert({.tenant = "t" + std::to_string(i % 7), .number = i, .email = std::to_string(i)});
    EXPECT_EQ(others.verify().findings.size(), 600U);
    EXPECT_TRUE(others.repair().clean());
    auto const after = others.verify();
    EXPECT_EQ(after.reservations, 600U);
    EXPECT_EQ(after.entities, 600U);
    EXPECT_TRUE(after.findings.empty());
    EXPECT_EQ(others.find_by<"email">("599")->value.number, 599);
}

TEST_F(unique_values, of_a_great_table_are_all_counted_and_some_of_them_listed) {
    constexpr std::int64_t all = 1'100;
    for (std::int64_t i = 0; i < all; ++i)
        others.entities().insert({.tenant = "contoso", .number = i, .email = std::to_string(i)});
    others.entities().insert({.tenant = "fabrikam", .number = 1, .email = "7"});
    auto const found = others.verify();
    EXPECT_EQ(found.findings.size(), unique_report::most_listed);
    EXPECT_EQ(found.count_of(unique_fault::unprotected).found, 1'101U);
    auto const repaired = others.repair();
    EXPECT_EQ(repaired.findings.size(), unique_report::most_listed);
    EXPECT_EQ(repaired.findings.back().fault, unique_fault::held_twice);
    EXPECT_EQ(repaired.count_of(unique_fault::unprotected).repaired, 1'100U);
    EXPECT_EQ(repaired.count_of(unique_fault::held_twice).found, 1U);
    EXPECT_FALSE(repaired.clean());
}

TEST_F(unique_values, that_nobody_can_read_are_listed_up_to_a_thousand) {
    for (std::int64_t i = 0; i < 1'100; ++i) {
        others.entities().insert({.tenant = "contoso", .number = i});
        std::string const number = std::to_string(i);
        spoil("Accounts", "contoso", "account_" + std::string(8 - number.size(), '0') + number, "visits");
    }
    EXPECT_EQ(others.verify().unreadable.size(), unique_report::most_listed);
}

TEST_F(unique_values, that_two_entities_have_are_reported_and_left_alone) {
    others.insert(don());
    auto twin = eve();
    twin.email = "don@x";
    others.entities().insert(twin);
    auto const report = others.repair();
    ASSERT_EQ(summary_of(report), "held_twice email");
    EXPECT_EQ(report.findings.front().entity.partition_key, "fabrikam");
    EXPECT_EQ(report.findings.front().owner->partition_key, "contoso");
    EXPECT_FALSE(report.clean());
}

TEST_F(unique_values, that_were_changed_without_reservations_are_moved_by_a_repair) {
    others.insert(don());
    others.entities().modify({"contoso", 1}, [](account& a) { a.email = "else@x"; });
    EXPECT_EQ(disagreements(), "abandoned email, unprotected email");
    EXPECT_TRUE(others.repair().clean());
    EXPECT_EQ(disagreements(), "");
    EXPECT_TRUE(others.find_by<"email">("else@x"));
}

TEST_F(unique_values, a_verification_changes_nothing) {
    others.entities().insert(don());
    auto const before = others.verify();
    EXPECT_EQ(summary_of(before), "unprotected email");
    EXPECT_EQ(disagreements(), "unprotected email");
    EXPECT_FALSE(others.find_by<"email">("don@x"));
}

TEST_F(unique_values, of_an_unreadable_owner_are_listed_once) {
    others.insert(don());
    auto twin = eve();
    twin.email = "don@x";
    others.entities().insert(twin);
    spoil("Accounts", "contoso", "account_00000001", "email");
    for (auto const& r : {others.try_verify(), others.try_repair()}) {
        ASSERT_TRUE(r) << r.error().what();
        ASSERT_EQ(r->unreadable.size(), 1U);
        EXPECT_EQ(r->unreadable.front().partition_key, "contoso");
        EXPECT_FALSE(r->clean());
    }
}

TEST_F(unique_values, of_an_unreadable_reservation_are_listed_once) {
    others.insert(don());
    others.entities().insert(eve());
    spoil("AccountsUnique", "email=don@x", "reservation", "confirmed");
    auto const r = others.try_repair();
    ASSERT_TRUE(r) << r.error().what();
    ASSERT_EQ(r->unreadable.size(), 1U);
    EXPECT_EQ(r->unreadable.front().row_key, "reservation");
    EXPECT_TRUE(others.find_by<"email">("eve@x"));
}

TEST_F(unique_values, of_an_entity_that_becomes_unreadable_are_listed) {
    others.entities().insert(don());
    // Pages of reservations and of entities, reservation, entity.
    faulty->act_before([&](store&) { spoil("Accounts", "contoso", "account_00000001", "email"); }, 3);
    auto const r = accounts.try_verify();
    ASSERT_TRUE(r) << r.error().what();
    ASSERT_EQ(r->unreadable.size(), 1U);
    EXPECT_EQ(r->unreadable.front().row_key, "account_00000001");
}

TEST_F(unique_values, that_a_lost_response_hides_end_a_verification) {
    others.insert(don());
    others.entities().modify({"contoso", 1}, [](account& a) { a.email.reset(); });
    // Page of reservations, owner, reservation, owner.
    faulty->fail_next(fault::lost_before, 3);
    auto const r = accounts.try_verify({.retry = retry_policy::none(), .clock = &clock});
    ASSERT_FALSE(r);
    EXPECT_EQ(r.error().code(), library_errc::response_lost);
}

// ---- rows -----------------------------------------------------------------------------------------------------------

TEST_F(unique_values, may_be_any_text) {
    for (auto const* text : {"", "a/b\\c#d?e", "\x01\x7f", "Grüße", "=", "email=x"}) {
        others.insert({.tenant = "t", .number = static_cast<std::int64_t>(clock.random() % 90'000'000), .email = text});
        ASSERT_TRUE(others.find_by<"email">(text)) << text;
        EXPECT_TRUE(taken(others.try_insert({.tenant = "u", .number = 1, .email = text}), "email"));
    }
}

TEST_F(unique_values, that_no_key_can_hold_are_refused_before_anything_is_sent) {
    auto const before = faulty->requests();
    auto const r = accounts.try_insert({.tenant = "t", .number = 1, .email = std::string(600, 'x')}, options());
    ASSERT_FALSE(r);
    EXPECT_EQ(r.error().code(), library_errc::key_too_large);
    EXPECT_EQ(faulty->requests(), before);
}

TEST_F(unique_values, guards_are_seen_by_no_query_of_the_entities) {
    std::size_t seen = 99;
    faulty->act_before(
        [&](store&) {
            seen = 0;
            for (auto const& e : others.entities().scan()) seen += e.value.number > 0 ? 1U : 0U;
            for (auto const& e : others.entities().query(partition("contoso"))) seen += e.value.number > 0 ? 1U : 0U;
            EXPECT_EQ((table<dynamic_entity>{inner, "Accounts"}.query(partition("contoso")).count()), 1U);
        },
        2);
    accounts.insert(don(), options());
    EXPECT_EQ(seen, 0U);
}

TEST_F(unique_values, an_unreadable_owner_keeps_its_value) {
    others.insert(don());
    table<dynamic_entity> const raw{inner, "Accounts"};
    auto row = raw.find("contoso", "account_00000001").value();
    row.value.set("email", std::int32_t{7});
    raw.replace(row);
    auto theirs = eve();
    theirs.email = "don@x";
    auto const r = others.try_insert(theirs);
    ASSERT_FALSE(r);
    EXPECT_EQ(r.error().code(), library_errc::type_mismatch);
    EXPECT_FALSE(others.verify().clean());
}

}  // namespace
}  // namespace tablemap::test

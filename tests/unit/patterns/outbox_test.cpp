// SPDX-License-Identifier: Apache-2.0
#include "tablemap/patterns/outbox.hpp"

#include "tablemap/embedded/store.hpp"
#include "tablemap/testing/faulty_store.hpp"
#include "tablemap/testing/fixed_clock.hpp"
#include "tablemap/testing/scripted_store.hpp"

#include "support/answers.hpp"
#include "support/outbox_samples.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <ranges>
#include <string>
#include <vector>

namespace tablemap::test {
namespace {

using tablemap::testing::answer_ok;
using tablemap::testing::exchange;
using tablemap::testing::fault;
using tablemap::testing::faulty_store;
using tablemap::testing::response_failure;
using tablemap::testing::scripted_store;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

response etags(std::size_t n) {
    response r;
    for (std::size_t i = 0; i < n; ++i) r.etags.emplace_back("e" + std::to_string(i));
    return r;
}

class outbox_test : public ::testing::Test {
protected:
    void SetUp() override {
        store = std::make_shared<faulty_store>(value_or_throw(open_embedded({.path = ":memory:"})));
        people.emplace(store, "Company");
        people->create();
        box.emplace(*people);
    }

    transaction hiring(std::int32_t id) {
        auto t = people->transaction();
        t.insert(staff{"Bonn", id, "Don"});
        return t;
    }
    outbox_receipt hire(std::int32_t id, std::int32_t version = 1) {
        auto t = hiring(id);
        return box->commit(t, archive_staff{id, version});
    }

    std::vector<std::string> rows() {
        std::vector<std::string> keys;
        for (auto const& e : table<dynamic_entity>{store, "Company"}.scan()) keys.push_back(e.value.row_key);
        return keys;
    }
    dynamic_entity row(std::string key) {
        return value_or_throw(table<dynamic_entity>{store, "Company"}.try_find({"Bonn", std::move(key)}))->value;
    }
    std::int64_t pending() { return *row("~outbox_head").try_get<std::int64_t>("Pending"); }

    std::shared_ptr<faulty_store> store;
    std::optional<table<staff>> people;
    std::optional<staff_outbox> box;
    std::string const first = "~outbox_pending_0000000000000000001";
};

// ---- what is sent ---------------------------------------------------------------------------------------------------

TEST(scripted_outbox, reads_the_head_and_sends_one_group) {
    auto const store = std::make_shared<scripted_store>(std::vector<exchange>{
        {"find Company [Bonn] [~outbox_head] current", response_failure(service_errc::resource_not_found)},
        {"transaction Company: insert [Bonn] [~outbox_head] {", etags(3)}});
    table<staff> const people{store, "Company"};
    auto t = people.transaction();
    t.insert(staff{"Bonn", 1, "Don"});
    auto const done = staff_outbox{people}.commit(t, archive_staff{1, 1});
    EXPECT_THAT(done.etags, ElementsAre(etag{"e1"}));
    EXPECT_EQ(done.first_sequence, 1);
    EXPECT_FALSE(done.not_queued);
    EXPECT_TRUE(t.empty());
    EXPECT_THAT(store->complaints(), IsEmpty());
}

TEST(scripted_outbox, puts_a_message_into_the_queue_afterwards) {
    service_response put;
    put.messages.emplace_back();
    auto const store = std::make_shared<scripted_store>(
        std::vector<exchange>{{"find Company", response_failure(service_errc::resource_not_found)},
                              {"transaction Company", etags(3)},
                              {"put message", tablemap::testing::answer_service(put)}});
    table<staff> const people{store, "Company"};
    auto t = people.transaction();
    t.insert(staff{"Bonn", 1, "Don"});
    EXPECT_FALSE((staff_outbox{people, {.queue = "work"}}.commit(t, archive_staff{1, 1}).not_queued));
    EXPECT_THAT(store->complaints(), IsEmpty());
}

TEST_F(outbox_test, stores_change_and_effects_together) {
    auto t = hiring(1);
    auto const done = box->commit(t, archive_staff{1, 7}, greet_staff{"hello"});
    EXPECT_EQ(done.first_sequence, 1);
    EXPECT_EQ(done.etags.size(), 1U);
    EXPECT_EQ(*row(first).try_get<std::string>("Effect"), R"({"id":1,"version":7})");
    EXPECT_EQ(*row(first).try_get<std::string>("Type"), "archive_staff");
    EXPECT_EQ(*row(first).try_get<std::string>("Entity"), "staff_000001");
    EXPECT_EQ(pending(), 2);
    EXPECT_EQ(people->find("Bonn", 1)->value.name, "Don");
}

TEST_F(outbox_test, numbers_the_effects_of_a_partition) {
    hire(1);
    EXPECT_EQ(hire(2).first_sequence, 2);
    auto t = hiring(3);
    EXPECT_EQ(box->commit(t, std::vector{archive_staff{3, 1}, archive_staff{3, 2}}).first_sequence, 3);
    EXPECT_EQ(hire(4).first_sequence, 5);
}

TEST_F(outbox_test, takes_the_entity_that_an_effect_names) {
    auto t = hiring(1);
    auto const second = t.insert(staff{"Bonn", 2, "Jun"});
    box->commit(t, caused_by(second, archive_staff{2, 1}));
    EXPECT_EQ(*row(first).try_get<std::string>("Entity"), "staff_000002");
}

TEST_F(outbox_test, commits_without_effects_as_a_transaction_does) {
    auto t = hiring(1);
    EXPECT_EQ(box->commit(t).first_sequence, 0);
    EXPECT_THAT(rows(), ElementsAre("staff_000001"));
}

TEST_F(outbox_test, keeps_indexes) {
    table<member_of_staff> const members{store, "Company"};
    outbox<member_of_staff, archive_staff> const with_index{members};
    auto t = members.transaction();
    t.insert(member_of_staff{"Bonn", 1, "don@x"});
    with_index.commit(t, archive_staff{1, 1});
    t.upsert_replace(member_of_staff{"Bonn", 1, "new@x"});
    with_index.commit(t, archive_staff{1, 2});
    EXPECT_TRUE(members.find_by<"by_email">("Bonn", "new@x"));
    EXPECT_FALSE(members.find_by<"by_email">("Bonn", "don@x"));
    EXPECT_THAT(members.verify_indexes().findings, IsEmpty());
    EXPECT_EQ(pending(), 2);
}

// ---- rows apart -----------------------------------------------------------------------------------------------------

TEST_F(outbox_test, is_invisible_to_tables_of_types) {
    hire(1);
    table<std::variant<staff, workplace>> const both{store, "Company"};
    auto const count = [](auto&& range) { return std::ranges::distance(range); };
    EXPECT_EQ(count(people->query(partition("Bonn"))), 1);
    EXPECT_EQ(count(people->scan()), 1);
    EXPECT_EQ(count(both.query(partition("Bonn"))), 1);
    EXPECT_EQ(both.query(partition("Bonn")).count(), 1U);
    EXPECT_EQ(both.erase_where(both.query(partition("Bonn"))).totals.stored, 1U);
    EXPECT_THAT(rows(), ElementsAre("~outbox_head", first));
}

TEST_F(outbox_test, refuses_row_keys_of_outboxes) {
    auto t = people->transaction();
    t.insert(dynamic_entity{"Bonn", "~outbox_mine"});
    auto const r = box->try_commit(t, archive_staff{1, 1});
    ASSERT_TRUE(failed_with(r, service_errc::invalid_input));
    EXPECT_EQ(r.error().failed_index(), 0U);
    EXPECT_EQ(store->requests(), 1U) << "only the creation of the table";
}

// ---- limits ---------------------------------------------------------------------------------------------------------

TEST_F(outbox_test, refuses_more_than_a_group_holds) {
    auto t = people->transaction();
    for (std::int32_t id = 0; id < 60; ++id) t.insert(staff{"Bonn", id, "Don"});
    auto const r = box->try_commit(t, std::vector<archive_staff>(40));
    ASSERT_TRUE(failed_with(r, service_errc::invalid_input));
    EXPECT_THAT(r.error().what(), HasSubstr("60 with 40 effects and the head of the outbox"));
    EXPECT_EQ(t.size(), 60U);
    box->commit(t, std::vector<archive_staff>(39));
    EXPECT_EQ(pending(), 39);
}

TEST_F(outbox_test, refuses_an_effect_that_is_too_large) {
    auto t = hiring(1);
    auto const r = box->try_commit(t, greet_staff{std::string(70'000, 'x')});
    ASSERT_TRUE(failed_with(r, library_errc::value_too_large));
    EXPECT_THAT(rows(), IsEmpty());
}

TEST_F(outbox_test, takes_effects_of_32_768_utf16_units) {
    std::string const around = R"({"text":""})";
    auto t = hiring(1);
    auto const text = std::string(32'768 - around.size(), 'x');
    EXPECT_TRUE(failed_with(box->try_commit(t, greet_staff{text + "x"}), library_errc::value_too_large));
    EXPECT_EQ(box->commit(t, greet_staff{text}).first_sequence, 1);
    EXPECT_EQ(row(first).try_get<std::string>("Effect")->size(), 32'768U);
}

TEST_F(outbox_test, refuses_a_transaction_of_another_table) {
    table<staff> const others{store, "Others"};
    others.create();
    auto t = others.transaction();
    t.insert(staff{"Bonn", 1, "Don"});
    auto const before = store->requests();
    EXPECT_TRUE(failed_with(box->try_commit(t, archive_staff{1, 1}), service_errc::invalid_input));
    EXPECT_TRUE(failed_with(box->try_commit(t), service_errc::invalid_input));
    EXPECT_EQ(store->requests(), before);
    EXPECT_EQ(t.size(), 1U) << "it keeps its operations";
}

TEST_F(outbox_test, refuses_a_transaction_of_another_store) {
    table<staff> const others{value_or_throw(open_embedded({.path = ":memory:"})), "Company"};
    auto t = others.transaction();
    t.insert(staff{"Bonn", 1, "Don"});
    EXPECT_TRUE(failed_with(box->try_commit(t, archive_staff{1, 1}), service_errc::invalid_input));
}

TEST_F(outbox_test, takes_a_transaction_of_its_table_under_a_name_in_other_case) {
    auto t = table<staff>{store, "COMPANY"}.transaction();
    t.insert(staff{"Bonn", 1, "Don"});
    EXPECT_EQ(box->commit(t, archive_staff{1, 1}).first_sequence, 1);
}

TEST_F(outbox_test, refuses_a_position_that_is_none) {
    auto t = hiring(1);
    EXPECT_TRUE(failed_with(box->try_commit(t, caused_by(1, archive_staff{})), service_errc::invalid_input));
}

// ---- conflicts ------------------------------------------------------------------------------------------------------

TEST_F(outbox_test, makes_the_group_again_after_another_commit) {
    auto t = hiring(1);
    store->act_before(
        [](class store& s) {
            std::shared_ptr<class store> const same{std::shared_ptr<void>{}, &s};
            table<staff> const others{same, "Company"};
            auto other = others.transaction();
            other.insert(staff{"Bonn", 2, "Jun"});
            staff_outbox{others}.commit(other, archive_staff{2, 1});
        },
        1);
    EXPECT_EQ(box->commit(t, archive_staff{1, 1}).first_sequence, 2);
    EXPECT_EQ(pending(), 2);
}

TEST_F(outbox_test, gives_up_after_many_conflicts) {
    std::vector<exchange> script;
    for (int i = 0; i < 50; ++i) {
        script.push_back({"find Company", response_failure(service_errc::resource_not_found)});
        error const conflict{service_errc::entity_already_exists, {.failed_index = 0}};
        script.push_back({"transaction Company", response::failed(conflict)});
    }
    auto const scripted = std::make_shared<scripted_store>(script);
    table<staff> const t{scripted, "Company"};
    auto w = t.transaction();
    w.insert(staff{"Bonn", 1, "Don"});
    tablemap::testing::fixed_clock clock;
    EXPECT_TRUE(failed_with(staff_outbox{t}.try_commit(w, {.clock = &clock}, archive_staff{}),
                            library_errc::too_many_conflicts));
    EXPECT_EQ(w.size(), 1U);
}

TEST_F(outbox_test, leaves_a_conflict_of_the_change_to_its_writer) {
    people->insert({"Bonn", 1, "Jun"});
    auto t = people->transaction();
    t.upsert_replace(staff{"Bonn", 5, "Eve"});
    t.insert(staff{"Bonn", 1, "Don"});
    auto const r = box->try_commit(t, archive_staff{1, 1});
    ASSERT_TRUE(failed_with(r, service_errc::entity_already_exists));
    EXPECT_EQ(r.error().failed_index(), 1U);
    EXPECT_EQ(r.error().failed_action(), "insert");
    EXPECT_THAT(rows(), ElementsAre("staff_000001"));
}

// ---- lost responses -------------------------------------------------------------------------------------------------

TEST_F(outbox_test, finds_out_that_a_lost_group_was_applied) {
    store->fail_next(fault::lost_after, 1);
    auto const done = hire(1);
    EXPECT_EQ(done.first_sequence, 1);
    EXPECT_EQ(pending(), 1);
}

TEST_F(outbox_test, sends_a_lost_group_again) {
    for (auto const f : {fault::lost_before, fault::overtaken}) {
        store->fail_next(f, 1);
        hire(f == fault::overtaken ? 2 : 1);
    }
    store->carry_out_overtaken();
    EXPECT_EQ(pending(), 2);
    EXPECT_EQ(rows().size(), 5U);
}

TEST_F(outbox_test, finds_out_that_a_relay_has_applied_a_lost_group) {
    store->fail_next(fault::lost_after, 1);
    store->act_before(
        [](class store& s) {
            table<staff> const others{{std::shared_ptr<void>{}, &s}, "Company"};
            noted_effects noted;
            noted.relay_of(staff_outbox{others}).run_once(partition("Bonn"));
        },
        2);
    EXPECT_EQ(hire(1).first_sequence, 1);
    EXPECT_EQ(pending(), 0);
}

TEST_F(outbox_test, is_in_doubt_if_a_relay_was_faster) {
    store->fail_next(fault::lost_after, 1);
    store->act_before(
        [](class store& s) {
            std::shared_ptr<class store> const same{std::shared_ptr<void>{}, &s};
            table<staff> const others{same, "Company"};
            staff_outbox const theirs{others};
            noted_effects noted;
            noted.relay_of(theirs).run_once(partition("Bonn"));
            auto other = others.transaction();
            other.insert(staff{"Bonn", 2, "Jun"});
            theirs.commit(other, archive_staff{2, 1});
        },
        2);
    auto t = hiring(1);
    auto const r = box->try_commit(t, archive_staff{1, 1});
    ASSERT_FALSE(r);
    EXPECT_EQ(r.error().outcome(), outcome::in_doubt);
}

TEST_F(outbox_test, says_that_the_queue_took_no_message) {
    staff_outbox const queued{*people, {.queue = "no-such-queue"}};
    auto t = hiring(1);
    auto const done = queued.commit(t, archive_staff{1, 1});
    EXPECT_TRUE(done.not_queued);
    EXPECT_EQ(pending(), 1);
}

}  // namespace
}  // namespace tablemap::test

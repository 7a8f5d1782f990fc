// SPDX-License-Identifier: Apache-2.0
#include "tablemap/patterns/moves.hpp"

#include "tablemap/embedded/store.hpp"
#include "tablemap/testing/faulty_store.hpp"

#include "support/denying_store.hpp"
#include "support/encrypted_samples.hpp"
#include "support/move_samples.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <variant>
#include <vector>

namespace tablemap::test {
namespace {

struct guest {
    std::string office{};
    std::string name{};
    std::string email{};
    encrypted<std::string> iban{};
    std::optional<guid> arriving{};
};

struct tenant {
    std::string office{};
    std::int32_t id{};
    encrypted<std::string> iban{};
    std::string email{};
};

}  // namespace
}  // namespace tablemap::test

template <> struct tablemap::mapping<tablemap::test::tenant> {
    using t = tablemap::test::tenant;
    static constexpr auto partition_key = key(part<&t::office>);
    static constexpr auto row_key = key("tenant_", part<&t::id>.width(6));
    static constexpr auto indexes = tablemap::indexes(unique_index<"by_email">(key("email_", part<&t::email>)),
                                                      index<"by_id">(key("id_", part<&t::id>.width(6))));
};
template <> struct tablemap::mapping<tablemap::test::guest> {
    using t = tablemap::test::guest;
    static constexpr auto partition_key = key("guests of ", part<&t::office>);
    static constexpr auto row_key = key("guest_", part<&t::name>);
    static constexpr auto indexes = tablemap::indexes(unique_index<"by_email">(key("mail_", part<&t::email>)));
    static constexpr auto move_mark = &t::arriving;
};

namespace tablemap::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class moves_test : public ::testing::Test {
protected:
    void SetUp() override {
        officers.create();
        pensioners.create();
        officers.insert({"Bonn", 1, "Don"});
    }

    void retire_don() {
        auto don = *officers.find("Bonn", 1);
        auto t = officers.transaction();
        t.replace(don);
        box.commit(t, retire{1});
    }
    relay_report work(std::function<pensioner(officer const&)> make = pensioner_of, int attempts = 1) {
        return relay{box,
                     {.attempts = attempts, .retry_wait = std::chrono::milliseconds{0}},
                     on_move(pensioners, std::move(make)),
                     on<greet_officer>([this](greet_officer const& g) { greeted.push_back(g.text); })}
            .run_once(partition("Bonn"));
    }
    std::vector<std::string> rows() const {
        std::vector<std::string> all;
        for (auto const& e : table<dynamic_entity>{store, "Officers"}.scan()) all.push_back(e.value.row_key);
        return all;
    }
    std::optional<pensioner> don() const {
        auto const e = pensioners.find(1);
        return e ? std::optional{e->value} : std::nullopt;
    }

    store_ptr store = value_or_throw(open_embedded({.path = ":memory:"}));
    table<officer> officers{store, "Officers"};
    table<pensioner> pensioners{store, "Pensioners"};
    officer_outbox box{officers};
    std::vector<std::string> greeted{};
};

TEST_F(moves_test, moves_an_entity_and_leaves_nothing_behind) {
    retire_don();
    EXPECT_EQ(work().applied, 1U);
    EXPECT_EQ(don(), (pensioner{1, "Bonn", "Don", std::nullopt}));
    EXPECT_THAT(rows(), ElementsAre("~outbox_head"));
}

TEST_F(moves_test, move_the_entity_as_it_is_when_they_are_carried_out) {
    retire_don();
    officers.modify({"Bonn", 1}, [](officer& c) { c.name = "Donald"; });
    work();
    EXPECT_EQ(don()->name, "Donald");
}

TEST_F(moves_test, are_not_committed_for_an_entity_that_has_changed) {
    auto old = *officers.find("Bonn", 1);
    officers.modify({"Bonn", 1}, [](officer& c) { c.name = "Donald"; });
    auto t = officers.transaction();
    t.replace(old);
    EXPECT_EQ(box.try_commit(t, retire{1}).error().code(), service_errc::update_condition_not_satisfied);
    EXPECT_EQ(box.status().pending, 0);
}

TEST_F(moves_test, are_not_committed_beside_an_erase_of_the_entity) {
    auto t = officers.transaction();
    t.insert(officer{"Bonn", 2, "Eve"});
    auto const erase = t.erase(*officers.find("Bonn", 1));
    auto const e = box.try_commit(t, caused_by(erase, retire{1})).error();
    EXPECT_EQ(e.code(), service_errc::invalid_input);
    EXPECT_EQ(e.failed_index(), 1U);
    EXPECT_TRUE(officers.find("Bonn", 1));
}

TEST_F(moves_test, stand_in_one_outbox_with_effects_of_the_program) {
    auto don_now = *officers.find("Bonn", 1);
    auto t = officers.transaction();
    t.replace(don_now);
    box.commit(t, greet_officer{"Goodbye"}, retire{1}, greet_officer{"Gone"});
    EXPECT_EQ(work().applied, 3U);
    EXPECT_THAT(greeted, ElementsAre("Goodbye", "Gone"));
    EXPECT_TRUE(don());
}

TEST_F(moves_test, move_several_entities_of_one_transaction) {
    officers.insert({"Bonn", 2, "Eve"});
    auto don_now = *officers.find("Bonn", 1);
    auto eve = *officers.find("Bonn", 2);
    auto t = officers.transaction();
    auto const first = t.replace(don_now);
    auto const second = t.replace(eve);
    box.commit(t, caused_by(first, retire{1}), caused_by(second, retire{2}));
    EXPECT_EQ(work().applied, 2U);
    EXPECT_EQ(pensioners.find(2)->value.name, "Eve");
    EXPECT_EQ(don()->name, "Don");
}

TEST_F(moves_test, of_two_entities_to_one_key_move_the_first_and_keep_the_second) {
    officers.insert({"Bonn", 2, "Eve"});
    auto don_now = *officers.find("Bonn", 1);
    auto eve = *officers.find("Bonn", 2);
    auto t = officers.transaction();
    auto const first = t.replace(don_now);
    auto const second = t.replace(eve);
    box.commit(t, caused_by(first, retire{1}), caused_by(second, retire{1}));
    auto const done = work([](officer const& c) { return pensioner{.id = 1, .name = c.name}; });
    EXPECT_EQ(done.parked, 1U);
    EXPECT_EQ(don()->name, "Don");
    EXPECT_EQ(officers.find("Bonn", 2)->value.name, "Eve");
}

TEST_F(moves_test, of_an_entity_that_was_erased_are_done) {
    retire_don();
    officers.erase_any({"Bonn", 1});
    EXPECT_EQ(work().applied, 1U);
    EXPECT_FALSE(don());
}

TEST_F(moves_test, are_parked_with_the_reason_while_the_new_key_is_taken) {
    pensioners.insert({.id = 1, .name = "Eve"});
    retire_don();
    auto const done = work();
    EXPECT_EQ(done.parked, 1U);
    EXPECT_THAT(done.last_failure->what(), HasSubstr("another row has the key"));
    EXPECT_EQ(don()->name, "Eve");
    EXPECT_TRUE(officers.find("Bonn", 1));
}

TEST_F(moves_test, wait_for_the_rights_that_they_need) {
    retire_don();
    auto t = officers.transaction();
    t.insert(officer{"Bonn", 2, "Eve"});
    box.commit(t, greet_officer{"Eve"});
    auto const denying = std::make_shared<denying_store>(store, "Pensioners");
    relay const r{officer_outbox{table<officer>{denying, "Officers"}},
                  {.attempts = 1},
                  on_move(table<pensioner>{denying, "Pensioners"}, pensioner_of),
                  on<greet_officer>([this](greet_officer const& g) { greeted.push_back(g.text); })};
    auto const done = r.run_once(partition("Bonn"));
    EXPECT_EQ(done.parked, 0U);
    EXPECT_EQ(done.end, pass_end::left);
    EXPECT_EQ(done.last_failure->code(), service_errc::authorization_permission_mismatch);
    EXPECT_THAT(greeted, ElementsAre("Eve")) << "it is of another entity";
    denying->grant();
    EXPECT_EQ(r.run_once(partition("Bonn")).applied, 1U);
    ASSERT_TRUE(don());
    EXPECT_EQ(don()->name, "Don");
}

TEST_F(moves_test, go_on_when_they_are_put_back) {
    pensioners.insert({.id = 1, .name = "Eve"});
    retire_don();
    work();
    pensioners.erase_any({1});
    relay{box, on_move(pensioners, pensioner_of), on<greet_officer>([](greet_officer const&) {})}.put_back();
    EXPECT_EQ(work().applied, 1U);
    EXPECT_EQ(don()->name, "Don");
}

TEST_F(moves_test, change_nothing_if_the_function_fails) {
    retire_don();
    auto const done = work([](officer const&) -> pensioner { throw std::runtime_error{"no pension"}; });
    EXPECT_EQ(done.parked, 1U);
    EXPECT_THAT(done.last_failure->server_text(), HasSubstr("no pension"));
    EXPECT_FALSE(don());
    EXPECT_TRUE(officers.find("Bonn", 1));
}

TEST_F(moves_test, refuse_an_entity_with_another_key_than_was_committed) {
    retire_don();
    auto const done = work([](officer const& c) { return pensioner{.id = 7, .name = c.name}; });
    EXPECT_THAT(done.last_failure->what(), HasSubstr("another key than move_to named"));
    EXPECT_FALSE(pensioners.find(7));
}

TEST_F(moves_test, report_a_key_that_cannot_be_stored_before_anything_is_sent) {
    auto don_now = *officers.find("Bonn", 1);
    auto t = officers.transaction();
    t.replace(don_now);
    EXPECT_EQ(box.try_commit(t, retire{-1}).error().code(), pensioners.try_find(-1).error().code());
}

TEST_F(moves_test, need_tables_of_one_store) {
    auto const other = value_or_throw(open_embedded({.path = ":memory:"}));
    auto const make = [&] {
        return relay{box, on_move(table<pensioner>{other, "Pensioners"}, pensioner_of),
                     on<greet_officer>([](greet_officer const&) {})};
    };
    EXPECT_THROW(make(), error);
    EXPECT_THROW((moves{officers, table<pensioner>{other, "Pensioners"}}), error);
}

// ---- rows that moves leave ------------------------------------------------------------------------------------------

/// A officer between the commit point and the end of his move, as a relay that was killed leaves him.
class move_under_way : public moves_test {
protected:
    void begin(bool committed) {
        retire_don();
        auto effect = *raw().find("Bonn", "~outbox_pending_0000000000000000001");
        auto const json = *effect.value.try_get<std::string>("Effect");
        auto const at = json.find("\"move\":\"") + 8;
        id = *guid::parse(json.substr(at, 36));
        pensioners.insert({1, "Bonn", "Don", id});
        if (!committed) return;
        officers.erase_any({"Bonn", 1});
        dynamic_entity trace{"Bonn", "~moved_" + id.text()};
        trace.set("Entity", "officer_000001");
        raw().insert(trace);
    }
    table<dynamic_entity> raw() const { return {store, "Officers"}; }
    moved_entity<officer, pensioner> look() const { return moves{officers, pensioners}.find({"Bonn", 1}, {1}); }

    guid id{};
};

TEST_F(move_under_way, has_a_tentative_row) {
    begin(false);
    EXPECT_TRUE(is_tentative(*pensioners.find(1)));
    work();
    EXPECT_FALSE(is_tentative(*pensioners.find(1)));
}

TEST_F(move_under_way, finds_the_entity_at_its_old_place_before_the_commit) {
    begin(false);
    EXPECT_TRUE(look().source);
    EXPECT_FALSE(look().target);
}

TEST_F(move_under_way, finds_the_entity_at_its_new_place_after_the_commit) {
    begin(true);
    EXPECT_FALSE(look().source);
    EXPECT_EQ(look().target->value.name, "Don");
}

TEST_F(move_under_way, does_not_find_an_entity_that_was_erased_before_the_commit) {
    begin(false);
    officers.erase_any({"Bonn", 1});
    EXPECT_FALSE(look().source || look().target);
    EXPECT_EQ(work().applied, 1U);
    EXPECT_FALSE(don());
}

TEST_F(move_under_way, keeps_the_mark_when_the_tentative_row_is_written) {
    begin(false);
    auto row = *pensioners.find(1);
    row.value.name = "Donald";
    pensioners.replace(row);
    EXPECT_TRUE(is_tentative(*pensioners.find(1)));
    work();
    EXPECT_EQ(don(), (pensioner{1, "Bonn", "Don", std::nullopt})) << "the old row was the entity";
}

TEST_F(move_under_way, keeps_what_is_written_to_the_new_row_after_the_commit) {
    begin(true);
    pensioners.modify({1}, [](pensioner& p) { p.name = "Donald"; });
    work();
    EXPECT_EQ(don(), (pensioner{1, "Bonn", "Donald", std::nullopt}));
}

TEST_F(move_under_way, ends_though_the_new_row_was_erased_after_the_commit) {
    begin(true);
    pensioners.erase_any({1});
    EXPECT_EQ(work().applied, 1U);
    EXPECT_THAT(rows(), ElementsAre("~outbox_head"));
}

TEST_F(move_under_way, leaves_an_entity_alone_that_was_stored_again) {
    begin(true);
    officers.insert({"Bonn", 1, "Eve"});
    EXPECT_EQ(work().applied, 1U);
    EXPECT_EQ(don()->name, "Don");
    EXPECT_EQ(officers.find("Bonn", 1)->value.name, "Eve");
}

TEST_F(move_under_way, is_invisible_to_the_table) {
    begin(true);
    EXPECT_EQ(officers.scan().count(), 0U);
    EXPECT_EQ(officers.query(partition("Bonn")).count(), 0U);
}

TEST_F(move_under_way, leaves_the_tentative_row_of_another_move_alone) {
    begin(false);
    pensioners.modify({1}, [](pensioner& p) { p.arriving = guid::from_random(1, 2); });
    EXPECT_EQ(work().parked, 1U);
    EXPECT_TRUE(is_tentative(*pensioners.find(1)));
    EXPECT_TRUE(officers.find("Bonn", 1));
}

// ---- other types ----------------------------------------------------------------------------------------------------

/// Tenants become guests: both types have indexes and encrypted members, and one table.
class moves_of_tenants : public ::testing::Test {
protected:
    void SetUp() override {
        tenants.create();
        tenants.insert({"Bonn", 1, "DE1", "don@x.org"});
    }
    void commit(std::string const& name) {
        auto don = *tenants.find("Bonn", 1);
        auto t = tenants.transaction();
        t.replace(don);
        box.commit(t, move_to<guest>{"Bonn", name});
    }
    static relay_report work(std::string const& name, store_ptr by) {
        outbox<tenant, move_to<guest>> const box{table<tenant>{by, "People"}};
        return relay{box, on_move(table<guest>{by, "People"},
                                  [name](tenant const& m) {
                                      return guest{m.office, name, m.email, m.iban};
                                  })}
            .sweep();
    }
    void move(std::string const& name) {
        commit(name);
        EXPECT_EQ(work(name, store).applied, 1U);
    }

    store_ptr plain = value_or_throw(open_embedded({.path = ":memory:"}));
    store_ptr store = with_keys(plain, ring_of());
    table<tenant> tenants{store, "People"};
    table<guest> guests{store, "People"};
    outbox<tenant, move_to<guest>> box{tenants};
};

TEST_F(moves_of_tenants, take_their_rows_in_indexes_with_them) {
    move("Don");
    EXPECT_TRUE(guests.verify_indexes().in_step());
    EXPECT_TRUE(tenants.verify_indexes().in_step());
    EXPECT_FALSE(tenants.find_by(index_key<tenant, "by_email">{"Bonn", "don@x.org"}));
    EXPECT_FALSE(is_tentative(*guests.find_by(index_key<guest, "by_email">{"Bonn", "don@x.org"})));
}

TEST_F(moves_of_tenants, of_tenants_who_were_erased_in_between_leave_nothing) {
    for (std::size_t k = 0; k < 20; ++k) {
        auto const faulty = std::make_shared<testing::faulty_store>(store);
        bool erased = false;
        faulty->act_before([&](class store&) { erased = tenants.erase_any({"Bonn", 1}); }, k);
        commit("Don");
        work("Don", faulty);
        EXPECT_EQ(guests.find("Bonn", "Don").has_value(), !erased) << "request " << k;
        EXPECT_TRUE(guests.verify_indexes().in_step() && tenants.verify_indexes().in_step()) << "request " << k;
        guests.erase_any({"Bonn", "Don"});
        tenants.upsert_replace({"Bonn", 1, "DE1", "don@x.org"});
    }
}

TEST_F(moves_of_tenants, are_not_done_while_the_row_at_the_new_key_cannot_be_read) {
    commit("Don");
    guests.insert({"Bonn", "Don", "don@x.org", "DE1", guid::from_random(1, 2)});
    tenants.erase_any({"Bonn", 1});
    auto const done = work("Don", with_keys(plain, ring_of("b")));
    EXPECT_EQ(done.failed, 1U);
    EXPECT_EQ(done.applied, 0U);
}

TEST_F(moves_of_tenants, keep_values_encrypted) {
    move("Don");
    EXPECT_EQ(guests.find("Bonn", "Don")->value.iban, "DE1");
}

}  // namespace
}  // namespace tablemap::test

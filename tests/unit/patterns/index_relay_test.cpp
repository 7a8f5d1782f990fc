// SPDX-License-Identifier: Apache-2.0
#include "support/elsewhere_samples.hpp"

#include "tablemap/crypto/key_ring.hpp"
#include "tablemap/embedded/store.hpp"
#include "tablemap/patterns/outbox.hpp"
#include "tablemap/store/observer.hpp"
#include "tablemap/store/with_keys.hpp"
#include "tablemap/table/bulk_writer.hpp"
#include "tablemap/testing/faulty_store.hpp"
#include "tablemap/testing/fixed_clock.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <variant>
#include <vector>

namespace tablemap::test {

/// Of another type in the same table.
struct cable {
    std::string site{};
    std::int32_t number{};
    std::string colour{};
};

struct patient {
    std::string ward{};
    std::int32_t id{};
    std::string name{};
    encrypted<std::string> illness{};
};

/// Version 1 had no floor, and version 2 tells it from the name.
struct guest {
    std::string hotel{};
    std::int32_t id{};
    std::string name{};
};
struct guest_on_floor {
    std::string hotel{};
    std::int32_t id{};
    std::string name{};
    std::int32_t floor{};
};

inline void find_floor(dynamic_entity& row) {
    row.set("floor", static_cast<std::int32_t>(row.try_get<std::string>("name")->size()));
}

struct note_change {
    std::int32_t id{};
};

}  // namespace tablemap::test

template <> struct tablemap::mapping<tablemap::test::cable> {
    static constexpr auto partition_key = key("site_", part<&test::cable::site>);
    static constexpr auto row_key = key("cable_", part<&test::cable::number>.width(4));
    static constexpr auto indexes =
        tablemap::indexes(index_in<"by_colour", "CablesByColour">(key(part<&test::cable::colour>), key("colour")));
};
template <> struct tablemap::mapping<tablemap::test::guest> {
    static constexpr auto discriminator = tablemap::discriminator("Type", "guest");
    static constexpr auto partition_key = key(part<&test::guest::hotel>);
    static constexpr auto row_key = key("guest_", part<&test::guest::id>.width(4));
};
template <> struct tablemap::mapping<tablemap::test::guest_on_floor> {
    using t = test::guest_on_floor;
    static constexpr auto discriminator = tablemap::discriminator("Type", "guest");
    static constexpr auto versions = tablemap::versions<2>(upgrade_from<1>(&test::find_floor));
    static constexpr auto partition_key = key(part<&t::hotel>);
    static constexpr auto row_key = key("guest_", part<&t::id>.width(4));
    static constexpr auto indexes =
        tablemap::indexes(index_in<"by_floor", "GuestsByFloor">(key(part<&t::floor>.width(2)), key("floor")));
};
template <> struct tablemap::mapping<tablemap::test::patient> {
    static constexpr auto partition_key = key(part<&test::patient::ward>);
    static constexpr auto row_key = key("patient_", part<&test::patient::id>.width(4));
    static constexpr auto indexes = tablemap::indexes(
        index_in<"by_name">(key("names_", part<&test::patient::name>), key("name")),
        index_in<"by_id", "PatientsById">(key(part<&test::patient::id>.width(4)), key("id")).include<>());
};

namespace tablemap::test {
namespace {

using tablemap::testing::fault;
using tablemap::testing::faulty_store;
using tablemap::testing::fixed_clock;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class keeping_passes final : public observer {
public:
    void index_pass_done(index_event const& e) override {
        lags.push_back(e.lag);
        intents.push_back(e.intents);
    }
    std::vector<std::chrono::nanoseconds> lags{};
    std::vector<std::size_t> intents{};
};

class index_relay_of_clerks : public ::testing::Test {
protected:
    void SetUp() override {
        clerks.create();
        relay.create_if_not_exists();
    }

    static clerk ann(std::string email = "a@x") { return {"Bonn", 1, "Ann", std::move(email), 11}; }
    std::vector<std::string> ids_by(std::string const& email) const {
        std::vector<std::string> ids;
        for (auto const& e : by_email.find_all(partition(email))) ids.push_back(e.value.name);
        return ids;
    }
    std::size_t intents() const { return intents_in(store, "Clerks"); }
    void expect_relayed() const {
        relay.sweep();
        EXPECT_EQ(rows_of_index(clerks, store), implied_by(clerks));
        EXPECT_EQ(intents(), 0U);
    }
    call_options for_an_hour() {
        return {.deadline = clock.now() + std::chrono::hours{1}, .retry = retry_policy::none(), .clock = &clock};
    }

    fixed_clock clock;
    std::shared_ptr<keeping_passes> seen = std::make_shared<keeping_passes>();
    std::shared_ptr<faulty_store> faulty =
        std::make_shared<faulty_store>(value_or_throw(open_embedded({.path = ":memory:"})));
    store_ptr store = with_observer(faulty, seen);
    table<clerk> clerks{store, "Clerks"};
    index_relay<clerk> relay{clerks};
    clerks_by_email by_email{clerks};
};

TEST_F(index_relay_of_clerks, finds_an_entity_by_its_value_after_a_pass) {
    auto const e = clerks.insert(ann());
    EXPECT_THAT(ids_by("a@x"), IsEmpty());
    auto const done = relay.run_once(partition("Bonn"));
    EXPECT_EQ(done.entities, 1U);
    EXPECT_EQ(done.intents, 1U);
    EXPECT_EQ(done.written, 1U);
    auto const found = by_email.find_all(partition("a@x"));
    ASSERT_THAT(found, SizeIs(1));
    EXPECT_EQ(found[0].value, e.value);
    EXPECT_EQ(found[0].etag, e.etag);
}

TEST_F(index_relay_of_clerks, never_finds_an_entity_by_a_value_that_it_has_no_longer) {
    clerks.insert(ann());
    relay.sweep();
    clerks.modify({"Bonn", 1}, [](clerk& c) { c.email = "b@x"; });
    EXPECT_THAT(ids_by("a@x"), IsEmpty()) << "the row is there still";
    EXPECT_EQ(by_email.copies(partition("a@x")).count(), 1U);
    auto const done = relay.sweep();
    EXPECT_EQ(done.written, 1U);
    EXPECT_EQ(done.erased, 1U);
    EXPECT_THAT(ids_by("b@x"), ElementsAre("Ann"));
    EXPECT_EQ(by_email.copies(partition("a@x")).count(), 0U);
}

TEST_F(index_relay_of_clerks, never_finds_an_entity_that_was_erased) {
    clerks.insert(ann());
    relay.sweep();
    clerks.erase_any("Bonn", 1);
    EXPECT_THAT(ids_by("a@x"), IsEmpty());
    expect_relayed();
}

TEST_F(index_relay_of_clerks, tells_entities_with_one_value_apart) {
    clerks.insert(ann());
    clerks.insert({"Kiel", 1, "Bob", "a@x", 11});
    clerks.insert({"a_b", 2, "Cyd", "a@x", 12});
    expect_relayed();
    EXPECT_THAT(ids_by("a@x"), SizeIs(3));
}

TEST_F(index_relay_of_clerks, stores_no_intent_for_a_write_that_changes_no_row_elsewhere) {
    clerks.insert({"Bonn", 1, "Ann", std::nullopt, 11});
    auto e = clerks.insert({"Bonn", 2, "Bob", "b@x", 12});
    relay.sweep();
    clerks.replace(e);
    clerks.modify({"Bonn", 1}, [](clerk& c) { c.name = "Zoe"; });
    EXPECT_EQ(intents(), 0U);
}

TEST_F(index_relay_of_clerks, refreshes_copies_of_other_members) {
    clerks.insert(ann());
    relay.sweep();
    clerks.modify({"Bonn", 1}, [](clerk& c) { c.badge = 99; });
    expect_relayed();
}

TEST_F(index_relay_of_clerks, is_told_by_every_kind_of_write) {
    auto e = clerks.insert(ann());
    clerks.upsert_replace({"Bonn", 2, "Bob", "b@x", 12});
    clerks.upsert_merge({"Bonn", 3, "Cyd", "c@x", 13});
    e.value.email = "d@x";
    clerks.merge(e, only<&clerk::email>);
    clerks.merge_any({.office = "Bonn", .id = 2, .email = "e@x"}, only<&clerk::email>);
    clerks.modify_or_insert({"Bonn", 4, "Dan", "f@x", 14}, [](clerk& c) { c.badge = 15; });
    auto t = clerks.transaction();
    t.insert(clerk{"Bonn", 5, "Eve", "g@x", 16});
    t.erase_any<clerk>({"Bonn", 3});
    t.commit();
    clerks.upsert_many(std::vector<clerk>{{"Bonn", 6, "Fay", "h@x", 17}, {"Kiel", 1, "Gus", "h@x", 1}})
        .require_complete();
    expect_relayed();
    EXPECT_THAT(ids_by("h@x"), ElementsAre("Fay", "Gus"));
    clerks.erase_where(clerks.query(partition("Bonn"))).require_complete();
    expect_relayed();
    EXPECT_THAT(implied_by(clerks), SizeIs(1));
}

TEST_F(index_relay_of_clerks, goes_through_an_outbox_too) {
    outbox<clerk, note_change> const box{clerks};
    auto t = clerks.transaction();
    t.insert(ann());
    box.commit(t, note_change{1});
    expect_relayed();
    EXPECT_THAT(ids_by("a@x"), ElementsAre("Ann"));
}

TEST_F(index_relay_of_clerks, hides_intents_and_rows_from_reads_of_entities) {
    clerks.insert(ann());
    EXPECT_EQ(clerks.scan().count(), 1U);
    EXPECT_EQ(clerks.query(partition("Bonn")).count(), 1U);
    EXPECT_TRUE(clerks.verify_indexes().in_step());
    EXPECT_EQ(intents(), 1U);
}

TEST_F(index_relay_of_clerks, carries_out_more_intents_than_a_page_and_a_transaction_hold) {
    for (int i = 0; i < 130; ++i) clerks.upsert_replace(ann("e" + std::to_string(i % 7) + "@x"));
    index_relay<clerk> const in_small_pages{clerks, {.page_size = 3}};
    EXPECT_EQ(in_small_pages.run_once(partition("Bonn")).intents, 130U);
    for (int i = 0; i < 130; ++i) clerks.upsert_replace(ann("e" + std::to_string(i % 7) + "@x"));
    index_relay<clerk> const in_one_page{clerks, {.page_size = 1'000}};
    EXPECT_EQ(in_one_page.run_once(partition("Bonn")).intents, 130U);
    expect_relayed();
}

TEST_F(index_relay_of_clerks, finds_that_another_relay_has_erased_its_intents) {
    clerks.insert(ann());
    clerks.modify({"Bonn", 1}, [](clerk& c) { c.email = "b@x"; });
    auto const requests_of_a_pass = 8U;  // the last one erases the intents
    faulty->act_before([&](class store&) { relay.sweep(); }, requests_of_a_pass - 1);
    EXPECT_EQ(relay.run_once(partition("Bonn")).left, 0U);
    expect_relayed();
}

TEST_F(index_relay_of_clerks, leaves_the_intents_of_an_entity_that_it_cannot_bring_in_step) {
    clerks.insert(ann());
    clerks.insert({"Kiel", 1, "Bob", "b@x", 11});
    table<dynamic_entity> const rows{store, "Clerks"};
    auto bad = *rows.find("Bonn", "clerk_000001");
    bad.value.set("Badge", std::string{"none"});
    bad.value.set("badge", std::string{"none"});
    rows.replace(bad);
    auto const r = relay.try_sweep();
    ASSERT_FALSE(r);
    EXPECT_EQ(intents(), 1U);
    EXPECT_THAT(ids_by("b@x"), ElementsAre("Bob"));
}

TEST_F(index_relay_of_clerks, leaves_an_intent_that_it_cannot_read_or_does_not_know) {
    clerks.insert(ann());
    table<dynamic_entity> const rows{store, "Clerks"};
    dynamic_entity foreign{"Bonn", "~index_0_1"};
    foreign.set("Entity", std::string{"cable_0001"});
    foreign.set("Partition0", std::string{"x"});
    foreign.set("Row0", std::string{"colour_x"});
    rows.insert(foreign);
    EXPECT_EQ(relay.sweep().left, 1U);
    rows.insert({"Bonn", "~index_0_2"});
    EXPECT_FALSE(relay.try_sweep());
    EXPECT_EQ(intents(), 2U);
    EXPECT_THAT(ids_by("a@x"), ElementsAre("Ann"));
}

TEST_F(index_relay_of_clerks, carries_out_what_it_knows_of_an_intent_and_keeps_the_rest) {
    clerks.insert(ann());
    table<dynamic_entity> const rows{store, "Clerks"};
    auto intent = *rows.query(partition("Bonn"), row_range("~index_", "~index_~")).first();
    intent.value.set("Partition1", std::string{"x"});
    intent.value.set("Row1", std::string{"dropped_Bonn !_clerk_000001"});
    rows.replace(intent);
    auto const done = relay.sweep();
    EXPECT_EQ(done.left, 1U);
    EXPECT_EQ(intents(), 1U);
    EXPECT_THAT(ids_by("a@x"), ElementsAre("Ann"));
}

TEST_F(index_relay_of_clerks, touches_no_row_of_another_entity_for_an_intent) {
    clerks.insert(ann());
    relay.sweep();
    dynamic_entity forged{"Bonn", "~index_0_1"};
    forged.set("Entity", std::string{"clerk_000009"});
    forged.set("Table0", std::string{table_by_email});
    forged.set("Partition0", std::string{"a@x"});
    forged.set("Row0", std::string{"by_email_Bonn !_clerk_000001"});
    table<dynamic_entity>{store, "Clerks"}.insert(forged);
    EXPECT_EQ(relay.sweep().erased, 0U);
    EXPECT_THAT(ids_by("a@x"), ElementsAre("Ann"));
}

TEST_F(index_relay_of_clerks, reaches_the_entities_behind_intents_that_name_impossible_keys) {
    for (int i = 0; i < 6; ++i) {
        dynamic_entity bad{"A", "~index_" + std::to_string(i) + "_1"};
        bad.set("Entity", "clerk#" + std::to_string(i));
        bad.set("Table0", std::string{table_by_email});
        bad.set("Partition0", std::string{"a@x"});
        bad.set("Row0", "by_email_A !_clerk#" + std::to_string(i));
        table<dynamic_entity>{store, "Clerks"}.insert(bad);
    }
    clerks.insert(ann());
    EXPECT_EQ(relay.sweep().left, 6U);
    EXPECT_THAT(ids_by("a@x"), ElementsAre("Ann"));
}

TEST_F(index_relay_of_clerks, counts_an_intent_that_stays_once) {
    table<dynamic_entity>{store, "Clerks"}.insert({"Bonn", "~index_0_1"});
    index_relay<clerk> const often{clerks, {.sweep_every = std::chrono::minutes{1}}};
    EXPECT_EQ(often.run(for_an_hour()).left, 1U);
}

TEST_F(index_relay_of_clerks, counts_an_intent_that_stays_if_the_last_sweep_does_not_reach_it) {
    table<dynamic_entity>{store, "Clerks"}.insert({"Bonn", "~index_0_1"});
    auto const before = faulty->requests();
    EXPECT_FALSE(relay.try_sweep());
    auto const of_a_sweep = faulty->requests() - before;
    index_relay<clerk> const twice{clerks, {.sweep_every = std::chrono::minutes{40}}};
    for (auto f : {fault::late_before, fault::busy}) {
        faulty->fail_next(f, of_a_sweep);
        EXPECT_EQ(twice.run(for_an_hour()).left, 1U);
    }
}

TEST_F(index_relay_of_clerks, reports_the_age_of_the_oldest_intent) {
    clerks.insert(ann());
    index_relay<clerk> const later{clerks, {.now = [] { return ticks::now() + tick_duration{std::chrono::hours{1}}; }}};
    auto const done = later.sweep();
    EXPECT_GE(done.lag, std::chrono::minutes{59});
    ASSERT_THAT(seen->lags, SizeIs(1));
    EXPECT_EQ(seen->lags[0], done.lag);
    EXPECT_THAT(seen->intents, ElementsAre(1U));
}

TEST_F(index_relay_of_clerks, runs_until_its_deadline) {
    clerks.insert(ann());
    auto const done = relay.run(for_an_hour());
    EXPECT_EQ(done.intents, 1U);
    EXPECT_FALSE(done.last_failure);
}

TEST_F(index_relay_of_clerks, says_in_its_plan_that_it_is_eventually_consistent) {
    EXPECT_THAT(by_email.copies(partition("a@x")).explain().text(), ::testing::HasSubstr("eventually consistent"));
}

TEST(index_relay_options, are_checked) {
    table<clerk> const clerks{value_or_throw(open_embedded({.path = ":memory:"})), "Clerks"};
    EXPECT_THROW((index_relay<clerk>{clerks, {.page_size = 0}}), error);
    EXPECT_THROW((index_relay<clerk>{clerks, {.attempts = 0}}), error);
    EXPECT_THROW((index_relay<clerk>{clerks, {.sweep_every = std::chrono::milliseconds{0}}}), error);
    EXPECT_THROW((index_relay<clerk>{clerks, {.now = {}}}), error);
}

class index_relay_of_devices : public ::testing::Test {
protected:
    void SetUp() override {
        devices.create();
        relay.create_if_not_exists();
    }

    store_ptr store = value_or_throw(open_embedded({.path = ":memory:"}));
    table<device> devices{store, "Devices"};
    index_relay<device> relay{devices};
};

TEST_F(index_relay_of_devices, keeps_rows_in_other_partitions_of_the_same_table) {
    devices.insert({"Bonn", 1, "X", 2001, false});
    devices.insert({"Kiel", 1, "X", 1999, false});
    devices.insert({"Kiel", 2, "Y", 1999, false});
    relay.sweep();
    index_elsewhere<device, "by_model"> const by_model{devices};
    auto const found = by_model.find_all(partition("X"));
    ASSERT_THAT(found, SizeIs(2));
    EXPECT_EQ(found[0].value.year, 1999);
    EXPECT_EQ(found[1].value.site, "Bonn");
    EXPECT_THAT(by_model.find_all(partition("X"), leading(2001)), SizeIs(1));
    EXPECT_THAT(by_model.find_all(partition("X"), row_range(1990, 2000)), SizeIs(1));
    EXPECT_EQ(devices.scan().count(), 3U) << "without the rows of the index";
    EXPECT_EQ(relay.verify().found(), 0U);
}

TEST_F(index_relay_of_devices, gives_the_members_that_copies_hold) {
    devices.insert({"Bonn", 1, "X", 2001, true});
    relay.sweep();
    auto q = index_elsewhere<device, "by_model">{devices}
                 .copies(partition("X"))
                 .select<&device::site, &device::number, &device::year, &device::retired>();
    for (auto const& [site, number, year, retired] : q) {
        EXPECT_EQ(site, "Bonn");
        EXPECT_EQ(number, 1);
        EXPECT_EQ(year, 2001);
        EXPECT_TRUE(retired);
    }
}

TEST_F(index_relay_of_devices, keeps_rows_of_entities_that_meet_the_condition_only) {
    devices.insert({"Bonn", 1, "X", 2001, false});
    devices.insert({"Bonn", 2, "X", 2002, true});
    relay.sweep();
    index_elsewhere<device, "retired"> const retired{devices};
    EXPECT_THAT(retired.find_all(partition()), SizeIs(1));
    devices.modify({"Bonn", 2}, [](device& d) { d.retired = false; });
    EXPECT_THAT(retired.find_all(partition()), IsEmpty());
    EXPECT_EQ(relay.sweep().erased, 1U);
}

TEST_F(index_relay_of_devices, takes_the_change_of_one_of_several_indexes_for_no_conflict) {
    devices.insert({"Bonn", 1, "X", 2001, true});
    relay.sweep();
    devices.modify({"Bonn", 1}, [](device& d) { d.year = 2002; });
    auto const done = index_relay<device>{devices, {.attempts = 1}}.sweep();
    EXPECT_EQ(done.intents, 1U);
    EXPECT_EQ(done.conflicts, 0U);
    EXPECT_TRUE(relay.verify().in_step());
}

TEST_F(index_relay_of_devices, stores_no_intent_for_a_member_that_no_index_has) {
    devices.insert({"Bonn", 1, "X", 2001, false});
    relay.sweep();
    devices.modify({"Bonn", 1}, [](device&) {});
    EXPECT_EQ(relay.sweep().intents, 0U);
}

TEST(index_relay_of_several_types, carries_out_the_intents_of_all_of_them) {
    auto const store = value_or_throw(open_embedded({.path = ":memory:"}));
    using part = std::variant<device, cable>;
    table<part> const parts{store, "Parts"};
    parts.create();
    index_relay<part> const of_all{parts};
    of_all.create_if_not_exists();
    table<device> const devices{store, "Parts"};
    parts.insert(part{device{"Bonn", 1, "X", 2001, true}});
    parts.insert(part{cable{"Bonn", 1, "red"}});
    EXPECT_EQ(index_relay<device>{devices}.sweep().left, 1U) << "that of the cable";
    EXPECT_EQ(of_all.sweep().intents, 1U);
    index_elsewhere<cable, "by_colour"> const by_colour{table<cable>{store, "Parts"}};
    EXPECT_THAT(by_colour.find_all(partition("red")), SizeIs(1));
    EXPECT_EQ(of_all.verify().found(), 0U);
}

class index_relay_of_guests : public ::testing::Test {
protected:
    void SetUp() override {
        old.create();
        relay.create_if_not_exists();
        old.insert({"Ritz", 1, "Ann"});
        old.insert({"Ritz", 2, "Eric"});
    }
    void expect_found() const {
        EXPECT_THAT(by_floor.find_all(partition(3)), SizeIs(1));
        EXPECT_THAT(by_floor.find_all(partition(4)), SizeIs(1));
        for (auto q = by_floor.copies(partition(4)); auto const& e : q) EXPECT_EQ(e.value.name, "Eric");
        EXPECT_EQ(by_floor.copies(partition(4)).count(), 1U);
        EXPECT_EQ(relay.verify().found(), 0U);
    }

    store_ptr store = value_or_throw(open_embedded({.path = ":memory:"}));
    table<guest> old{store, "Guests"};
    table<guest_on_floor> guests{store, "Guests"};
    index_relay<guest_on_floor> relay{guests};
    index_elsewhere<guest_on_floor, "by_floor"> by_floor{guests};
};

TEST_F(index_relay_of_guests, is_told_by_a_migration) {
    EXPECT_EQ(guests.migrate().rewritten, 2U);
    EXPECT_EQ(relay.sweep().written, 2U);
    expect_found();
}

TEST_F(index_relay_of_guests, makes_rows_of_entities_of_an_older_version) {
    EXPECT_EQ(relay.verify().missing, 2U);
    EXPECT_EQ(relay.rebuild().repaired, 2U);
    expect_found();
}

TEST(index_relay_of_patients, has_its_copies_brought_under_a_new_key) {
    auto const keys = std::make_shared<key_ring>();
    keys->add_current("2026", bytes(32, std::byte{7}));
    auto const store = with_keys(value_or_throw(open_embedded({.path = ":memory:"})), keys);
    table<patient> const patients{store, "Patients"};
    patients.create();
    index_relay<patient> const relay{patients};
    relay.create_if_not_exists();
    patients.insert({"East", 1, "Ann", {"flu"}});
    relay.sweep();
    keys->add_current("2027", bytes(32, std::byte{8}));
    EXPECT_EQ(patients.reencrypt().rewritten, 2U) << "the entity and its copy";
    keys->erase("2026");
    for (auto q = index_elsewhere<patient, "by_name">{patients}.copies(partition("Ann")); auto const& e : q)
        EXPECT_EQ(e.value.illness.value(), "flu");
    EXPECT_EQ(relay.verify().found(), 0U);
}

TEST(index_relay_of_patients, encrypts_the_copies) {
    auto const keys = std::make_shared<key_ring>();
    keys->add_current("2026", bytes(32, std::byte{7}));
    auto const store = with_keys(value_or_throw(open_embedded({.path = ":memory:"})), keys);
    table<patient> const patients{store, "Patients"};
    patients.create();
    index_relay<patient> const relay{patients};
    relay.create_if_not_exists();
    patients.insert({"East", 1, "Ann", {"flu"}});
    relay.sweep();
    for (auto q = index_elsewhere<patient, "by_name">{patients}.copies(partition("Ann")); auto const& e : q)
        EXPECT_EQ(e.value.illness.value(), "flu");
    EXPECT_THAT((index_elsewhere<patient, "by_id">{patients}.find_all(partition(1))), SizeIs(1));
    EXPECT_EQ(relay.verify().found(), 0U);
}

}  // namespace
}  // namespace tablemap::test

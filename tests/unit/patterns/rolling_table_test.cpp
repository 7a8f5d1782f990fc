// SPDX-License-Identifier: Apache-2.0
#include "tablemap/patterns/rolling_table.hpp"

#include "tablemap/base/bytes.hpp"
#include "tablemap/crypto/key_ring.hpp"
#include "tablemap/embedded/store.hpp"
#include "tablemap/mapping/encrypted.hpp"
#include "tablemap/store/with_keys.hpp"

#include "support/rolling_samples.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tablemap::test {
namespace {

/// With an index, an encrypted member and a time in seconds that is no part of the key.
struct visit {
    std::string user{};
    std::int32_t number{};
    std::chrono::sys_seconds at{};
    std::string page{};
    encrypted<std::string> address{};
};

}  // namespace
}  // namespace tablemap::test

template <> struct tablemap::mapping<tablemap::test::visit> {
    static constexpr auto partition_key = key(part<&test::visit::user>);
    static constexpr auto row_key = key("visit_", part<&test::visit::number>.width(6));
    static constexpr auto indexes =
        tablemap::indexes(index<"by_page">(key("page_", part<&test::visit::page>.escaped())));
};

namespace tablemap::test {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

class rolling_tables : public ::testing::Test {
protected:
    store_ptr memory = value_or_throw(open_embedded({.path = ":memory:"}));
    daily_sign_ins sign_ins{memory, "signins", on_day(40)};
};

TEST_F(rolling_tables, are_named_by_the_time_of_a_value) {
    sign_ins.insert({"ana", day_of_2014(0, 23), 1});
    sign_ins.insert({"ana", day_of_2014(1), 2});
    EXPECT_THAT(tables_in(memory), ElementsAre("signins20140101", "signins20140102"));
    EXPECT_EQ(sign_ins.table_of({.at = day_of_2014(1, 5)}).name(), "signins20140102");
    EXPECT_EQ(sign_ins.prefix(), "signins");
}

TEST_F(rolling_tables, are_empty_before_they_are_created) {
    auto const day = sign_ins.at(day_of_2014(0));
    EXPECT_FALSE(day.find("ana", 1));
    EXPECT_FALSE(day.query(partition("ana")).first());
    EXPECT_EQ(day.scan().count(), 0u);
    EXPECT_FALSE(day.erase_any("ana", 1));
    EXPECT_EQ(day.try_modify({"ana", 1}, [](sign_in&) {}).error().code(), service_errc::resource_not_found);
    EXPECT_THAT(tables_in(memory), IsEmpty());
}

TEST_F(rolling_tables, take_every_write_of_a_value) {
    auto const t = day_of_2014(3);
    auto e = sign_ins.insert({"ana", t, 1});
    e.value.success = true;
    sign_ins.replace(e);
    sign_ins.merge(e, only<&sign_in::success>);
    sign_ins.merge(e);
    sign_ins.upsert_replace({"ana", t, 2, true});
    sign_ins.upsert_merge({"ana", t, 3, true});
    EXPECT_THAT(numbers_in(sign_ins.at(t).query(partition("ana"))), ElementsAre(1, 2, 3));
    sign_ins.erase(e);
    EXPECT_FALSE(sign_ins.at(t).find("ana", 1));
}

TEST_F(rolling_tables, refuse_a_value_without_a_time) {
    auto const r = sign_ins.try_insert({"ana", {}, 1});
    ASSERT_FALSE(r);
    EXPECT_EQ(r.error().code(), library_errc::value_out_of_range);
    EXPECT_EQ(r.error().member(), "at");
    EXPECT_THROW(sign_ins.at(ticks{}), error);
}

TEST_F(rolling_tables, modify_an_entity_by_time_and_key) {
    sign_ins.insert({"ana", day_of_2014(0, 7), 1});
    auto const e = sign_ins.modify(day_of_2014(0), {"ana", 1}, [](sign_in& s) { s.success = true; });
    EXPECT_TRUE(e.value.success);
    auto const later = sign_ins.modify(day_of_2014(0), {"ana", 1}, [](sign_in& s) { s.at = s.at + 1h; });
    EXPECT_EQ(later.value.at, day_of_2014(0, 8));
    auto const patient = sign_ins.modify(
        day_of_2014(0), {"ana", 1}, [](sign_in& s) { s.success = false; }, modify_options{.attempts = 3});
    EXPECT_FALSE(patient.value.success);
}

TEST_F(rolling_tables, do_not_let_modify_move_an_entity_to_another_day) {
    sign_ins.insert({"ana", day_of_2014(0, 7), 1});
    auto const moved =
        sign_ins.try_modify(day_of_2014(0), {"ana", 1}, [](sign_in& s) { s.at = s.at + std::chrono::days{1}; });
    ASSERT_FALSE(moved);
    EXPECT_EQ(moved.error().code(), library_errc::key_changed);
    EXPECT_EQ(moved.error().member(), "at");
    EXPECT_EQ(sign_ins.at(day_of_2014(0)).find("ana", 1)->value.at, day_of_2014(0, 7));
}

TEST_F(rolling_tables, leave_other_exceptions_of_modify_alone) {
    sign_ins.insert({"ana", day_of_2014(0), 1});
    auto const throwing = [](sign_in&) { throw std::runtime_error("no"); };
    EXPECT_THROW(static_cast<void>(sign_ins.try_modify(day_of_2014(0), {"ana", 1}, throwing)), std::runtime_error);
}

TEST_F(rolling_tables, do_not_find_an_entity_whose_time_was_changed) {
    auto e = sign_ins.insert({"ana", day_of_2014(0), 1});
    e.value.at = day_of_2014(1);
    EXPECT_EQ(sign_ins.try_replace(e).error().code(), service_errc::resource_not_found);
    EXPECT_EQ(sign_ins.try_erase(e).error().code(), service_errc::resource_not_found);
    EXPECT_THAT(tables_in(memory), ElementsAre("signins20140101"));
}

TEST_F(rolling_tables, commit_transactions_that_create_them) {
    auto const day = sign_ins.at(day_of_2014(5));
    auto t = day.transaction();
    t.insert(sign_in{"ana", day_of_2014(5), 1});
    t.upsert_replace(sign_in{"ana", day_of_2014(5), 2});
    t.commit();
    EXPECT_THAT(numbers_in(day.query(partition("ana"))), ElementsAre(1, 2));
}

TEST_F(rolling_tables, are_not_created_for_a_transaction_that_needs_an_entity) {
    auto const day = sign_ins.at(day_of_2014(5));
    auto t = day.transaction();
    t.insert(sign_in{"ana", day_of_2014(5), 1});
    t.replace_any(sign_in{"ana", day_of_2014(5), 2});
    auto const done = t.try_commit();
    ASSERT_FALSE(done);
    EXPECT_EQ(done.error().code(), service_errc::resource_not_found);
    EXPECT_EQ(done.error().failed_index(), std::size_t{1});
    EXPECT_THAT(tables_in(memory), IsEmpty());
}

TEST_F(rolling_tables, take_bulk_writes_sorted_by_table) {
    std::vector<sign_in> many;
    for (int i = 0; i < 300; ++i) many.push_back({"user" + std::to_string(i % 3), day_of_2014(i % 4), i});
    for (auto& [day, rows] : sign_ins.by_table(many)) {
        EXPECT_EQ(rows.size(), 75u);
        EXPECT_TRUE(day.insert_many(rows).complete());
    }
    EXPECT_EQ(tables_in(memory).size(), 4u);
    EXPECT_EQ(numbers_in(sign_ins.scan(period<>{})).size(), 300u);
}

TEST_F(rolling_tables, are_created_once_more_after_they_were_dropped) {
    sign_ins.insert({"ana", day_of_2014(0), 1});
    table_service{memory}.delete_table("signins20140101");
    EXPECT_FALSE(sign_ins.at(day_of_2014(0)).find("ana", 1));
    sign_ins.insert({"ana", day_of_2014(0), 2});
    EXPECT_THAT(numbers_in(sign_ins.scan(period<>{})), ElementsAre(2));
}

TEST_F(rolling_tables, keep_indexes_and_encrypted_members) {
    auto const keys = std::make_shared<key_ring>();
    keys->add_current("k1", bytes(32, std::byte{7}));
    rolling_table<visit, &visit::at, table_per::month> const visits{with_keys(memory, keys), "visits"};
    std::chrono::sys_seconds const when{std::chrono::sys_days{std::chrono::year{2014} / 7 / 31}};
    visits.insert({"ana", 1, when, "home", encrypted<std::string>{"Main Street"}});
    visits.upsert_replace({"ana", 2, when, "about", encrypted<std::string>{"Side Street"}});
    visits.modify(when, {"ana", 1}, [](visit& v) { v.page = "news"; });
    EXPECT_THAT(numbers_in(visits.at(when).query_by<"by_page">(partition("ana"))), ElementsAre(2, 1));
    EXPECT_EQ(visits.at(when).find("ana", 1)->value.address.value(), "Main Street");
    EXPECT_EQ(visits.query(since(when), partition("ana")).first()->value.address.value(), "Main Street");
    EXPECT_THAT(tables_in(memory), ElementsAre("visits201407"));
}

TEST_F(rolling_tables, with_encrypted_members_need_keys) {
    using monthly = rolling_table<visit, &visit::at, table_per::month>;
    try {
        monthly const visits{memory, "visits"};
        ADD_FAILURE();
    } catch (error const& e) {
        EXPECT_EQ(e.code(), library_errc::no_encryption_key);
    }
}

TEST_F(rolling_tables, that_are_there_are_listed) {
    for (int const day : {9, 2, 5}) sign_ins.insert({"ana", day_of_2014(day), day});
    memory->execute(create_table{"signins2014"}, {});
    memory->execute(create_table{"signinsArchive"}, {});
    std::vector<std::string> names;
    for (auto const& t : sign_ins.tables(since(day_of_2014(5, 12)))) names.push_back(t.name());
    EXPECT_THAT(names, ElementsAre("signins20140106", "signins20140110"));
    EXPECT_EQ(sign_ins.tables().size(), 3u);
}

// ---- late values ----------------------------------------------------------------------------------------------------

class late_values : public rolling_tables {
protected:
    daily_sign_ins keeping{memory, "signins", on_day(40, std::chrono::days{30})};
    sign_in const late{"ana", day_of_2014(9, 23), 1};
    sign_in const in_time{"ana", day_of_2014(10), 2};
};

TEST_F(late_values, do_not_bring_back_a_table) {
    EXPECT_EQ(keeping.try_insert(late).error().code(), library_errc::period_over);
    EXPECT_EQ(keeping.try_upsert_merge(late).error().code(), library_errc::period_over);
    EXPECT_EQ(keeping.at(late.at).try_upsert_replace(late).error().code(), library_errc::period_over);
    EXPECT_TRUE(keeping.try_insert(in_time));
    EXPECT_THAT(tables_in(memory), ElementsAre("signins20140111"));
}

TEST_F(late_values, are_stored_while_their_table_is_there) {
    sign_ins.insert({"ana", late.at, 7});
    EXPECT_TRUE(keeping.try_insert(late));
}

TEST_F(late_values, are_counted_by_choice) {
    EXPECT_FALSE(keeping.insert_unless_late(late));
    EXPECT_TRUE(keeping.insert_unless_late(in_time));
    EXPECT_EQ(keeping.try_insert_unless_late(in_time).error().code(), service_errc::entity_already_exists);
    EXPECT_EQ(keeping.try_insert_unless_late({"ana", {}, 1}).error().code(), library_errc::value_out_of_range);
    auto const copy = keeping;
    EXPECT_EQ(copy.late_values(), 1u);
}

TEST_F(late_values, are_told_in_the_report_of_a_bulk_write) {
    std::size_t stored = 0, refused = 0;
    for (auto& [day, rows] : keeping.by_table(std::vector{late, in_time})) {
        auto const report = day.insert_many(rows);
        stored += report.totals.stored;
        refused += report.totals.failed;
    }
    EXPECT_EQ(stored, 1u);
    EXPECT_EQ(refused, 1u);
}

TEST_F(late_values, of_a_transaction_are_refused_together) {
    auto const day = keeping.at(late.at);
    auto t = day.transaction();
    t.insert(late);
    t.upsert_replace(sign_in{"ana", late.at, 2});
    auto const done = t.try_commit();
    ASSERT_FALSE(done);
    EXPECT_EQ(done.error().code(), library_errc::period_over);
    EXPECT_EQ(done.error().outcome(), outcome::not_applied);
    EXPECT_EQ(keeping.late_values(), 0u);
    EXPECT_THAT(tables_in(memory), IsEmpty());
}

// ---- retention ------------------------------------------------------------------------------------------------------

TEST_F(rolling_tables, drop_periods_that_ended_long_enough_ago) {
    for (int day = 5; day < 15; ++day) sign_ins.insert({"ana", day_of_2014(day), day});
    auto const report = sign_ins.retain(std::chrono::days{30});
    EXPECT_TRUE(report.complete());
    EXPECT_THAT(report.dropped(), ElementsAre("signins20140106", "signins20140107", "signins20140108",
                                              "signins20140109", "signins20140110"));
    EXPECT_THAT(numbers_in(sign_ins.scan(period<>{})), ElementsAre(10, 11, 12, 13, 14));
    EXPECT_THAT(sign_ins.retain(std::chrono::days{30}).tables, IsEmpty());
}

TEST_F(rolling_tables, drop_nothing_that_is_not_theirs) {
    std::vector<std::string> const others{"signins",         "signins2013",        "signins201312", "signins2013123123",
                                          "signins20131301", "signinsOld20131231", "sign20131231",  "SIGNINS20131230",
                                          "logins20131231",  "signins00010101"};
    for (auto const& name : others) table_service{memory}.create_table(name);
    table_service{memory}.create_table("signins20131231");
    EXPECT_THAT(sign_ins.retain(std::chrono::days{30}).dropped(), ElementsAre("signins20131231"));
    EXPECT_EQ(tables_in(memory).size(), others.size());
}

TEST_F(rolling_tables, of_one_prefix_and_other_periods_do_not_meet) {
    rolling_table<sign_in, &sign_in::at, table_per::month> const monthly{memory, "signins", on_day(400)};
    rolling_table<sign_in, &sign_in::at, table_per::hour> const hourly{memory, "signins", on_day(400)};
    sign_ins.insert({"ana", day_of_2014(0), 1});
    monthly.insert({"ana", day_of_2014(0), 2});
    hourly.insert({"ana", day_of_2014(0), 3});
    EXPECT_THAT(monthly.retain(std::chrono::days{30}).dropped(), ElementsAre("signins201401"));
    EXPECT_THAT(hourly.retain(std::chrono::days{30}).dropped(), ElementsAre("signins2014010100"));
    EXPECT_THAT(tables_in(memory), ElementsAre("signins20140101"));
}

TEST_F(rolling_tables, use_the_duration_that_was_declared) {
    EXPECT_EQ(sign_ins.try_retain().error().code(), library_errc::unsupported);
    sign_ins.insert({"ana", day_of_2014(0), 1});
    daily_sign_ins const keeping{memory, "signins", on_day(40, std::chrono::days{30})};
    EXPECT_THAT(keeping.retain().dropped(), ElementsAre("signins20140101"));
}

}  // namespace
}  // namespace tablemap::test

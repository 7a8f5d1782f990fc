// SPDX-License-Identifier: Apache-2.0
#include "support/encrypted_samples.hpp"
#include "support/wide_samples.hpp"

#include "tablemap/embedded/store.hpp"
#include "tablemap/mapping/dynamic.hpp"
#include "tablemap/table/table.hpp"
#include "tablemap/testing/faulty_store.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace tablemap::test {

/// As survey, of a program that has a row and a member fewer.
struct early_survey {
    std::string area{};
    std::int32_t person{};
    std::string name{};
    std::string address{};
    std::optional<std::string> notes{};

    friend bool operator==(early_survey const&, early_survey const&) = default;
};

/// As survey, of a program that has a row fewer and refuses unknown columns.
struct strict_survey {
    std::string area{};
    std::int32_t person{};
    std::string name{};
    std::int32_t visits{};
    std::string address{};
    std::optional<address_lines> home{};
    std::optional<std::string> notes{};
    std::int64_t total{};
};

/// Encrypted members, a map, members in keys that are stored as well, and a generated key.
struct dossier {
    std::string area{};
    guid id{};
    std::string name{};
    encrypted<std::string> secret{};
    std::map<std::string, std::int32_t> counts{};
    std::optional<encrypted<std::int32_t>> number{};

    friend bool operator==(dossier const&, dossier const&) = default;
};

}  // namespace tablemap::test

template <> struct tablemap::mapping<tablemap::test::early_survey> {
    using survey = tablemap::test::early_survey;
    static constexpr auto partition_key = key(part<&survey::area>);
    static constexpr auto row_key = key("survey_", part<&survey::person>.width(6));
    static constexpr auto wide = next_row_at<&survey::address, &survey::notes>;
};

template <> struct tablemap::mapping<tablemap::test::strict_survey> {
    using survey = tablemap::test::strict_survey;
    static constexpr auto partition_key = key(part<&survey::area>);
    static constexpr auto row_key = key("survey_", part<&survey::person>.width(6));
    static constexpr auto members = tablemap::members(member<&survey::home>.flattened());
    static constexpr auto unknown_columns = tablemap::unknown_columns::refused;
    static constexpr auto wide = next_row_at<&survey::address, &survey::notes>;
};

template <> struct tablemap::mapping<tablemap::test::dossier> {
    using dossier = tablemap::test::dossier;
    static constexpr auto partition_key = key(part<&dossier::area>.also_stored());
    static constexpr auto row_key = key("dossier_", part<&dossier::id>.generated());
    static constexpr auto members = tablemap::members(member<&dossier::counts>.prefixed());
    static constexpr auto wide = next_row_at<&dossier::secret, &dossier::number>;
};

namespace tablemap::test {
namespace {

class wide_tables : public ::testing::Test {
protected:
    void SetUp() override { surveys.create(); }

    std::vector<std::string> row_keys() const {
        std::vector<std::string> keys;
        for (auto& e : rows.query(partition("north"))) keys.push_back(e.value.row_key);
        return keys;
    }

    store_ptr store = value_or_throw(open_embedded({.path = ":memory:"}));
    wide_table<survey> surveys{store, "Surveys"};
    table<dynamic_entity> rows{store, "Surveys"};
};

TEST_F(wide_tables, read_what_was_inserted) {
    auto const e = surveys.insert(sample_survey(7));
    EXPECT_FALSE(e.etag.empty());
    auto const found = surveys.find("north", 7);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->value, sample_survey(7));
    EXPECT_EQ(found->etag, e.etag);
}

TEST_F(wide_tables, store_one_row_for_each_beginning_behind_the_head) {
    surveys.insert(sample_survey(7));
    surveys.insert(sample_survey(8));
    EXPECT_THAT(row_keys(),
                ::testing::ElementsAre("survey_000007", "survey_000007  01", "survey_000007  02", "survey_000007  03",
                                       "survey_000008", "survey_000008  01", "survey_000008  02", "survey_000008  03"));
}

TEST_F(wide_tables, find_nothing_where_nothing_is) { EXPECT_FALSE(surveys.find("north", 7)); }

TEST_F(wide_tables, do_not_insert_twice) {
    surveys.insert(sample_survey(7));
    auto const again = surveys.try_insert(sample_survey(7, 1));
    ASSERT_FALSE(again);
    EXPECT_EQ(again.error().code(), service_errc::entity_already_exists);
    EXPECT_EQ(surveys.find("north", 7)->value, sample_survey(7));
}

TEST_F(wide_tables, replace_all_rows_under_the_etag) {
    auto e = surveys.insert(sample_survey(7));
    auto const old = e;
    for (std::int32_t state = 1; state < 6; ++state) {
        e.value = sample_survey(7, state);
        surveys.replace(e);
        EXPECT_EQ(surveys.find("north", 7)->value, sample_survey(7, state));
        EXPECT_EQ(surveys.find("north", 7)->etag, e.etag);
    }
    auto outdated = old;
    auto const r = surveys.try_replace(outdated);
    ASSERT_FALSE(r);
    EXPECT_EQ(r.error().code(), service_errc::update_condition_not_satisfied);
}

TEST_F(wide_tables, merge_only_the_rows_of_the_members) {
    auto e = surveys.insert(sample_survey(7));
    auto const before = rows.find("north", "survey_000007  02")->etag;
    e.value.address = "elsewhere";
    e.value.name = "not merged";
    surveys.merge(e, only<&survey::address>);
    EXPECT_EQ(rows.find("north", "survey_000007  02")->etag, before);
    auto const found = surveys.find("north", 7);
    auto expected = sample_survey(7);
    expected.address = "elsewhere";
    EXPECT_EQ(found->value, expected);
    EXPECT_EQ(found->etag, e.etag);
}

TEST_F(wide_tables, merge_members_of_the_head_and_of_others) {
    auto e = surveys.insert(sample_survey(7));
    e.value = sample_survey(7, 4);
    surveys.merge(e, only<&survey::name, &survey::visits>);
    surveys.merge(e, only<&survey::address, &survey::home, &survey::notes, &survey::total, &survey::last>);
    EXPECT_EQ(surveys.find("north", 7)->value, sample_survey(7, 4));
}

TEST_F(wide_tables, refuse_a_merge_under_an_old_etag) {
    auto e = surveys.insert(sample_survey(7));
    auto old = e;
    surveys.merge(e, only<&survey::last>);
    auto const r = surveys.try_merge(old, only<&survey::address>);
    ASSERT_FALSE(r);
    EXPECT_EQ(r.error().code(), service_errc::update_condition_not_satisfied);
}

TEST_F(wide_tables, upsert_whatever_is_there) {
    surveys.upsert(sample_survey(7));
    auto const e = surveys.upsert(sample_survey(7, 5));
    auto const found = surveys.find("north", 7);
    EXPECT_EQ(found->value, sample_survey(7, 5));
    EXPECT_EQ(found->etag, e.etag);
}

TEST_F(wide_tables, erase_all_rows_under_the_etag) {
    auto e = surveys.insert(sample_survey(7));
    auto const old = e;
    surveys.replace(e);
    EXPECT_EQ(surveys.try_erase(old).error().code(), service_errc::update_condition_not_satisfied);
    surveys.erase(e);
    EXPECT_TRUE(row_keys().empty());
    EXPECT_EQ(surveys.try_erase(e).error().code(), service_errc::resource_not_found);
}

TEST_F(wide_tables, erase_rows_of_a_mapping_with_more) {
    auto const e = surveys.insert(sample_survey(7));
    rows.insert({"north", "survey_000007  04"});
    EXPECT_EQ(surveys.find("north", 7)->value, sample_survey(7));
    surveys.erase(e);
    EXPECT_TRUE(row_keys().empty());
}

TEST_F(wide_tables, modify_writes_the_rows_that_change) {
    surveys.insert(sample_survey(7));
    auto const before = rows.find("north", "survey_000007  02")->etag;
    auto const e = surveys.modify({"north", 7}, [](survey& s) { s.last = "changed"; });
    EXPECT_EQ(e.value.last, "changed");
    EXPECT_EQ(rows.find("north", "survey_000007  02")->etag, before);
    auto const found = surveys.find("north", 7);
    EXPECT_EQ(found->value, e.value);
    EXPECT_EQ(found->etag, e.etag);
}

TEST_F(wide_tables, modify_removes_what_is_empty_now) {
    surveys.insert(sample_survey(7));
    surveys.modify({"north", 7}, [](survey& s) {
        s.notes.reset();
        s.home.reset();
    });
    auto const found = surveys.find("north", 7);
    EXPECT_FALSE(found->value.notes);
    EXPECT_FALSE(found->value.home);
}

TEST_F(wide_tables, modify_sends_nothing_if_nothing_changes) {
    auto const e = surveys.insert(sample_survey(7));
    EXPECT_EQ(surveys.modify({"north", 7}, [](survey&) {}).etag, e.etag);
    EXPECT_EQ(surveys.find("north", 7)->etag, e.etag);
}

TEST_F(wide_tables, modify_refuses_another_key_and_a_missing_entity) {
    surveys.insert(sample_survey(7));
    EXPECT_EQ(surveys.try_modify({"north", 7}, [](survey& s) { s.person = 8; }).error().code(),
              library_errc::key_changed);
    EXPECT_EQ(surveys.try_modify({"north", 8}, [](survey&) {}).error().code(), service_errc::resource_not_found);
}

TEST_F(wide_tables, modify_again_after_a_conflict) {
    surveys.insert(sample_survey(7));
    int calls = 0;
    auto const e = surveys.modify({"north", 7}, [&](survey& s) {
        if (++calls == 1) surveys.upsert(sample_survey(7, 3));
        s.visits = 99;
    });
    EXPECT_EQ(calls, 2);
    auto expected = sample_survey(7, 3);
    expected.visits = 99;
    EXPECT_EQ(surveys.find("north", 7)->value, expected);
}

TEST_F(wide_tables, put_entities_together_whatever_the_size_of_pages) {
    for (std::int32_t person = 1; person <= 5; ++person) surveys.insert(sample_survey(person, person));
    for (std::size_t page = 1; page <= 21; ++page) {
        std::int32_t person = 0;
        for (auto& e : surveys.query(partition("north")).page_size(page)) {
            ++person;
            EXPECT_EQ(e.value, sample_survey(person, person));
            EXPECT_FALSE(e.etag.empty());
        }
        EXPECT_EQ(person, 5) << page;
    }
}

TEST_F(wide_tables, query_a_range_of_keys) {
    for (std::int32_t person = 1; person <= 5; ++person) surveys.insert(sample_survey(person, person));
    std::vector<std::int32_t> found;
    for (auto& e : surveys.query(partition("north"), row_range(2, 4))) found.push_back(e.value.person);
    for (auto& e : surveys.query(partition("north"), row_between(4, 5))) found.push_back(e.value.person);
    for (auto& e : surveys.query(partition("north"), leading(1))) found.push_back(e.value.person);
    EXPECT_THAT(found, ::testing::ElementsAre(2, 3, 4, 5, 1));
}

TEST_F(wide_tables, give_the_entities_of_a_range_one_by_one) {
    for (std::int32_t person = 1; person <= 3; ++person) surveys.insert(sample_survey(person, person));
    auto range = surveys.query(partition("north"));
    for (std::int32_t person = 1; person <= 3; ++person) EXPECT_EQ((**range.try_next()).value.person, person);
    EXPECT_FALSE(*range.try_next());
    EXPECT_FALSE(*range.try_next());
}

TEST_F(wide_tables, say_that_rows_of_other_writers_do_not_belong_together) {
    surveys.insert(sample_survey(7));
    rows.erase_any({"north", "survey_000007  02"});
    auto const missing = surveys.try_find("north", 7);
    ASSERT_FALSE(missing);
    EXPECT_EQ(missing.error().code(), library_errc::malformed_response) << missing.error().what();
    surveys.upsert(sample_survey(7, 1));
    auto strange = *rows.find("north", "survey_000007  02");
    strange.value.set("WideRow02", std::string{"another"});
    rows.replace(strange);
    EXPECT_EQ(surveys.try_find("north", 7).error().code(), library_errc::malformed_response);
    EXPECT_EQ(surveys.query(partition("north")).try_next().error().code(), library_errc::malformed_response);
}

TEST_F(wide_tables, erase_entities_that_cannot_be_read_by_their_keys) {
    surveys.insert(sample_survey(7));
    surveys.insert(sample_survey(8));
    rows.erase_any({"north", "survey_000007  02"});
    ASSERT_FALSE(surveys.try_find("north", 7));
    EXPECT_TRUE(surveys.erase_any({"north", 7}));
    EXPECT_FALSE(surveys.erase_any({"north", 7}));
    EXPECT_FALSE(surveys.find("north", 7));
    EXPECT_EQ(row_keys().size(), 4u);
}

TEST_F(wide_tables, erase_by_key_again_if_rows_went_meanwhile) {
    surveys.insert(sample_survey(7));
    auto const faulty = std::make_shared<tablemap::testing::faulty_store>(store);
    faulty->act_before([&](tablemap::store&) { rows.erase_any({"north", "survey_000007  03"}); }, 1);
    EXPECT_TRUE((wide_table<survey>{faulty, "Surveys"}.erase_any({"north", 7})));
    EXPECT_EQ(faulty->requests(), 4u);
    EXPECT_TRUE(row_keys().empty());
}

TEST_F(wide_tables, read_entities_of_a_mapping_with_fewer_rows) {
    wide_table<early_survey> const early{store, "Surveys"};
    early.insert({.area = "north", .person = 7, .name = "n", .address = "a", .notes = "o"});
    auto found = surveys.find("north", 7);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->value, (survey{.area = "north", .person = 7, .name = "n", .address = "a", .notes = "o"}));
    found->value.last = "new";
    surveys.merge(*found, only<&survey::last>);
    EXPECT_EQ(surveys.find("north", 7)->value, found->value);
    EXPECT_EQ(early.find("north", 7)->value.address, "a");
}

TEST_F(wide_tables, read_entities_of_a_mapping_with_more_rows_where_unknown_columns_are_refused) {
    surveys.insert(sample_survey(7));
    auto const found = wide_table<strict_survey>{store, "Surveys"}.try_find({"north", 7});
    ASSERT_TRUE(found) << found.error().what();
    EXPECT_EQ((**found).value.total, sample_survey(7).total);
}

TEST_F(wide_tables, name_the_entity_in_errors_of_a_further_row) {
    auto const e = surveys.insert(sample_survey(7));
    auto const faulty = std::make_shared<tablemap::testing::faulty_store>(store);
    faulty->act_before([&](tablemap::store&) { rows.erase_any({"north", "survey_000007  02"}); }, 1);
    auto const erased = wide_table<survey>{faulty, "Surveys"}.try_erase(e);
    ASSERT_FALSE(erased);
    EXPECT_EQ(erased.error().code(), service_errc::resource_not_found);
    EXPECT_FALSE(erased.error().failed_index());
    EXPECT_EQ(erased.error().failed_key(), (entity_key{"north", "survey_000007"}));
}

TEST_F(wide_tables, leave_rows_of_a_mapping_with_more_unread_until_modify_removes_them) {
    surveys.insert(sample_survey(7));
    wide_table<early_survey> const early{store, "Surveys"};
    auto e = *early.find("north", 7);
    e.value.name = "replaced";
    early.replace(e);
    EXPECT_EQ(row_keys().size(), 4u);
    EXPECT_EQ(surveys.find("north", 7)->value.last, "");
    early.modify({"north", 7}, [](early_survey& s) { s.name = "modified"; });
    EXPECT_EQ(row_keys().size(), 3u);
    EXPECT_EQ(surveys.find("north", 7)->value.name, "modified");
}

TEST_F(wide_tables, make_an_entity_that_modify_reads_have_all_rows_of_the_mapping) {
    wide_table<early_survey> const early{store, "Surveys"};
    early.insert({.area = "north", .person = 7, .name = "n"});
    surveys.modify({"north", 7}, [](survey& s) { s.name = "modified"; });
    EXPECT_EQ(row_keys().size(), 4u);
    EXPECT_EQ(surveys.find("north", 7)->value, (survey{.area = "north", .person = 7, .name = "modified"}));
}

TEST_F(wide_tables, encrypt_members_in_every_row) {
    wide_table<dossier> const all{with_keys(store, ring_of()), "Surveys"};
    auto e = all.insert({.area = "north", .name = "n", .secret = "s", .counts = {{"a", 1}, {"b", 2}}, .number = 7});
    EXPECT_NE(e.value.id, guid{});
    EXPECT_EQ(all.find("north", e.value.id)->value, e.value);
    e.value.secret = "other";
    e.value.number = 8;
    all.merge(e, only<&dossier::secret, &dossier::number>);
    EXPECT_EQ(all.find("north", e.value.id)->value, e.value);
    e = all.modify({"north", e.value.id}, [](dossier& d) { d.counts["c"] = 3; });
    EXPECT_EQ(all.find("north", e.value.id)->value, e.value);
    EXPECT_EQ(e.value.counts.size(), 3u);
    EXPECT_TRUE(rows.find("north", row_keys()[1])->value.try_get<bytes>("secret"));
}

TEST_F(wide_tables, modify_compares_encrypted_members_by_their_plain_values) {
    auto const faulty = std::make_shared<tablemap::testing::faulty_store>(store);
    wide_table<dossier> const all{with_keys(faulty, ring_of()), "Surveys"};
    auto const e = all.insert({.area = "north", .name = "n", .secret = "s", .number = 7});
    auto const before = faulty->requests();
    EXPECT_EQ(all.modify({"north", e.value.id}, [](dossier&) {}).etag, e.etag);
    EXPECT_EQ(faulty->requests(), before + 1);
    auto const secret_row = row_keys()[1];
    auto const etag_before = rows.find("north", secret_row)->etag;
    auto const changed = all.modify({"north", e.value.id}, [](dossier& d) { d.number = 8; });
    EXPECT_EQ(rows.find("north", secret_row)->etag, etag_before);
    EXPECT_EQ(all.find("north", e.value.id)->value, changed.value);
}

TEST_F(wide_tables, know_a_write_by_its_operation_id) {
    auto e = surveys.insert(sample_survey(7));
    auto const faulty = std::make_shared<tablemap::testing::faulty_store>(store);
    wide_table<survey> const marked{faulty, "Surveys", {.operation_ids = true}};
    faulty->fail_next(tablemap::testing::fault::lost_after);
    e.value = sample_survey(7, 1);
    auto const written = marked.try_replace(e, {.retry = retry_policy{.attempts = 3, .first_wait = {}}});
    ASSERT_TRUE(written) << written.error().what();
    EXPECT_TRUE(e.etag.empty());
    EXPECT_EQ(marked.find("north", 7)->value, sample_survey(7, 1));
}

TEST_F(wide_tables, store_a_thousand_properties) {
    wide_table<millennium> const all{store, "Surveys"};
    auto e = all.insert(sample_millennium(1, 1));
    EXPECT_EQ(all.find("north", 1)->value, sample_millennium(1, 1));
    e.value = sample_millennium(1, 2);
    all.replace(e);
    EXPECT_EQ(all.find("north", 1)->value, sample_millennium(1, 2));
    EXPECT_EQ(row_keys().size(), 5u);
}

TEST_F(wide_tables, store_a_hundred_members_of_60_kib) {
    wide_table<archive> const all{store, "Surveys"};
    all.insert(sample_archive(1, 30 * 1024, 0));
    EXPECT_EQ(all.find("north", 1)->value, sample_archive(1, 30 * 1024, 0));
    EXPECT_EQ(row_keys().size(), 10u);
}

TEST_F(wide_tables, say_which_row_is_too_large) {
    wide_table<survey> const all{store, "Surveys"};
    auto s = sample_survey(7);
    s.notes = std::string(40'000, 'x');
    auto const r = all.try_insert(s);
    ASSERT_FALSE(r);
    EXPECT_EQ(r.error().code(), library_errc::value_too_large);
    EXPECT_EQ(r.error().member(), "notes");
    EXPECT_TRUE(row_keys().empty());
}

TEST_F(wide_tables, say_that_an_entity_is_too_large_for_a_transaction_before_they_send_it) {
    wide_table<archive> const all{store, "Surveys"};
    // In JSON a control character takes six bytes.
    auto a = sample_archive(1, 30 * 1024, 0);
    for (auto* t : {&a.d0.t0, &a.d1.t0, &a.d2.t0, &a.d3.t0, &a.d4.t0, &a.d5.t0, &a.d6.t0, &a.d7.t0})
        t->assign(30 * 1024, '\x01');
    auto const r = all.try_insert(a);
    ASSERT_FALSE(r);
    EXPECT_EQ(r.error().code(), service_errc::request_body_too_large);
    EXPECT_THAT(r.error().what(), ::testing::HasSubstr("'Surveys'"));
    EXPECT_THAT(r.error().what(), ::testing::HasSubstr("bytes in 10 rows"));
    EXPECT_EQ(r.error().details().failed_key, (entity_key{"north", "archive_000001"}));
    EXPECT_TRUE(row_keys().empty());
}

}  // namespace
}  // namespace tablemap::test

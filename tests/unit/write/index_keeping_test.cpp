// SPDX-License-Identifier: Apache-2.0
#include "support/answers.hpp"
#include "support/noting_store.hpp"

#include "tablemap/embedded/store.hpp"
#include "tablemap/table/table.hpp"
#include "tablemap/testing/faulty_store.hpp"
#include "tablemap/testing/fixed_clock.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tablemap {
namespace {

struct clerk {
    std::string department{};
    std::int32_t id{};
    std::optional<std::string> email{};
    std::string name{};
    std::int32_t age{};
    bool senior{};
    std::string note{};

    friend bool operator==(clerk const&, clerk const&) = default;
};

}  // namespace

template <> struct mapping<clerk> {
    static constexpr auto partition_key = key(part<&clerk::department>);
    static constexpr auto row_key = key("id_", part<&clerk::id>.width(3));
    static constexpr auto indexes = tablemap::indexes(
        unique_index<"by_email">(key("email_", part<&clerk::email>)).include<&clerk::name>(),
        index<"by_name">(key("name_", part<&clerk::name>.escaped())).include<>(),
        index<"seniors">(key("senior_", part<&clerk::age>.width(3))).include<>().where(&clerk::senior));
};

namespace test {
namespace {

using tablemap::testing::fault;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;
using texts = std::vector<std::string>;

class index_keeping : public ::testing::Test {
protected:
    index_keeping() { clerks.create(), noted->take(); }

    static clerk don() {
        return {.department = "S", .id = 1, .email = "don@x", .name = "Hall", .age = 34, .note = "n"};
    }

    /// The keys of all rows.
    texts rows() {
        texts keys;
        for (auto const& e : raw.scan()) keys.push_back(e.value.row_key);
        return keys;
    }

    std::string version_of(std::string const& row_key) { return raw.find("S", row_key)->etag.text(); }

    /// Gives a row a new version.
    void touch(std::string const& row_key) {
        auto e = raw.find("S", row_key).value();
        raw.merge(e);
    }

    /// The requests that were sent, without bodies.
    texts sent() { return noted->take(); }

    void expect_rows(texts const& expected) { EXPECT_EQ(rows(), expected); }

    std::shared_ptr<tablemap::testing::faulty_store> const inner =
        std::make_shared<tablemap::testing::faulty_store>(value_or_throw(open_embedded({.path = ":memory:"})));
    std::shared_ptr<noting_store> const noted = std::make_shared<noting_store>(inner);
    table<clerk> const clerks{noted, "Clerks"};
    table<dynamic_entity> const raw{inner, "Clerks"};
    tablemap::testing::fixed_clock clock{1};
};

// ---- inserts --------------------------------------------------------------------------------------------------------

TEST_F(index_keeping, an_insert_writes_an_entity_and_its_rows_in_one_group) {
    auto const e = clerks.insert(don());
    EXPECT_THAT(sent(), ElementsAre("transaction Clerks: insert [S] [id_001]; insert [S] [email_don@x]; "
                                    "upsert_replace [S] [name_Hall !_id_001]"));
    EXPECT_EQ(clerks.find("S", 1)->etag, e.etag);
    EXPECT_EQ(clerks.find("S", 1)->value, don());
}

TEST_F(index_keeping, rows_hold_the_members_of_keys_and_those_that_are_included) {
    clerks.insert(don());
    auto const row = raw.find("S", "email_don@x")->value;
    EXPECT_EQ(*row.try_get<std::int32_t>("id"), 1);
    EXPECT_EQ(*row.try_get<std::string>("name"), "Hall");
    EXPECT_EQ(*row.try_get<std::string>("email"), "don@x");
    EXPECT_THAT(row.properties(), SizeIs(3));
}

TEST_F(index_keeping, an_entity_without_a_value_for_an_index_has_no_row_there) {
    auto e = don();
    e.email.reset();
    clerks.insert(e);
    expect_rows({"id_001", "name_Hall !_id_001"});
}

TEST_F(index_keeping, a_condition_chooses_who_has_a_row) {
    auto e = clerks.insert(don());
    e.value.senior = true;
    clerks.replace(e);
    expect_rows({"email_don@x", "id_001", "name_Hall !_id_001", "senior_034_id_001"});
    e.value.senior = false;
    clerks.replace(e);
    expect_rows({"email_don@x", "id_001", "name_Hall !_id_001"});
}

TEST_F(index_keeping, inserting_twice_is_refused_as_without_indexes) {
    clerks.insert(don());
    auto other = don();
    other.email = "other@x";
    auto const r = clerks.try_insert(other);
    EXPECT_TRUE(failed_with(r, service_errc::entity_already_exists));
    EXPECT_EQ(r.error().outcome(), outcome::not_applied);
    EXPECT_FALSE(r.error().failed_index());
    expect_rows({"email_don@x", "id_001", "name_Hall !_id_001"});
}

TEST_F(index_keeping, a_value_that_keys_cannot_hold_is_refused_with_the_index) {
    auto e = don();
    e.email = "a/b";
    auto const r = clerks.try_insert(e);
    EXPECT_TRUE(failed_with(r, library_errc::invalid_key));
    EXPECT_THAT(r.error().what(), HasSubstr("by_email"));
    EXPECT_THAT(r.error().what(), Not(HasSubstr("a/b")));
    EXPECT_TRUE(failed_with(clerks.try_upsert_replace(e), library_errc::invalid_key));
    EXPECT_TRUE(failed_with(clerks.try_replace_any(e), library_errc::invalid_key));
    EXPECT_THAT(sent(), IsEmpty()) << "nor is the entity read";
}

// ---- replaces, merges, erases ---------------------------------------------------------------------------------------

TEST_F(index_keeping, a_replace_reads_the_entity_and_writes_what_differs_under_its_etag) {
    auto e = clerks.insert(don());
    auto const first = e.etag.text();
    auto const row = version_of("email_don@x");
    e.value.email = "new@x";
    sent();
    clerks.replace(e);
    EXPECT_THAT(sent(), ElementsAre("find Clerks [S] [id_001] current", "find Clerks [S] [email_don@x] current",
                                    "transaction Clerks: replace [S] [id_001] if \"" + first +
                                        "\"; insert [S] [email_new@x]; erase [S] [email_don@x] if \"" + row + "\""));
    EXPECT_EQ(clerks.find("S", 1)->etag, e.etag);
    e.value.age = 35;
    clerks.replace(e);
}

TEST_F(index_keeping, a_row_whose_content_alone_changed_is_replaced) {
    auto e = clerks.insert(don());
    auto const row = version_of("email_don@x");
    e.value.name = "Cao";
    sent();
    clerks.replace(e);
    EXPECT_THAT(sent()[2], HasSubstr("; replace [S] [email_don@x] if \"" + row +
                                     "\"; upsert_replace [S] [name_Cao !_id_001]; "
                                     "erase [S] [name_Hall !_id_001] if \"*\""));
}

TEST_F(index_keeping, a_change_that_no_index_shows_writes_the_entity_alone) {
    auto e = clerks.insert(don());
    e.value.note = "new";
    sent();
    clerks.replace(e);
    EXPECT_THAT(sent(), ElementsAre("find Clerks [S] [id_001] current", HasSubstr("replace Clerks [S] [id_001] if")));
}

TEST_F(index_keeping, the_slower_of_two_writers_is_refused_before_it_writes) {
    auto first = clerks.insert(don());
    auto second = first;
    first.value.email = "first@x";
    clerks.replace(first);
    second.value.email = "second@x";
    sent();
    EXPECT_TRUE(failed_with(clerks.try_replace(second), service_errc::update_condition_not_satisfied));
    EXPECT_TRUE(failed_with(clerks.try_merge(second), service_errc::update_condition_not_satisfied));
    EXPECT_TRUE(failed_with(clerks.try_erase(second), service_errc::update_condition_not_satisfied));
    EXPECT_THAT(sent(), SizeIs(3));
    expect_rows({"email_first@x", "id_001", "name_Hall !_id_001"});
}

TEST_F(index_keeping, a_writer_between_read_and_write_is_a_conflict_of_conditional_writes) {
    auto e = clerks.insert(don());
    auto other = e;
    noted->before_next(1, [&] {
        other.value.note = "other";
        table<clerk>{inner, "Clerks"}.replace(other);
    });
    e.value.email = "new@x";
    sent();
    auto const r = clerks.try_replace(e, {.deadline = clock.now() + std::chrono::milliseconds{3}, .clock = &clock});
    EXPECT_TRUE(failed_with(r, service_errc::update_condition_not_satisfied));
    EXPECT_THAT(sent(), SizeIs(3));
    EXPECT_THAT(clock.waits(), IsEmpty());
    EXPECT_EQ(clerks.find("S", 1)->value.note, "other");
    expect_rows({"email_don@x", "id_001", "name_Hall !_id_001"});
}

TEST_F(index_keeping, an_upsert_goes_on_from_what_a_writer_in_between_stored) {
    auto other = clerks.insert(don());
    noted->before_next(1, [&] {
        other.value.email = "other@x";
        table<clerk>{inner, "Clerks"}.replace(other);
    });
    auto mine = don();
    mine.email = "mine@x";
    clerks.upsert_replace(mine, {.clock = &clock});
    expect_rows({"email_mine@x", "id_001", "name_Hall !_id_001"});
}

TEST_F(index_keeping, an_upsert_that_others_outrun_at_every_try_says_what_its_caller_can_do) {
    clerks.insert(don());
    std::function<void()> const outrun = [&] {
        table<clerk>{inner, "Clerks"}.modify({"S", 1}, [](clerk& c) { ++c.age; });
        noted->before_next(1, outrun);
    };
    noted->before_next(1, outrun);
    auto const r = clerks.try_upsert_replace(don(), {.clock = &clock});
    ASSERT_TRUE(failed_with(r, library_errc::too_many_conflicts));
    EXPECT_THAT(r.error().what(), HasSubstr("call it again when fewer others"));
}

TEST_F(index_keeping, a_merge_of_members_that_no_index_has_is_one_request_as_without_indexes) {
    auto e = clerks.insert(don());
    sent();
    e.value.note = "new";
    clerks.merge(e, only<&clerk::note>);
    clerks.merge_any(e.value, only<&clerk::note>);
    EXPECT_THAT(sent(), ElementsAre(HasSubstr("merge Clerks [S] [id_001] if"), "merge Clerks [S] [id_001] if \"*\""));
    clerks.upsert_merge(e.value, only<&clerk::note>);
    EXPECT_THAT(sent(), ElementsAre("find Clerks [S] [id_001] current", HasSubstr("merge Clerks [S] [id_001] if")));
}

TEST_F(index_keeping, a_merge_of_members_of_an_index_moves_its_rows) {
    auto e = clerks.insert(don());
    e.value.age = 60;
    e.value.senior = true;
    clerks.merge(e, only<&clerk::age, &clerk::senior>);
    expect_rows({"email_don@x", "id_001", "name_Hall !_id_001", "senior_060_id_001"});
    e.value.age = 61;
    clerks.merge_any(e.value, only<&clerk::age>);
    expect_rows({"email_don@x", "id_001", "name_Hall !_id_001", "senior_061_id_001"});
}

TEST_F(index_keeping, an_upsert_that_makes_an_entity_makes_its_rows) {
    clerks.upsert_merge(don(), only<&clerk::age, &clerk::name>);
    expect_rows({"id_001", "name_Hall !_id_001"});
    EXPECT_THAT(sent(),
                ElementsAre("find Clerks [S] [id_001] current",
                            "transaction Clerks: insert [S] [id_001]; upsert_replace [S] [name_Hall !_id_001]"));
    clerks.upsert_replace({.department = "S", .id = 2, .email = "b@x"});
    expect_rows({"email_b@x", "id_001", "id_002", "name_ !_id_002", "name_Hall !_id_001"});
}

TEST_F(index_keeping, what_is_not_there_is_said_as_without_indexes) {
    EXPECT_TRUE(failed_with(clerks.try_replace_any(don()), service_errc::resource_not_found));
    EXPECT_TRUE(failed_with(clerks.try_merge_any(don(), only<&clerk::name>), service_errc::resource_not_found));
    EXPECT_FALSE(clerks.erase_any({"S", 1}));
}

TEST_F(index_keeping, what_is_not_there_is_said_with_the_request_that_told) {
    auto const gone = response::failed(error{service_errc::resource_not_found, {.request_id = "server-1"}});
    auto const scripted =
        std::make_shared<tablemap::testing::scripted_store>(std::vector<tablemap::testing::exchange>{{"find", gone}});
    entity<clerk> e{.value = don(), .etag = etag{"A"}};
    auto const r = table<clerk>{scripted, "Clerks"}.try_replace(e);
    ASSERT_TRUE(failed_with(r, service_errc::resource_not_found));
    EXPECT_EQ(r.error().details().request_id, "server-1");
}

TEST_F(index_keeping, an_erase_takes_its_rows_along) {
    auto e = clerks.insert(don());
    auto const row = version_of("email_don@x");
    sent();
    clerks.erase(e);
    EXPECT_THAT(sent(), ElementsAre("find Clerks [S] [id_001] current", "find Clerks [S] [email_don@x] current",
                                    HasSubstr("; erase [S] [email_don@x] if \"" + row +
                                              "\"; erase [S] [name_Hall !_id_001] if \"*\"")));
    expect_rows({});
    clerks.insert(don());
    EXPECT_TRUE(clerks.erase_any({"S", 1}));
    expect_rows({});
}

// ---- modify ---------------------------------------------------------------------------------------------------------

TEST_F(index_keeping, modify_moves_rows_with_what_it_changes) {
    clerks.insert(don());
    sent();
    clerks.modify({"S", 1}, [](clerk& c) { c.name = "Cao"; });
    EXPECT_THAT(sent(), SizeIs(3));
    expect_rows({"email_don@x", "id_001", "name_Cao !_id_001"});
    EXPECT_EQ(*raw.find("S", "email_don@x")->value.try_get<std::string>("name"), "Cao");
}

TEST_F(index_keeping, modify_that_removes_a_value_removes_its_row) {
    clerks.insert(don());
    clerks.modify({"S", 1}, [](clerk& c) { c.email.reset(); });
    expect_rows({"id_001", "name_Hall !_id_001"});
}

TEST_F(index_keeping, modify_or_insert_makes_rows_where_there_is_no_entity) {
    clerks.modify_or_insert(don(), [](clerk& c) { ++c.age; });
    clerks.modify_or_insert(don(), [](clerk& c) { c.name = "Cao"; });
    expect_rows({"email_don@x", "id_001", "name_Cao !_id_001"});
}

// ---- unique values --------------------------------------------------------------------------------------------------

TEST_F(index_keeping, a_taken_unique_value_refuses_the_write_and_names_the_index) {
    clerks.insert(don());
    auto other = clerks.insert({.department = "S", .id = 2, .email = "b@x", .name = "Cao"});
    auto const before = rows();
    auto const r = clerks.try_insert({.department = "S", .id = 3, .email = "don@x"});
    EXPECT_TRUE(failed_with(r, library_errc::unique_value_taken));
    EXPECT_EQ(r.error().outcome(), outcome::not_applied);
    EXPECT_EQ(r.error().details().member, "by_email");
    EXPECT_EQ(r.error().table(), "Clerks");
    EXPECT_THAT(r.error().what(), Not(HasSubstr("don@x")));
    other.value.email = "don@x";
    EXPECT_TRUE(failed_with(clerks.try_replace(other), library_errc::unique_value_taken));
    EXPECT_TRUE(failed_with(clerks.try_upsert_merge(other.value), library_errc::unique_value_taken));
    EXPECT_TRUE(failed_with(clerks.try_modify({"S", 2}, [](clerk& c) { c.email = "don@x"; }),
                            library_errc::unique_value_taken));
    EXPECT_EQ(rows(), before);
}

TEST_F(index_keeping, a_unique_value_is_free_again_once_its_entity_gave_it_up) {
    auto e = clerks.insert(don());
    e.value.email = "new@x";
    clerks.replace(e);
    clerks.insert({.department = "S", .id = 2, .email = "don@x"});
    EXPECT_EQ(*raw.find("S", "email_don@x")->value.try_get<std::int32_t>("id"), 2);
}

TEST_F(index_keeping, unique_values_of_two_partitions_are_independent) {
    clerks.insert(don());
    auto other = don();
    other.department = "R";
    EXPECT_TRUE(clerks.try_insert(other));
}

// ---- out of step ----------------------------------------------------------------------------------------------------

TEST_F(index_keeping, a_row_that_should_go_and_is_not_there_is_left_out) {
    auto e = clerks.insert(don());
    raw.erase_any({"S", "email_don@x"});
    e.value.email = "new@x";
    sent();
    clerks.replace(e);
    EXPECT_THAT(sent(), SizeIs(3));
    EXPECT_EQ(clerks.find("S", 1)->etag, e.etag);
    expect_rows({"email_new@x", "id_001", "name_Hall !_id_001"});
}

TEST_F(index_keeping, a_row_that_should_change_and_is_not_there_is_inserted) {
    auto e = clerks.insert(don());
    raw.erase_any({"S", "email_don@x"});
    raw.erase_any({"S", "name_Hall !_id_001"});
    e.value.name = "Cao";
    clerks.replace(e);
    expect_rows({"email_don@x", "id_001", "name_Cao !_id_001"});
}

TEST_F(index_keeping, an_erase_goes_through_though_all_rows_are_missing) {
    auto const e = clerks.insert(don());
    raw.erase_any({"S", "email_don@x"});
    raw.erase_any({"S", "name_Hall !_id_001"});
    clerks.erase(e);
    expect_rows({});
}

TEST_F(index_keeping, what_the_key_of_an_index_cannot_hold_can_be_repaired) {
    auto const spoil = [&] {
        dynamic_entity e{"S", "id_001"};
        e.set("email", "a/b");
        e.set("name", "Hall");
        raw.upsert_replace(e);
    };
    spoil();
    clerks.modify({"S", 1}, [](clerk& c) { c.email = "don@x"; });
    expect_rows({"email_don@x", "id_001"});
    spoil();
    EXPECT_TRUE(failed_with(clerks.try_modify({"S", 1}, [](clerk& c) { c.age = 1; }), library_errc::invalid_key));
    EXPECT_TRUE(clerks.erase_any({"S", 1}));
    spoil();
    raw.erase_any({"S", "email_don@x"});
    clerks.upsert_replace(don());
    EXPECT_EQ(clerks.find("S", 1)->value, don());
}

// ---- rows of others -------------------------------------------------------------------------------------------------

/// Clerk 1 was stored before there was an index, and clerk 2 has taken the value since.
class index_not_rebuilt : public index_keeping {
protected:
    index_not_rebuilt() {
        raw.insert(old_don());
        clerks.insert({.department = "S", .id = 2, .email = "don@x", .name = "Cao"});
        version_ = version_of("email_don@x");
        sent();
    }
    static dynamic_entity old_don() {
        dynamic_entity e{"S", "id_001"};
        e.set("email", "don@x");
        e.set("name", "Hall");
        e.set("age", 34);
        e.set("senior", false);
        e.set("note", "n");
        return e;
    }
    entity<clerk> old() { return clerks.find("S", 1).value(); }

    void TearDown() override {
        EXPECT_EQ(version_of("email_don@x"), version_);
        EXPECT_EQ(clerks.find_by<"by_email">("S", "don@x")->value.id, 2);
        auto const third = clerks.try_insert({.department = "S", .id = 3, .email = "don@x"});
        EXPECT_TRUE(failed_with(third, library_errc::unique_value_taken));
    }

    std::string version_;
};

TEST_F(index_not_rebuilt, an_entity_that_gives_a_value_up_leaves_the_row_of_the_other_one) {
    clerks.modify({"S", 1}, [](clerk& c) { c.email = "donald@x"; });
    expect_rows({"email_don@x", "email_donald@x", "id_001", "id_002", "name_Cao !_id_002"});
}

TEST_F(index_not_rebuilt, an_erase_leaves_the_row_of_the_other_one) {
    EXPECT_TRUE(clerks.erase_any({"S", 1}));
    expect_rows({"email_don@x", "id_002", "name_Cao !_id_002"});
}

TEST_F(index_not_rebuilt, a_change_that_would_rewrite_the_row_of_the_other_one_is_refused) {
    auto const change = [](clerk& c) { c.name = "Thief"; };
    auto const r = clerks.try_modify({"S", 1}, change);
    ASSERT_TRUE(failed_with(r, library_errc::unique_value_taken));
    EXPECT_EQ(r.error().member(), "by_email");
    EXPECT_EQ(r.error().outcome(), outcome::not_applied);
    auto e = old();
    change(e.value);
    EXPECT_TRUE(failed_with(clerks.try_replace(e), library_errc::unique_value_taken));
    EXPECT_TRUE(failed_with(clerks.try_merge(e, only<&clerk::name>), library_errc::unique_value_taken));
    EXPECT_TRUE(failed_with(clerks.try_upsert_replace(e.value), library_errc::unique_value_taken));
    EXPECT_TRUE(failed_with(clerks.try_replace_any(e.value), library_errc::unique_value_taken));
    EXPECT_EQ(old().value.name, "Hall");
}

TEST_F(index_not_rebuilt, a_group_leaves_the_row_of_the_other_one) {
    auto e = old();
    e.value.name = "Thief";
    auto t = clerks.transaction();
    t.replace(e);
    EXPECT_TRUE(failed_with(t.try_commit(), library_errc::unique_value_taken));
    t.clear();
    t.erase_any<clerk>({"S", 1});
    EXPECT_TRUE(t.try_commit());
}

TEST_F(index_not_rebuilt, a_bulk_write_leaves_the_row_of_the_other_one) {
    auto thief = old().value;
    thief.name = "Thief";
    auto const r = clerks.upsert_many(std::vector{thief});
    ASSERT_EQ(r.problems.size(), 1u);
    EXPECT_EQ(r.problems.front().error.code(), library_errc::unique_value_taken);
    auto const erased = clerks.erase_where(clerks.query(partition("S"), row_range(1, 2)));
    EXPECT_EQ(erased.erased(), 1u);
    expect_rows({"email_don@x", "id_002", "name_Cao !_id_002"});
}

TEST_F(index_keeping, a_row_that_was_changed_after_it_was_read_is_read_again) {
    auto e = clerks.insert(don());
    noted->before_next(2, [&] { touch("email_don@x"); });
    e.value.email = "new@x";
    sent();
    clerks.replace(e, {.clock = &clock});
    EXPECT_THAT(sent(), SizeIs(5));
    expect_rows({"email_new@x", "id_001", "name_Hall !_id_001"});
}

TEST_F(index_keeping, a_row_that_became_another_ones_after_it_was_read_is_left_alone) {
    auto e = clerks.insert(don());
    noted->before_next(2, [&] {
        dynamic_entity others{"S", "email_don@x"};
        others.set("id", 2);
        raw.replace_any(others);
    });
    e.value.email = "new@x";
    clerks.replace(e, {.clock = &clock});
    expect_rows({"email_don@x", "email_new@x", "id_001", "name_Hall !_id_001"});
}

TEST_F(index_keeping, a_row_that_others_change_at_every_try_ends_the_write) {
    auto e = clerks.insert(don());
    std::function<void()> const outrun = [&] {
        touch("email_don@x");
        noted->before_next(1, outrun);
    };
    noted->before_next(2, outrun);
    auto const r = clerks.try_erase(e, {.clock = &clock});
    ASSERT_TRUE(failed_with(r, library_errc::too_many_conflicts));
    EXPECT_EQ(r.error().member(), "by_email");
}

TEST_F(index_keeping, a_row_that_does_not_say_whose_it_is_is_left_alone) {
    auto e = clerks.insert(don());
    raw.replace_any(dynamic_entity{"S", "email_don@x"});
    e.value.name = "Cao";
    EXPECT_TRUE(failed_with(clerks.try_replace(e), library_errc::unique_value_taken));
    clerks.erase(e);
    expect_rows({"email_don@x"});
}

// ---- lost responses -------------------------------------------------------------------------------------------------

struct promised {
    bool tokens;
    int attempts;
};

/// Every write with a fault at each of its requests: what it says must be what the store holds, and what the table of
/// the page on concurrency promises.
class lost_answers : public index_keeping, public ::testing::WithParamInterface<promised> {
protected:
    enum class known { always, by_token, never };

    struct what {
        char const* name;
        known after_loss;
        std::function<outcome(table<clerk> const&, call_options const&)> call;
        texts before, after;
    };

    template <class R> static outcome told(R const& r) { return r ? outcome::applied : r.error().outcome(); }

    static clerk moved_don() {
        auto e = don();
        e.email = "new@x";
        return e;
    }

    static std::vector<what> writes() {
        texts const old{"email_don@x", "id_001", "name_Hall !_id_001"},
            moved{"email_new@x", "id_001", "name_Hall !_id_001"};
        auto const move = [](clerk& c) { c.email = "new@x"; };
        return {{"insert", known::by_token, [](auto& t, auto& o) { return told(t.try_insert(don(), o)); }, {}, old},
                {"modify", known::by_token,
                 [=](auto& t, auto& o) {
                     return told(t.try_modify({"S", 1}, move, o));
                 },
                 old, moved},
                {"upsert_replace", known::always,
                 [](auto& t, auto& o) { return told(t.try_upsert_replace(moved_don(), o)); }, old, moved},
                {"upsert_replace of new",
                 known::always,
                 [](auto& t, auto& o) { return told(t.try_upsert_replace(don(), o)); },
                 {},
                 old},
                {"upsert_merge", known::always,
                 [](auto& t, auto& o) { return told(t.try_upsert_merge(moved_don(), only<&clerk::email>, o)); }, old,
                 moved},
                {"replace_any", known::always, [](auto& t, auto& o) { return told(t.try_replace_any(moved_don(), o)); },
                 old, moved},
                {"commit", known::always,
                 [](auto& t, auto& o) {
                     auto group = t.transaction();
                     group.upsert_replace(moved_don());
                     return told(group.try_commit(o));
                 },
                 old, moved},
                {"upsert_many", known::always,
                 [](auto& t, auto& o) {
                     auto const r = t.upsert_many(std::vector{moved_don()}, {}, o);
                     return r.complete()            ? outcome::applied
                            : r.totals.in_doubt > 0 ? outcome::in_doubt
                                                    : outcome::not_applied;
                 },
                 old, moved},
                {"erase_any",
                 known::never,
                 [](auto& t, auto& o) {
                     return told(t.try_erase_any({"S", 1}, o));
                 },
                 old,
                 {}}};
    }

    static outcome promise(what const& w, fault f, bool at_read) {
        bool const again = GetParam().attempts > 1;
        if (f == fault::busy || at_read) return again ? outcome::applied : outcome::not_applied;
        bool const goes_again = w.name != std::string_view{"insert"};
        bool const knows = f != fault::lost_after ? goes_again
                                                  : w.after_loss == known::always ||
                                                        (w.after_loss == known::by_token && GetParam().tokens);
        return knows ? outcome::applied : outcome::in_doubt;
    }
};

TEST_P(lost_answers, leave_entity_and_rows_in_step_and_outcomes_as_promised) {
    table<clerk> const t{inner, "Clerks", {.operation_ids = GetParam().tokens}};
    call_options const o{.retry = retry_policy::exponential(GetParam().attempts), .clock = &clock};
    for (auto const& w : writes()) {
        for (auto const f : {fault::busy, fault::lost_before, fault::lost_after, fault::reset}) {
            // A write of what is there reads that and its row in the unique index.
            std::size_t const requests = w.name == std::string_view{"insert"} ? 1 : w.before.empty() ? 2 : 3;
            for (std::size_t skip = 0; skip < requests; ++skip) {
                SCOPED_TRACE(std::string{w.name} + ", fault " + std::to_string(static_cast<int>(f)) + " at " +
                             std::to_string(skip));
                clerks.erase_any({"S", 1});
                if (!w.before.empty()) clerks.insert(don());
                inner->fail_next(f, skip);
                auto const told = w.call(t, o);
                auto const is = rows();
                EXPECT_EQ(told, promise(w, f, skip + 1 < requests));
                EXPECT_TRUE(is == w.before || is == w.after) << ::testing::PrintToString(is);
                EXPECT_TRUE(told != outcome::applied || is == w.after);
                EXPECT_TRUE(told != outcome::not_applied || is == w.before);
            }
        }
    }
}

INSTANTIATE_TEST_SUITE_P(, lost_answers,
                         ::testing::Values(promised{false, 1}, promised{false, 4}, promised{true, 1},
                                           promised{true, 4}),
                         [](auto const& how) {
                             return std::string{how.param.tokens ? "with_tokens" : "without"} +
                                    (how.param.attempts > 1 ? "_retried" : "_tried_once");
                         });

TEST_F(index_keeping, with_a_token_a_write_whose_answer_was_lost_knows_its_own) {
    table<clerk> const t{inner, "Clerks", {.operation_ids = true}};
    inner->fail_next(fault::lost_after);
    EXPECT_TRUE(t.try_insert(don(), {.clock = &clock}));
    inner->fail_next(fault::lost_after, 2);
    EXPECT_TRUE(t.try_modify({"S", 1}, [](clerk& c) { c.email = "new@x"; }, {.clock = &clock}));
    expect_rows({"email_new@x", "id_001", "name_Hall !_id_001"});
}

TEST_F(index_keeping, a_lost_answer_is_looked_into_once_under_a_policy_without_second_tries) {
    inner->fail_next(fault::lost_before);
    auto const r = clerks.try_upsert_replace(don(), {.retry = retry_policy::none(), .clock = &clock});
    EXPECT_EQ(r.error().outcome(), outcome::not_applied) << "of the read";
    inner->fail_next(fault::lost_before, 1);
    EXPECT_TRUE(clerks.try_upsert_replace(don(), {.retry = retry_policy::none(), .clock = &clock}));
    EXPECT_THAT(sent(), SizeIs(5));
}

TEST_F(index_keeping, a_taken_value_is_named_though_an_answer_was_lost_before) {
    clerks.insert(don());
    auto second = clerks.insert({.department = "S", .id = 2, .email = "b@x"});
    second.value.email = "don@x";
    auto const expect_named = [](error const& e) {
        EXPECT_EQ(e.code(), library_errc::unique_value_taken);
        EXPECT_EQ(e.member(), "by_email");
        EXPECT_EQ(e.outcome(), outcome::in_doubt);
        EXPECT_THAT(e.what(), HasSubstr("an earlier response was lost; find that one by the index"));
    };
    for (auto policy : {retry_policy::none(), retry_policy::exponential(3)}) {
        policy.repeat_in_doubt = true;
        call_options const o{.retry = policy, .clock = &clock};
        inner->fail_next(fault::lost_before);
        expect_named(clerks.try_insert({.department = "S", .id = 3, .email = "don@x"}, o).error());
        inner->fail_next(fault::lost_before, 2);
        expect_named(clerks.try_replace(second, o).error());
        inner->fail_next(fault::lost_before, 2);
        expect_named(clerks.try_upsert_replace(second.value, o).error());
        inner->fail_next(fault::lost_before, 2);
        auto group = clerks.transaction();
        group.upsert_replace(second.value);
        expect_named(group.try_commit(o).error());
    }
    expect_rows({"email_b@x", "email_don@x", "id_001", "id_002", "name_ !_id_002", "name_Hall !_id_001"});
}

TEST_F(index_keeping, answers_that_stay_lost_end_a_write) {
    for (std::size_t const i : {0u, 1u, 3u, 4u}) inner->fail_next(fault::lost_before, i);
    auto policy = retry_policy::exponential(2);
    policy.repeat_in_doubt = true;
    auto const r = clerks.try_insert(don(), {.retry = policy, .clock = &clock});
    ASSERT_FALSE(r);
    EXPECT_EQ(r.error().outcome(), outcome::in_doubt);
    EXPECT_THAT(sent(), SizeIs(5));
}

TEST_F(index_keeping, a_row_that_is_missing_is_repaired_after_a_lost_answer_too) {
    auto e = clerks.insert(don());
    raw.erase_any({"S", "email_don@x"});
    e.value.email = "new@x";
    inner->fail_next(fault::lost_before, 2);
    EXPECT_TRUE(clerks.try_replace(e, {.clock = &clock}));
    expect_rows({"email_new@x", "id_001", "name_Hall !_id_001"});
}

TEST_F(index_keeping, without_a_token_a_write_whose_answer_was_lost_is_in_doubt) {
    inner->fail_next(fault::lost_after);
    EXPECT_EQ(clerks.try_insert(don(), {.clock = &clock}).error().outcome(), outcome::in_doubt);
    inner->fail_next(fault::lost_after, 2);
    auto const r = clerks.try_modify({"S", 1}, [](clerk& c) { c.email = "new@x"; }, {.clock = &clock});
    EXPECT_EQ(r.error().outcome(), outcome::in_doubt);
}

}  // namespace
}  // namespace test
}  // namespace tablemap

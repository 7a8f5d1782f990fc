// SPDX-License-Identifier: Apache-2.0
#include "support/answers.hpp"
#include "support/operations.hpp"

#include "tablemap/table/table.hpp"
#include "tablemap/write/transaction.hpp"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace tablemap {
namespace {

struct clerk {
    std::string department{};
    std::int32_t id{};
    std::string name{};
    std::string mail{};
    std::int32_t age{};
};

struct desk {
    std::string department{};
    std::int32_t people{};
};

struct locker {
    std::string department{};
    std::int32_t number{};
    std::string code{};
    std::int32_t color{};
};

}  // namespace

template <> struct mapping<clerk> {
    static constexpr auto partition_key = key(part<&clerk::department>);
    static constexpr auto row_key = key("c_", part<&clerk::id>.width(3));
    static constexpr auto indexes = tablemap::indexes(
        unique_index<"by_mail">(key("mail_", part<&clerk::mail>)).include<&clerk::age>(),
        index<"by_name">(key("name_", part<&clerk::name>.escaped())).include<>().where([](clerk const& c) {
            return !c.name.empty();
        }));
};
template <> struct mapping<desk> {
    static constexpr auto partition_key = key(part<&desk::department>);
    static constexpr auto row_key = key("desk");
};
template <> struct mapping<locker> {
    static constexpr auto partition_key = key(part<&locker::department>);
    static constexpr auto row_key = key("l_", part<&locker::number>);
    static constexpr auto indexes =
        tablemap::indexes(unique_index<"by_code">(key("code_", part<&locker::code>)).include<>());
};

namespace test {
namespace {

using tablemap::testing::answer_row;
using tablemap::testing::exchange;
using tablemap::testing::response_failure;
using tablemap::testing::scripted_store;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

constexpr auto conflict = service_errc::update_condition_not_satisfied;
constexpr auto absent = service_errc::resource_not_found;
constexpr auto exists = service_errc::entity_already_exists;

auto const lost = response_failure(library_errc::response_lost, outcome::in_doubt);

clerk don(std::int32_t id = 1) { return {.department = "S", .id = id, .mail = "d" + std::to_string(id), .age = 30}; }

std::string find_of(std::int32_t id) { return "find Staff [S] [c_00" + std::to_string(id) + "] current"; }

response stored(clerk const& c, std::string version) {
    detail::encoded_entity e;
    value_or_throw(detail::encode(c, e, detail::empty_members::left_out, nullptr));
    return answer_row(e.body, std::move(version));
}

/// A look at the row of the unique index for a clerk's mail, which is this clerk's.
exchange look(std::int32_t mail, std::int32_t owner, std::string version) {
    auto const key = "mail_d" + std::to_string(mail);
    return {"find Staff [S] [" + key + "] current",
            answer_row(R"({"PartitionKey":"S","RowKey":")" + key + R"(","id":)" + std::to_string(owner) + "}",
                       std::move(version))};
}
exchange look(std::int32_t id, std::string version) { return look(id, id, std::move(version)); }

response etags(std::vector<std::string> texts) {
    response r;
    for (auto& t : texts) r.etags.emplace_back(std::move(t));
    return r;
}

response fault_at(std::size_t index, std::error_code code) {
    return response::failed(error{code, {.failed_index = index}});
}

class indexed_commit : public ::testing::Test {
protected:
    transaction on(std::vector<exchange> script, table_options o = {}, capabilities can = {.name = "scripted"}) {
        store_ = std::make_shared<scripted_store>(std::move(script), std::move(can));
        return table<clerk>{store_, "Staff", o}.transaction(clock);
    }
    void TearDown() override { EXPECT_THAT(store_ ? store_->complaints() : std::vector<std::string>{}, IsEmpty()); }

    /// Commits, and expects the fault of one of the user's operations, which nobody knows more of than that it was not
    /// applied.
    error refused(transaction& t, std::error_code code, std::size_t index, std::string const& action) {
        auto const r = t.try_commit({.retry = retry_policy::none(), .clock = &clock});
        if (r) {
            ADD_FAILURE() << "it was applied";
            return error{code};
        }
        EXPECT_EQ(r.error().code(), code) << r.error().what();
        EXPECT_EQ(r.error().failed_index(), index);
        EXPECT_EQ(r.error().failed_action(), action);
        EXPECT_EQ(r.error().outcome(), outcome::not_applied);
        return r.error();
    }

    std::vector<etag> commit(transaction& t) { return t.commit({.clock = &clock}); }

    tablemap::testing::fixed_clock clock{1};

private:
    std::shared_ptr<scripted_store> store_;
};

// ---- requests -------------------------------------------------------------------------------------------------------

TEST_F(indexed_commit, sends_what_is_inserted_with_its_rows_in_one_request) {
    auto t = on(
        {{"transaction Staff: insert [S] [c_001] "
          R"({"PartitionKey":"S","RowKey":"c_001","name":"Al","mail":"d1","age":30}; )"
          R"(insert [S] [c_002] {"PartitionKey":"S","RowKey":"c_002","name":"","mail":"d2","age":30}; )"
          R"(insert [S] [mail_d1] {"PartitionKey":"S","RowKey":"mail_d1","id":1,"mail":"d1","age":30}; )"
          R"(upsert_replace [S] [name_Al !_c_001] {"PartitionKey":"S","RowKey":"name_Al !_c_001","id":1,"name":"Al"}; )"
          R"(insert [S] [mail_d2] {"PartitionKey":"S","RowKey":"mail_d2","id":2,"mail":"d2","age":30})",
          etags({"1", "2", "3", "4", "5"})}});
    entity<clerk> al{.value = don(1)};
    al.value.name = "Al";
    t.insert(al);
    t.insert(don(2));
    EXPECT_EQ(t.size(), 2u);
    EXPECT_EQ(commit(t).size(), 2u);
    EXPECT_EQ(al.etag.text(), "1");
}

TEST_F(indexed_commit, reads_what_it_has_to_and_writes_under_what_it_read) {
    auto older = don(2);
    older.age = 31;
    auto t =
        on({{find_of(1), stored(don(1), "A")},
            {find_of(2), stored(don(2), "B")},
            {find_of(3), stored(don(3), "C")},
            {find_of(4), response_failure(absent)},
            look(1, "I1"),
            look(2, "I2"),
            look(3, "I3"),
            {"transaction Staff: merge [S] [desk] if \"D\" "
             R"({"PartitionKey":"S","RowKey":"desk","people":4}; )"
             R"(erase [S] [c_001] if "A"; replace [S] [c_002] if "B" )"
             R"({"PartitionKey":"S","RowKey":"c_002","name":"","mail":"d2","age":31}; )"
             R"(merge [S] [c_003] if "C" {"PartitionKey":"S","RowKey":"c_003","mail":"x"}; insert [S] [c_004] )"
             R"({"PartitionKey":"S","RowKey":"c_004","name":"","mail":"d4","age":30}; )"
             R"(erase [S] [mail_d1] if "I1"; )"
             R"(replace [S] [mail_d2] if "I2" {"PartitionKey":"S","RowKey":"mail_d2","id":2,"mail":"d2","age":31}; )"
             R"(insert [S] [mail_x] {"PartitionKey":"S","RowKey":"mail_x","id":3,"mail":"x","age":30}; )"
             R"(erase [S] [mail_d3] if "I3"; insert [S] [mail_d4])",
             etags({"D2", "", "B2", "C2", "F2", "", "", "", "", ""})}});
    entity<desk> sales{.value = {.department = "S", .people = 4}, .etag = etag{"D"}};
    t.merge(sales);
    t.erase_any<clerk>({"S", 1});
    t.upsert_replace(older);
    t.merge_any(clerk{.department = "S", .id = 3, .mail = "x"}, only<&clerk::mail>);
    t.upsert_replace(don(4));
    auto const got = commit(t);
    ASSERT_EQ(got.size(), 5u);
    EXPECT_EQ(got[3].text(), "C2");
    EXPECT_EQ(sales.etag.text(), "D2");
}

TEST_F(indexed_commit, writes_no_row_of_an_index_that_stays_as_it_is) {
    auto t = on({{find_of(1), stored(don(1), "A")},
                 {R"(transaction Staff: replace [S] [c_001] if "A" )"
                  R"({"PartitionKey":"S","RowKey":"c_001","name":"","mail":"d1","age":30})",
                  etags({"A2"})}});
    entity<clerk> e{.value = don(1), .etag = etag{"A"}};
    t.replace(e);
    commit(t);
    EXPECT_EQ(e.etag.text(), "A2");
}

TEST_F(indexed_commit, reads_nothing_for_merges_of_members_that_no_index_has) {
    auto t = on({{R"(transaction Staff: merge [S] [l_1] if "A" {"PartitionKey":"S","RowKey":"l_1","color":2}; )"
                  R"(merge [S] [l_2] if "*" {"PartitionKey":"S","RowKey":"l_2","color":3})",
                  etags({"1", "2"})}});
    entity<locker> e{.value = {.department = "S", .number = 1, .color = 2}, .etag = etag{"A"}};
    t.merge(e, only<&locker::color>);
    t.merge_any(locker{.department = "S", .number = 2, .color = 3}, only<&locker::color>);
    commit(t);
}

// ---- one value, two entities ----------------------------------------------------------------------------------------

TEST_F(indexed_commit, passes_a_unique_value_from_one_entity_to_another) {
    auto const text = std::string{R"("PartitionKey":"S","RowKey":"mail_d1","id":2,"mail":"d1","age":30)"};
    auto t = on({{find_of(1), stored(don(1), "A")},
                 look(1, "I1"),
                 {R"(transaction Staff: erase [S] [c_001] if "A"; insert [S] [c_002] {"PartitionKey":"S",)"
                  R"("RowKey":"c_002","name":"","mail":"d1","age":30}; replace [S] [mail_d1] if "I1" {)" +
                      text + "}",
                  etags({"", "B", "C"})}});
    t.erase_any<clerk>({"S", 1});
    auto heir = don(2);
    heir.mail = "d1";
    t.insert(heir);
    commit(t);
}

TEST_F(indexed_commit, swaps_unique_values) {
    auto t =
        on({{find_of(1), stored(don(1), "A")},
            {find_of(2), stored(don(2), "B")},
            look(1, "I1"),
            look(2, "I2"),
            {R"(transaction Staff: merge [S] [c_001] if "A" {"PartitionKey":"S","RowKey":"c_001","mail":"d2"}; )"
             R"(merge [S] [c_002] if "B" {"PartitionKey":"S","RowKey":"c_002","mail":"d1"}; )"
             R"(replace [S] [mail_d2] if "I2" {"PartitionKey":"S","RowKey":"mail_d2","id":1,"mail":"d2","age":30}; )"
             R"(replace [S] [mail_d1] if "I1" {"PartitionKey":"S","RowKey":"mail_d1","id":2,"mail":"d1","age":30})",
             etags({"A2", "B2", "", ""})}});
    t.merge_any(clerk{.department = "S", .id = 1, .mail = "d2"}, only<&clerk::mail>);
    t.merge_any(clerk{.department = "S", .id = 2, .mail = "d1"}, only<&clerk::mail>);
    commit(t);
}

TEST_F(indexed_commit, sends_nothing_that_gives_two_entities_one_unique_value) {
    auto t = on({});
    t.insert(don(1));
    auto other = don(2);
    other.mail = "d1";
    t.insert(other);
    auto const e = refused(t, library_errc::unique_value_taken, 1, "insert");
    EXPECT_EQ(e.member(), "by_mail");
    EXPECT_THAT(e.what(), HasSubstr("operation 0 of the group"));
    EXPECT_THAT(e.what(), Not(HasSubstr("d1")));
}

TEST_F(indexed_commit, names_the_insert_where_another_entity_of_the_group_has_the_value) {
    auto t = on({{find_of(1), stored(don(1), "A")}});
    auto taker = don(2);
    taker.mail = "d1";
    t.insert(taker);
    auto holder = don(1);
    holder.age = 31;
    t.upsert_replace(holder);
    EXPECT_THAT(refused(t, library_errc::unique_value_taken, 0, "insert").what(),
                HasSubstr("operation 1 of the group"));
}

TEST_F(indexed_commit, names_the_operation_and_the_index_of_a_value_that_is_taken) {
    auto t = on({{"transaction", fault_at(3, exists)}});
    t.insert(desk{"S", 1});
    t.insert(don(1));
    t.insert(don(2));
    EXPECT_EQ(t.size(), 3u);
    auto const e = refused(t, library_errc::unique_value_taken, 1, "insert");
    EXPECT_EQ(e.member(), "by_mail");
    EXPECT_EQ(e.failed_key()->row_key, "c_001");
}

// ---- refused by the reads -------------------------------------------------------------------------------------------

TEST_F(indexed_commit, sends_nothing_if_an_entity_was_changed_since_it_was_read) {
    auto t = on({{find_of(1), stored(don(1), "A")}, {find_of(2), stored(don(2), "B")}});
    t.erase_any<clerk>({"S", 1});
    entity<clerk> e{.value = don(2), .etag = etag{"old"}};
    t.replace(e);
    refused(t, conflict, 1, "replace");
    EXPECT_EQ(e.etag.text(), "old");
    EXPECT_EQ(t.size(), 2u);
}

TEST_F(indexed_commit, sends_nothing_if_an_entity_that_must_be_there_is_not) {
    auto t = on({{find_of(1), response_failure(absent)}});
    t.insert(don(2));
    t.erase_any<clerk>({"S", 1});
    refused(t, absent, 1, "erase_any");
}

TEST_F(indexed_commit, names_no_operation_where_reading_failed) {
    auto t = on({{find_of(1), response_failure(service_errc::table_not_found)}});
    t.erase_any<clerk>({"S", 1});
    auto const r = t.try_commit();
    ASSERT_FALSE(r);
    EXPECT_EQ(r.error().code(), service_errc::table_not_found);
    EXPECT_EQ(r.error().failed_index(), std::nullopt);
}

// ---- others who write -----------------------------------------------------------------------------------------------

TEST_F(indexed_commit, repeats_what_is_of_any_version_where_others_were_faster) {
    auto t = on({{find_of(1), stored(don(1), "A")},
                 look(1, "I1"),
                 {R"(transaction Staff: erase [S] [c_001] if "A")", fault_at(0, conflict)},
                 {find_of(1), stored(don(1), "B")},
                 look(1, "I1"),
                 {R"(transaction Staff: erase [S] [c_001] if "B")", etags({"", ""})}});
    t.erase_any<clerk>({"S", 1});
    commit(t);
    EXPECT_EQ(clock.waits().size(), 1u);
}

TEST_F(indexed_commit, repeats_an_upsert_of_an_entity_that_came_or_went) {
    auto t = on({{find_of(1), response_failure(absent)},
                 {"transaction Staff: insert [S] [c_001]", fault_at(0, exists)},
                 {find_of(1), stored(don(1), "B")},
                 {R"(transaction Staff: replace [S] [c_001] if "B")", fault_at(0, absent)},
                 {find_of(1), response_failure(absent)},
                 {"transaction Staff: insert [S] [c_001]", etags({"1", "2"})}});
    t.upsert_replace(don(1));
    commit(t);
}

TEST_F(indexed_commit, repeats_nothing_if_an_operation_under_an_etag_met_a_conflict) {
    auto t = on({{find_of(1), stored(don(1), "A")},
                 {find_of(2), stored(don(2), "B")},
                 look(1, "I1"),
                 look(2, "I2"),
                 {"transaction", fault_at(1, conflict)}});
    t.erase_any<clerk>({"S", 1});
    t.erase(entity<clerk>{.value = don(2), .etag = etag{"B"}});
    refused(t, conflict, 1, "erase");
}

TEST_F(indexed_commit, gives_up_after_many_conflicts) {
    std::vector<exchange> script;
    for (int i = 0; i < modify_options{}.attempts; ++i) {
        script.push_back({find_of(1), stored(don(1), "A")});
        script.push_back(look(1, "I1"));
        script.push_back({"transaction", fault_at(0, conflict)});
    }
    auto t = on(script);
    t.erase_any<clerk>({"S", 1});
    refused(t, library_errc::too_many_conflicts, 0, "erase_any");
}

TEST_F(indexed_commit, waits_no_longer_than_its_deadline) {
    auto t = on({{find_of(1), stored(don(1), "A")}, look(1, "I1"), {"transaction", fault_at(0, conflict)}});
    t.erase_any<clerk>({"S", 1});
    auto const r = t.try_commit({.deadline = clock.now() + std::chrono::nanoseconds{1}, .clock = &clock});
    ASSERT_FALSE(r);
    EXPECT_EQ(r.error().code(), library_errc::deadline_exceeded);
}

// ---- an index that is out of step -----------------------------------------------------------------------------------

constexpr auto erase_and_change = [](transaction& t) {
    auto changed = don(2);
    changed.age = 40;
    t.erase_any<clerk>({"S", 1});
    t.upsert_replace(changed);
};
auto const erase_and_insert =
    std::string{R"(transaction Staff: erase [S] [c_001] if "A"; replace [S] [c_002] if "B" )"
                R"({"PartitionKey":"S","RowKey":"c_002","name":"","mail":"d2","age":40}; )"
                R"(insert [S] [mail_d2] {"PartitionKey":"S","RowKey":"mail_d2","id":2,"mail":"d2","age":40})"};

TEST_F(indexed_commit, repairs_rows_that_an_index_lacks) {
    auto t = on({{find_of(1), stored(don(1), "A")},
                 {find_of(2), stored(don(2), "B")},
                 {"find Staff [S] [mail_d1] current", response_failure(absent)},
                 {"find Staff [S] [mail_d2] current", response_failure(absent)},
                 {erase_and_insert, etags({"", "B2", ""})}});
    erase_and_change(t);
    commit(t);
}

TEST_F(indexed_commit, repairs_rows_that_went_after_they_were_read) {
    auto t = on({{find_of(1), stored(don(1), "A")},
                 {find_of(2), stored(don(2), "B")},
                 look(1, "I1"),
                 look(2, "I2"),
                 {"transaction", fault_at(2, absent)},
                 {"transaction", fault_at(2, absent)},
                 {erase_and_insert, etags({"", "B2", ""})}});
    erase_and_change(t);
    commit(t);
}

TEST_F(indexed_commit, leaves_rows_of_others_alone) {
    auto t = on({{find_of(1), stored(don(1), "A")},
                 {find_of(2), stored(don(2), "B")},
                 look(1, 7, "I1"),
                 look(2, 8, "I2"),
                 {erase_and_insert, fault_at(2, exists)}});
    erase_and_change(t);
    EXPECT_EQ(refused(t, library_errc::unique_value_taken, 1, "upsert_replace").member(), "by_mail");
}

TEST_F(indexed_commit, passes_on_a_value_whose_row_is_the_other_ones) {
    auto older = don(2);
    older.mail = "d1";
    auto t = on({{find_of(2), stored(older, "B")},
                 {find_of(1), stored(don(1), "A")},
                 look(1, "I1"),
                 look(1, "I1"),
                 {R"(transaction Staff: replace [S] [c_002] if "B" )"
                  R"({"PartitionKey":"S","RowKey":"c_002","name":"","mail":"d1","age":40}; erase [S] [c_001] if "A"; )"
                  R"(replace [S] [mail_d1] if "I1" {"PartitionKey":"S","RowKey":"mail_d1","id":2)",
                  etags({"B2", "", "I2"})}});
    older.age = 40;
    t.upsert_replace(older);
    t.erase_any<clerk>({"S", 1});
    commit(t);
}

TEST_F(indexed_commit, reads_all_again_where_a_row_of_an_index_was_changed_meanwhile) {
    auto t = on({{find_of(2), stored(don(2), "B")},
                 look(2, "I2"),
                 {R"(transaction Staff: erase [S] [c_002] if "B"; erase [S] [mail_d2] if "I2")", fault_at(1, conflict)},
                 {find_of(2), stored(don(2), "B")},
                 look(2, "I3"),
                 {R"(transaction Staff: erase [S] [c_002] if "B"; erase [S] [mail_d2] if "I3")", etags({"", ""})}});
    t.erase(entity<clerk>{.value = don(2), .etag = etag{"B"}});
    commit(t);
    EXPECT_EQ(clock.waits().size(), 1u);
}

TEST_F(indexed_commit, ends_with_why_a_row_of_an_index_could_not_be_read) {
    auto t = on({{find_of(2), stored(don(2), "B")},
                 {"find Staff [S] [mail_d2] current", response_failure(service_errc::table_not_found)}});
    t.erase_any<clerk>({"S", 2});
    EXPECT_EQ(t.try_commit().error().code(), service_errc::table_not_found);
}

// ---- limits ---------------------------------------------------------------------------------------------------------

TEST_F(indexed_commit, counts_the_rows_of_inserts_before_anything_is_sent) {
    auto t = on({}, {}, {.name = "scripted", .transaction_operations = 5});
    t.insert(don(1));
    t.insert(don(2));
    EXPECT_FALSE(t.has_room(100));
    t.insert(don(3));
    auto const e = refused(t, service_errc::invalid_input, 2, "insert");
    EXPECT_THAT(e.what(), HasSubstr("at most 5 operations, and the rows of indexes add 3 to these"));
}

TEST_F(indexed_commit, says_how_many_operations_indexes_add_to_those_that_are_too_many) {
    auto t = on({{find_of(1), stored(don(1), "A")}, {find_of(2), stored(don(2), "B")}}, {},
                {.name = "scripted", .transaction_operations = 5});
    t.merge_any(clerk{.department = "S", .id = 1, .mail = "x"}, only<&clerk::mail>);
    t.merge_any(clerk{.department = "S", .id = 2, .mail = "y"}, only<&clerk::mail>);
    auto const r = t.try_commit();
    ASSERT_FALSE(r);
    EXPECT_EQ(r.error().code(), service_errc::invalid_input);
    EXPECT_THAT(r.error().what(), HasSubstr("at most 5 operations; to the 2 of this one the rows of indexes add 4"));
}

TEST_F(indexed_commit, has_no_room_for_what_might_have_more_rows_than_a_group_takes) {
    auto t = on({}, {}, {.name = "scripted", .transaction_operations = 14});
    t.upsert_replace(don(1));
    EXPECT_TRUE(t.has_room(100));
    t.upsert_replace(don(2));
    EXPECT_FALSE(t.has_room(100));
}

TEST_F(indexed_commit, counts_the_bytes_of_rows) {
    auto t = on({}, {}, {.name = "scripted", .transaction_bytes = 400});
    t.insert(don(1));
    auto const one = t.bytes();
    EXPECT_GT(one, 100u);
    t.insert(don(2));
    EXPECT_FALSE(t.has_room(one));
    for (int i = 3; i < 6; ++i) t.insert(don(i));
    auto const r = t.try_commit();
    ASSERT_FALSE(r);
    EXPECT_EQ(r.error().code(), service_errc::request_body_too_large);
}

// ---- lost responses -------------------------------------------------------------------------------------------------

TEST_F(indexed_commit, learns_by_the_token_of_an_entity_that_all_was_applied) {
    tablemap::testing::fixed_clock same{1};
    auto const body =
        R"({"PartitionKey":"S","RowKey":"c_001","TablemapOperation@odata.type":"Edm.Guid","TablemapOperation":")" +
        random_guid(same).text() + "\"}";
    auto t = on({{"transaction", lost}, {find_of(1), answer_row(body, "X")}}, {.operation_ids = true});
    t.insert(don(1));
    auto const got = t.try_commit({.retry = exact_retry(3), .clock = &clock});
    ASSERT_TRUE(got) << got.error().what();
    ASSERT_EQ(got->size(), 1u);
    EXPECT_TRUE(got->front().empty());
}

TEST_F(indexed_commit, is_in_doubt_when_its_answer_was_lost_and_nothing_tells) {
    auto t = on({{find_of(1), stored(don(1), "A")},
                 look(1, "I1"),
                 {"transaction", lost},
                 {"transaction", fault_at(0, conflict)},
                 {find_of(1), response_failure(absent)}});
    t.erase_any<clerk>({"S", 1});
    auto const r = t.try_commit({.retry = exact_retry(3), .clock = &clock});
    ASSERT_FALSE(r);
    EXPECT_EQ(r.error().outcome(), outcome::in_doubt);
    auto const again = t.try_commit({.clock = &clock});
    ASSERT_FALSE(again);
    EXPECT_EQ(again.error().outcome(), outcome::in_doubt);
}

TEST_F(indexed_commit, is_repeated_after_a_lost_answer_if_all_is_of_any_version) {
    auto t = on({{find_of(1), stored(don(1), "A")},
                 {find_of(2), response_failure(absent)},
                 {"transaction", lost},
                 {find_of(1), stored(don(1), "B")},
                 {find_of(2), stored(don(2), "C")},
                 {R"(transaction Staff: replace [S] [c_001] if "B" )"
                  R"({"PartitionKey":"S","RowKey":"c_001","name":"","mail":"d1","age":30}; )"
                  R"(replace [S] [c_002] if "C" {"PartitionKey":"S","RowKey":"c_002","name":"","mail":"d2","age":30})",
                  etags({"E", "D"})}});
    t.upsert_replace(don(1));
    t.upsert_replace(don(2));
    EXPECT_EQ(t.commit({.retry = retry_policy::none(), .clock = &clock})[1].text(), "D");
    EXPECT_EQ(clock.waits().size(), 1u);
}

TEST_F(indexed_commit, is_not_repeated_after_a_lost_answer_if_it_erases) {
    auto t = on({{find_of(1), stored(don(1), "A")},
                 {find_of(2), response_failure(absent)},
                 look(1, "I1"),
                 {"transaction", lost}});
    t.erase_any<clerk>({"S", 1});
    t.upsert_replace(don(2));
    auto const r = t.try_commit({.retry = retry_policy::none(), .clock = &clock});
    ASSERT_FALSE(r);
    EXPECT_EQ(r.error().outcome(), outcome::in_doubt) << "somebody may have inserted it anew";
}

TEST_F(indexed_commit, is_not_repeated_after_a_lost_answer_if_an_etag_was_named) {
    auto t = on(
        {{find_of(1), stored(don(1), "A")}, {find_of(2), stored(don(2), "B")}, look(2, "I2"), {"transaction", lost}});
    t.upsert_replace(don(1));
    t.erase(entity<clerk>{.value = don(2), .etag = etag{"B"}});
    auto const r = t.try_commit({.retry = retry_policy::none(), .clock = &clock});
    ASSERT_FALSE(r);
    EXPECT_EQ(r.error().outcome(), outcome::in_doubt);
}

TEST_F(indexed_commit, learns_by_a_token_that_it_need_not_be_repeated) {
    tablemap::testing::fixed_clock same{1};
    auto const body =
        R"({"PartitionKey":"S","RowKey":"c_001","TablemapOperation@odata.type":"Edm.Guid","TablemapOperation":")" +
        random_guid(same).text() + "\"}";
    auto t = on({{find_of(1), response_failure(absent)}, {"transaction", lost}, {find_of(1), answer_row(body, "X")}},
                {.operation_ids = true});
    t.upsert_replace(don(1));
    auto const got = t.commit({.retry = retry_policy::none(), .clock = &clock});
    ASSERT_EQ(got.size(), 1u);
    EXPECT_TRUE(got.front().empty());
}

TEST_F(indexed_commit, is_in_doubt_from_its_first_lost_answer_on_unless_it_succeeds) {
    std::vector<exchange> const script{{find_of(1), stored(don(1), "A")},
                                       {find_of(2), response_failure(absent)},
                                       look(1, "I1"),
                                       {"transaction", lost},
                                       {find_of(1), stored(don(1), "A")},
                                       {find_of(2), response_failure(absent)},
                                       look(1, "I1"),
                                       {"transaction", fault_at(3, absent)},
                                       {"transaction", etags({"1", "2", "3"})}};
    for (auto const& refusal : {response_failure(service_errc::table_not_found), lost})
        tablemap::testing::for_each_failed_step(script, refusal, [&](scripted_store& s, std::size_t failed) {
            bool const reading = failed < 3 || (failed > 3 && failed < 7);
            if (failed == 3 || (reading && refusal.outcome() == outcome::in_doubt)) return;  // no store says so
            auto t = table<clerk>{store_ptr{std::shared_ptr<void>{}, &s}, "Staff"}.transaction();
            auto moved = don(1);
            moved.mail = "x1";
            t.upsert_replace(moved);
            t.upsert_replace(don(2));
            auto const r = t.try_commit({.retry = retry_policy::none(), .clock = &clock});
            ASSERT_FALSE(r);
            EXPECT_EQ(r.error().outcome(), failed < 3 ? outcome::not_applied : outcome::in_doubt) << r.error().what();
            EXPECT_EQ(t.size(), 2u);
            EXPECT_GT(s.asked(), failed) << "ended before";
        });
}

TEST_F(indexed_commit, may_be_committed_again_after_it_failed) {
    auto t = on({{"transaction", fault_at(1, exists)},
                 {"transaction Staff: insert [S] [c_001] {\"PartitionKey\":\"S\",\"RowKey\":\"c_001\",\"name\":\"\","
                  "\"mail\":\"d1\",\"age\":30}; insert [S] [mail_d1]",
                  etags({"1", "2"})}});
    t.insert(don(1));
    refused(t, library_errc::unique_value_taken, 0, "insert");
    commit(t);
}

}  // namespace
}  // namespace test
}  // namespace tablemap

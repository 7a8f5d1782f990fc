// SPDX-License-Identifier: Apache-2.0
#include "tablemap/write/transaction.hpp"

#include "support/answers.hpp"
#include "support/operations.hpp"

#include "tablemap/table/table.hpp"

#include <memory>
#include <string>
#include <variant>
#include <vector>

namespace tablemap {
namespace {

struct worker {
    std::string department{};
    std::int32_t id{};
    std::string name{};
    std::optional<std::string> email{};
};

struct office {
    std::string department{};
    std::int32_t people{};
};

struct ticket {
    std::string department{};
    guid id{};
};

}  // namespace

template <> struct mapping<worker> {
    static constexpr auto partition_key = key(part<&worker::department>);
    static constexpr auto row_key = key("w_", part<&worker::id>.width(3));
};
template <> struct mapping<office> {
    static constexpr auto partition_key = key(part<&office::department>);
    static constexpr auto row_key = key("office");
};
template <> struct mapping<ticket> {
    static constexpr auto partition_key = key(part<&ticket::department>);
    static constexpr auto row_key = key("t_", part<&ticket::id>.generated());
};

namespace test {
namespace {

using tablemap::testing::answer_ok;
using tablemap::testing::exchange;
using tablemap::testing::response_failure;
using tablemap::testing::scripted_store;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

response etags(std::vector<std::string> texts) {
    response r;
    for (auto& t : texts) r.etags.emplace_back(std::move(t));
    return r;
}

response fault_at(std::size_t index, std::error_code code) {
    return response::failed(error{code, {.server_text = "secret words", .failed_index = index}});
}

worker don(std::int32_t id = 1) { return {.department = "Sales", .id = id, .name = "Don"}; }

class scripted_transaction : public ::testing::Test {
protected:
    /// A transaction on a store that plays a script. Without one nothing may be sent.
    transaction on(std::vector<exchange> script, table_options options = {}, capabilities can = {.name = "scripted"}) {
        store_ = std::make_shared<scripted_store>(std::move(script), std::move(can));
        return table<worker>{store_, "Staff", options}.transaction(clock);
    }
    void TearDown() override { EXPECT_THAT(store_ ? store_->complaints() : std::vector<std::string>{}, IsEmpty()); }

    /// Commits what is refused before anything is sent, because of this operation.
    static void expect_refused(transaction& t, std::error_code code, std::size_t index, std::string const& action) {
        auto const r = t.try_commit();
        ASSERT_TRUE(failed_with(r, code));
        EXPECT_EQ(r.error().failed_index(), index);
        EXPECT_EQ(r.error().failed_action(), action);
        EXPECT_EQ(r.error().table(), "Staff");
        EXPECT_EQ(r.error().outcome(), outcome::not_applied);
        EXPECT_THAT(r.error().what(),
                    HasSubstr("commit in table 'Staff', operation " + std::to_string(index) + " (" + action + ")"));
    }

    tablemap::testing::fixed_clock clock{1};
    entity<worker> read_worker{.value = don(7), .etag = etag{"E7"}};
    entity<office> read_office{.value = {.department = "Sales", .people = 3}, .etag = etag{"E3"}};

private:
    std::shared_ptr<scripted_store> store_;
};

// ---- requests -------------------------------------------------------------------------------------------------------

TEST_F(scripted_transaction, merges_what_changed_and_leaves_out_what_did_not) {
    auto t = on({{R"(transaction Staff: merge [Sales] [office] if "E3" )"
                  R"({"PartitionKey":"Sales","RowKey":"office","people":4})",
                  etags({"E4"})}});
    auto const before = read_office;
    ++read_office.value.people;
    EXPECT_EQ(t.merge(read_worker, changed_since(don(7))), std::nullopt);
    EXPECT_EQ(t.merge(read_office, changed_since(before)), 0u);
    t.commit();
    EXPECT_EQ(read_office.etag.text(), "E4");
    EXPECT_EQ(read_worker.etag.text(), "E7");
}

TEST_F(scripted_transaction, refuses_a_merge_of_changes_that_would_remove_a_property) {
    auto t = on({});
    auto before = don(7);
    before.email = "d";
    EXPECT_EQ(t.merge(read_worker, changed_since(before)), 0u);
    expect_refused(t, library_errc::merge_cannot_remove, 0, "merge");
}

TEST_F(scripted_transaction, sends_every_kind_of_write_of_several_types_at_once) {
    auto t = on({{R"(transaction Staff: )"
                  R"(insert [Sales] [w_001] {"PartitionKey":"Sales","RowKey":"w_001","name":"Don"}; )"
                  R"(replace [Sales] [w_007] if "E7" {"PartitionKey":"Sales","RowKey":"w_007","name":"Don"}; )"
                  R"(merge [Sales] [office] if "E3" {"PartitionKey":"Sales","RowKey":"office","people":4}; )"
                  R"(upsert_replace [Sales] [w_002] {"PartitionKey":"Sales","RowKey":"w_002","name":"Don"}; )"
                  R"(upsert_merge [Sales] [w_003] {"PartitionKey":"Sales","RowKey":"w_003","name":"Don"}; )"
                  R"(replace [Sales] [w_004] if "*" {"PartitionKey":"Sales","RowKey":"w_004","name":"Don"}; )"
                  R"(merge [Sales] [w_005] if "*" {"PartitionKey":"Sales","RowKey":"w_005","name":"Don"}; )"
                  R"(erase [Sales] [w_006] if "*")",
                  etags({"1", "2", "3", "4", "5", "6", "7", ""})}});
    read_office.value.people = 4;
    EXPECT_EQ(t.insert(don(1)), 0u);
    EXPECT_EQ(t.replace(read_worker), 1u);
    EXPECT_EQ(t.merge(read_office, only<&office::people>), 2u);
    EXPECT_EQ(t.upsert_replace(don(2)), 3u);
    EXPECT_EQ(t.upsert_merge(don(3)), 4u);
    EXPECT_EQ(t.replace_any(don(4)), 5u);
    EXPECT_EQ(t.merge_any(don(5), only<&worker::name>), 6u);
    EXPECT_EQ(t.erase_any<worker>({"Sales", 6}), 7u);
    auto const given = t.commit();
    ASSERT_EQ(given.size(), 8u);
    EXPECT_EQ(given[0].text(), "1");
    EXPECT_TRUE(given[7].empty());
    EXPECT_EQ(read_worker.etag.text(), "2");
    EXPECT_EQ(read_office.etag.text(), "3");
}

TEST_F(scripted_transaction, sends_the_other_forms_of_merge_upsert_and_erase) {
    auto t = on({{R"(transaction Staff: merge [Sales] [office] if "E3" {"PartitionKey":"Sales","RowKey":"office",)"
                  R"("people":3}; )"
                  R"(upsert_merge [Sales] [w_001] {"PartitionKey":"Sales","RowKey":"w_001","name":"Don"}; )"
                  R"(erase [Sales] [w_007] if "E7"; erase [Sales] [w_009] if "*")",
                  etags({"1", "2", "", ""})}});
    t.merge(read_office);
    t.upsert_merge(don(1), only<&worker::name>);
    t.erase(std::as_const(read_worker));
    t.erase_any(key_of<worker>{"Sales", 9});
    t.commit();
    EXPECT_EQ(read_worker.etag.text(), "E7");
}

TEST_F(scripted_transaction, gives_a_const_value_its_generated_key_in_a_copy) {
    auto t = on({});
    ticket const first{.department = "Sales"}, second{.department = "Sales"};
    t.insert(first);
    t.insert(second);
    EXPECT_EQ(first.id, guid{});
    EXPECT_TRUE(t.has_room());
}

TEST_F(scripted_transaction, takes_variants_and_dynamic_entities) {
    using either = std::variant<worker, office>;
    auto t =
        on({{R"(transaction Staff: insert [Sales] [office] {"PartitionKey":"Sales","RowKey":"office","people":1}; )"
             R"(merge [Sales] [x] if "E1" {"PartitionKey":"Sales","RowKey":"x","Age":5})",
             etags({"1", "2"})}});
    t.insert(either{office{.department = "Sales", .people = 1}});
    entity<dynamic_entity> row{.value = {"Sales", "x"}, .etag = etag{"E1"}};
    row.value.set("Age", std::int32_t{5});
    row.value.set("Name", "not sent");
    t.merge(row, only_properties{"Age"});
    t.commit();
    EXPECT_EQ(row.etag.text(), "2");
}

TEST_F(scripted_transaction, fills_in_generated_keys_when_an_entity_is_added_and_its_etag_when_it_is_committed) {
    auto t = on({{"transaction Staff: insert [Sales] [t_", etags({"1"})}});
    entity<ticket> e{.value = {.department = "Sales"}, .outdated = true};
    t.insert(e);
    EXPECT_NE(e.value.id, guid{});
    EXPECT_TRUE(e.etag.empty());
    t.commit();
    EXPECT_EQ(e.etag.text(), "1");
    EXPECT_FALSE(e.outdated);
}

TEST_F(scripted_transaction, of_a_table_has_its_store_name_and_tokens) {
    auto const store = std::make_shared<scripted_store>(
        std::vector<exchange>{{R"(transaction Other: insert [Sales] [w_001] {"PartitionKey":"Sales","RowKey":"w_001",)"
                               R"("name":"Don","TablemapOperation@odata.type":"Edm.Guid")",
                               etags({"1"})}});
    table<worker> const workers{store, "Other", {.operation_ids = true}};
    auto t = workers.transaction();
    EXPECT_EQ(t.table(), "Other");
    t.insert(don());
    t.commit();
    EXPECT_THAT(store->complaints(), IsEmpty());
}

// ---- after the commit -----------------------------------------------------------------------------------------------

TEST_F(scripted_transaction, is_empty_after_it_was_committed_and_may_be_used_again) {
    auto t = on({{"transaction Staff: insert [Sales] [w_001]", etags({"1"})},
                 {"transaction Staff: insert [Audit] [w_001]", etags({"2"})}});
    t.insert(don());
    EXPECT_EQ(t.size(), 1u);
    EXPECT_EQ(t.partition_key(), "Sales");
    t.commit();
    EXPECT_TRUE(t.empty());
    EXPECT_EQ(t.bytes(), 0u);
    EXPECT_EQ(t.partition_key(), "");
    t.insert(worker{.department = "Audit", .id = 1, .name = "Kim"});
    t.commit();
}

TEST_F(scripted_transaction, keeps_its_operations_after_a_failure_so_that_it_can_be_committed_again) {
    auto t = on({{"transaction Staff: replace [Sales] [w_007]", response_failure(service_errc::server_busy)},
                 {"transaction Staff: replace [Sales] [w_007]", etags({"1"})}});
    t.replace(read_worker);
    EXPECT_TRUE(failed_with(t.try_commit(), service_errc::server_busy));
    EXPECT_EQ(t.size(), 1u);
    EXPECT_EQ(read_worker.etag.text(), "E7");
    t.commit();
    EXPECT_EQ(read_worker.etag.text(), "1");
}

TEST_F(scripted_transaction, is_empty_and_faultless_after_clear) {
    auto t = on({{"transaction Staff: insert [Audit] [w_001]", etags({"1"})}});
    t.insert(don());
    t.insert(don());
    t.clear();
    t.insert(worker{.department = "Audit", .id = 1});
    t.commit();
}

TEST_F(scripted_transaction, says_whether_there_is_room) {
    auto t = on({}, {}, {.name = "small", .transaction_operations = 2, .transaction_bytes = 300});
    EXPECT_FALSE(t.has_room());
    EXPECT_TRUE(t.has_room(300));
    t.insert(don(1));
    auto const left = 300 - t.bytes();
    EXPECT_TRUE(t.has_room(left));
    EXPECT_FALSE(t.has_room(left + 1));
    t.insert(don(2));
    EXPECT_FALSE(t.has_room(0));
}

TEST_F(scripted_transaction, counts_what_stands_around_bodies_at_a_remote_store) {
    auto t = on({}, {}, {.name = "remote", .transaction_bytes = 1000, .transaction_overhead = 400});
    t.insert(don(1));
    EXPECT_GT(t.bytes(), 440u);
    EXPECT_TRUE(t.has_room(50));
    EXPECT_FALSE(t.has_room(150));
}

// ---- refused before anything is sent --------------------------------------------------------------------------------

TEST_F(scripted_transaction, without_operations_is_refused) {
    auto t = on({});
    auto const r = t.try_commit();
    ASSERT_TRUE(failed_with(r, service_errc::invalid_input));
    EXPECT_EQ(r.error().failed_index(), std::nullopt);
    EXPECT_STREQ(r.error().what(),
                 "commit in table 'Staff': the request is malformed: the transaction has no operations");
}

TEST_F(scripted_transaction, of_more_operations_than_the_store_takes_is_refused) {
    auto t = on({});
    for (int i = 0; i <= 100; ++i) t.insert(don(i));
    EXPECT_FALSE(t.has_room());
    expect_refused(t, service_errc::invalid_input, 100, "insert");
    EXPECT_THAT(t.try_commit().error().what(), HasSubstr("at most 100 operations"));
    EXPECT_EQ(t.try_commit().error().failed_key(), (entity_key{"Sales", "w_100"}));
}

TEST_F(scripted_transaction, of_more_bytes_than_the_store_takes_is_refused_at_the_first_that_has_no_room) {
    auto t = on({}, {}, {.name = "small", .transaction_bytes = 250});
    for (int i = 0; i < 9; ++i) t.upsert_replace(don(i));
    expect_refused(t, service_errc::request_body_too_large, 4, "upsert_replace");
    EXPECT_EQ(t.try_commit().error().failed_key(), (entity_key{"Sales", "w_004"}));
    EXPECT_THAT(t.try_commit().error().what(), HasSubstr("have 270 bytes so far, and the store takes at most 250"));
}

TEST_F(scripted_transaction, in_two_partitions_is_refused) {
    auto t = on({});
    t.insert(don(1));
    t.upsert_merge(worker{.department = "Audit", .id = 2});
    expect_refused(t, service_errc::commands_in_batch_act_on_different_partitions, 1, "upsert_merge");
    EXPECT_EQ(t.try_commit().error().failed_key(), (entity_key{"Audit", "w_002"}));
    EXPECT_THAT(t.try_commit().error().what(), Not(HasSubstr("Audit")));
}

TEST_F(scripted_transaction, that_writes_an_entity_twice_is_refused) {
    auto t = on({});
    t.insert(don(1));
    t.insert(don(2));
    t.erase_any<worker>({"Sales", 1});
    t.insert(don(2));
    expect_refused(t, service_errc::invalid_duplicate_row, 2, "erase_any");
    EXPECT_EQ(t.try_commit().error().failed_key(), (entity_key{"Sales", "w_001"}));
    EXPECT_THAT(t.try_commit().error().what(), HasSubstr("operation 0 writes the same entity"));
}

TEST_F(scripted_transaction, with_a_value_that_cannot_be_stored_is_refused_with_member_and_key) {
    auto t = on({});
    t.insert(don(1));
    auto bad = don(2);
    bad.name = "\xFF";
    t.upsert_replace(bad);
    expect_refused(t, library_errc::invalid_text, 1, "upsert_replace");
    EXPECT_EQ(t.try_commit().error().member(), "name");
    EXPECT_EQ(t.try_commit().error().failed_key(), (entity_key{"Sales", "w_002"}));
}

TEST_F(scripted_transaction, with_a_key_that_cannot_be_made_is_refused_without_a_key) {
    auto t = on({});
    t.replace_any(don(1000));
    expect_refused(t, library_errc::key_part_does_not_fit, 0, "replace_any");
    EXPECT_EQ(t.try_commit().error().member(), "id");
    EXPECT_EQ(t.try_commit().error().failed_key(), std::nullopt);
}

TEST_F(scripted_transaction, with_an_entity_that_was_not_read_is_refused_with_its_key) {
    auto t = on({});
    entity<worker> made{.value = don(5)};
    t.replace(made);
    expect_refused(t, library_errc::missing_etag, 0, "replace");
    EXPECT_EQ(t.try_commit().error().failed_key(), (entity_key{"Sales", "w_005"}));
    t.clear();
    t.erase(made);
    expect_refused(t, library_errc::missing_etag, 0, "erase");
    t.clear();
    t.merge(made, only<&worker::name>);
    expect_refused(t, library_errc::missing_etag, 0, "merge");
}

TEST_F(scripted_transaction, with_a_merge_that_would_have_to_remove_a_member_is_refused) {
    auto t = on({});
    t.merge(read_worker);
    expect_refused(t, library_errc::merge_cannot_remove, 0, "merge");
    EXPECT_EQ(t.try_commit().error().member(), "email");
}

TEST_F(scripted_transaction, reports_the_first_fault_of_several) {
    auto t = on({});
    t.insert(don(1));
    t.insert(don(1));
    t.insert(don(1000));
    expect_refused(t, service_errc::invalid_duplicate_row, 1, "insert");
}

// ---- failures -------------------------------------------------------------------------------------------------------

TEST_F(scripted_transaction, reports_the_operation_that_failed_with_its_key_which_its_text_does_not_hold) {
    auto t = on({{"transaction", fault_at(1, service_errc::entity_already_exists)}});
    t.upsert_replace(don(1));
    t.insert(don(57));
    auto const r = t.try_commit();
    ASSERT_TRUE(failed_with(r, service_errc::entity_already_exists));
    EXPECT_EQ(r.error().failed_index(), 1u);
    EXPECT_EQ(r.error().failed_action(), "insert");
    EXPECT_EQ(r.error().failed_key(), (entity_key{"Sales", "w_057"}));
    EXPECT_STREQ(r.error().what(), "commit in table 'Staff', operation 1 (insert): the entity exists already");
    EXPECT_EQ(r.error().server_text(), "secret words");
}

TEST_F(scripted_transaction, blames_no_operation_where_the_store_does_not) {
    auto t = on({{"transaction", response_failure(service_errc::table_not_found)},
                 {"transaction", fault_at(99, service_errc::invalid_input)}});
    t.insert(don(1));
    for (auto const code : {service_errc::table_not_found, service_errc::invalid_input}) {
        auto const r = t.try_commit();
        ASSERT_TRUE(failed_with(r, code));
        EXPECT_EQ(r.error().failed_index(), std::nullopt);
        EXPECT_EQ(r.error().failed_key(), std::nullopt);
        EXPECT_EQ(r.error().failed_action(), "");
    }
}

TEST_F(scripted_transaction, that_was_applied_without_etags_may_be_in_the_way_of_its_second_commit) {
    auto t = on({{"transaction", response_failure(library_errc::malformed_response, outcome::applied)},
                 {"transaction", fault_at(0, service_errc::entity_already_exists)}});
    t.insert(don(1));
    EXPECT_EQ(t.try_commit().error().outcome(), outcome::applied);
    EXPECT_EQ(t.try_commit().error().outcome(), outcome::in_doubt);
}

TEST_F(scripted_transaction, whose_answer_was_lost_is_in_doubt_and_stays_so_when_a_second_commit_fails) {
    auto t = on({{"transaction", response_failure(library_errc::response_lost, outcome::in_doubt)},
                 {"transaction", fault_at(0, service_errc::entity_already_exists)},
                 {"transaction", etags({"1"})}});
    t.insert(don(1));
    auto const lost = t.try_commit();
    ASSERT_FALSE(lost);
    EXPECT_EQ(lost.error().outcome(), outcome::in_doubt);
    EXPECT_THAT(lost.error().what(), HasSubstr("commit in table 'Staff': the response was lost"));
    auto const again = t.try_commit();
    ASSERT_FALSE(again);
    EXPECT_EQ(again.error().outcome(), outcome::in_doubt);
    EXPECT_TRUE(t.try_commit());
}

TEST_F(scripted_transaction, gives_an_empty_etag_for_each_operation_if_only_tokens_tell_that_it_was_applied) {
    auto t = on({{"transaction", etags({})}});
    t.replace(read_worker);
    t.insert(don(1));
    EXPECT_THAT(t.commit(), ElementsAre(etag{}, etag{}));
    EXPECT_TRUE(read_worker.etag.empty());
}

TEST_F(scripted_transaction, that_was_cancelled_is_not_sent) {
    auto t = on({});
    t.insert(don(1));
    std::stop_source stop;
    stop.request_stop();
    auto const r = t.try_commit({.stop = stop.get_token()});
    EXPECT_TRUE(failed_with(r, library_errc::cancelled));
    EXPECT_EQ(t.size(), 1u);
}

}  // namespace
}  // namespace test
}  // namespace tablemap

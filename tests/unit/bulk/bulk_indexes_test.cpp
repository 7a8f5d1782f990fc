// SPDX-License-Identifier: Apache-2.0
#include "support/indexed_samples.hpp"
#include "support/noting_store.hpp"
#include "support/operations.hpp"

#include "tablemap/embedded/store.hpp"
#include "tablemap/table/bulk_writer.hpp"

#include <algorithm>

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace tablemap {
namespace {

struct badge {
    std::string site{};
    std::int32_t id{};
    std::string code{};
    std::optional<std::string> note{};
};

}  // namespace

template <> struct mapping<badge> {
    static constexpr auto partition_key = key(part<&badge::site>);
    static constexpr auto row_key = key("b_", part<&badge::id>);
    static constexpr auto indexes =
        tablemap::indexes(unique_index<"by_code">(key("code_", part<&badge::code>)).include<>());
};

namespace test {
namespace {

using tablemap::testing::answer_ok;
using tablemap::testing::answer_row;
using tablemap::testing::exchange;
using tablemap::testing::response_failure;
using tablemap::testing::scripted_store;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr auto conflict = service_errc::update_condition_not_satisfied;
constexpr auto absent = service_errc::resource_not_found;
constexpr auto exists = service_errc::entity_already_exists;

response failed_at(std::size_t index, std::error_code code) {
    return response::failed(error{code, {.failed_index = index}});
}
response lost_answer() { return response_failure(library_errc::response_lost, outcome::in_doubt); }

std::string entity_text(std::string const& id, std::string const& code) {
    return R"({"PartitionKey":"p","RowKey":"b_)" + id + R"(","code":")" + code + "\"}";
}
std::string index_row(std::string const& id, std::string const& code) {
    return "[p] [code_" + code + R"(] {"PartitionKey":"p","RowKey":"code_)" + code + R"(","id":)" + id +
           R"(,"code":")" + code + "\"}";
}
response stored(std::string const& id, std::string const& code, std::string version) {
    return answer_row(entity_text(id, code), std::move(version));
}
exchange find(std::string const& id, response answer) {
    return {"find T1t [p] [b_" + id + "] current", std::move(answer)};
}

/// A look at the row of a code, which is this badge's. Looks at several are under way at once.
exchange look(std::string const& code, std::string const& id, std::string version) {
    return {"find T1t [p] [code_" + code + "] current",
            answer_row(R"({"PartitionKey":"p","RowKey":"code_)" + code + R"(","id":)" + id + "}", std::move(version))};
}

class bulk_indexes : public ::testing::Test {
protected:
    void script(std::vector<exchange> script, std::size_t operations = 4) {
        capabilities can{.name = "scripted", .transaction_operations = operations};
        store = std::make_shared<scripted_store>(std::move(script), can);
    }
    table<badge> badges() const { return {store, "T1t"}; }
    bulk_writer<badge> writer() {
        call.clock = &clock;
        return bulk_writer<badge>{badges(), options, call};
    }
    void TearDown() override { EXPECT_THAT(store->complaints(), IsEmpty()); }

    std::shared_ptr<scripted_store> store;
    tablemap::testing::fixed_clock clock;
    bulk_options options;
    call_options call{.retry = retry_policy::none()};
};

TEST_F(bulk_indexes, fills_groups_with_what_is_inserted_and_its_rows) {
    script({{"transaction T1t: insert [p] [b_1] " + entity_text("1", "a") + "; insert [p] [b_2] " +
                 entity_text("2", "b") + "; insert " + index_row("1", "a") + "; insert " + index_row("2", "b"),
             answer_ok()},
            {"transaction T1t: insert [p] [b_3] " + entity_text("3", "c") + "; insert " + index_row("3", "c"),
             answer_ok()}});
    auto w = writer();
    w.insert({"p", 1, "a"});
    w.insert({"p", 2, "b"});
    EXPECT_EQ(store->asked(), 1u);
    w.insert({"p", 3, "c"});
    auto const report = w.finish();
    EXPECT_TRUE(report.complete());
    EXPECT_EQ(report.totals.rows, 3u);
}

TEST_F(bulk_indexes, reads_the_entities_of_a_group_and_writes_under_what_it_read) {
    script({find("1", response_failure(absent)),
            find("2", stored("2", "b", "B")),
            find("3", stored("3", "c", "C")),
            look("b", "2", "I2"),
            look("c", "3", "I3"),
            {"transaction T1t: insert [p] [b_1] " + entity_text("1", "a") + "; replace [p] [b_2] if \"B\" " +
                 entity_text("2", "x") + "; erase [p] [b_3] if \"C\"; insert " + index_row("1", "a") + "; insert " +
                 index_row("2", "x") + R"(; erase [p] [code_b] if "I2"; erase [p] [code_c] if "I3")",
             answer_ok()}},
           10);
    auto w = writer();
    w.upsert_replace({"p", 1, "a"});
    w.replace_any({"p", 2, "x"});
    w.erase_any({"p", 3});
    auto const report = w.finish();
    EXPECT_TRUE(report.complete());
    EXPECT_EQ(report.totals.requests, 6u);
}

TEST_F(bulk_indexes, reads_nothing_for_a_merge_of_members_that_no_index_has) {
    script({{R"(merge T1t [p] [b_1] if "*" {"PartitionKey":"p","RowKey":"b_1","note":"n"})", answer_ok()}});
    auto w = writer();
    w.merge_any({"p", 1, "", "n"}, only<&badge::note>);
    EXPECT_TRUE(w.finish().complete());
}

std::string merge_of_note(std::string const& id) {
    return "merge [p] [b_" + id + R"(] if "*" {"PartitionKey":"p","RowKey":"b_)" + id + R"(","note":"n"})";
}
std::string insert_of(std::string const& id, std::string const& code) {
    return "insert [p] [b_" + id + "] " + entity_text(id, code);
}

TEST_F(bulk_indexes, writes_rows_of_indexes_wherever_in_a_group_a_merge_stands_that_touches_none) {
    script({{"transaction T1t: " + merge_of_note("9") + "; " + insert_of("1", "a") + "; insert " + index_row("1", "a"),
             answer_ok()},
            {"transaction T1t: " + insert_of("2", "b") + "; " + merge_of_note("9") + "; insert " + index_row("2", "b"),
             answer_ok()}},
           3);
    auto w = writer();
    badge const other{"p", 9, "", "n"};
    w.merge_any(other, only<&badge::note>);
    w.insert({"p", 1, "a"});
    w.insert({"p", 2, "b"});
    w.merge_any(other, only<&badge::note>);
    EXPECT_TRUE(w.finish().complete());
}

TEST_F(bulk_indexes, writes_rows_of_indexes_after_the_first_of_a_group_was_refused) {
    script({find("1", stored("1", "a", "A")),
            {"transaction T1t: " + merge_of_note("9") + "; " + insert_of("2", "b") + "; insert " + index_row("2", "b"),
             answer_ok()}},
           10);
    auto w = writer();
    w.replace(entity<badge>{.value = {"p", 1, "x"}, .etag = etag{"old"}});
    w.merge_any({"p", 9, "", "n"}, only<&badge::note>);
    w.insert({"p", 2, "b"});
    EXPECT_EQ(w.finish().totals.stored, 2u);
}

TEST_F(bulk_indexes, writes_merges_that_touch_no_index_alone_where_all_others_were_refused) {
    script({find("1", stored("1", "a", "A")), {"merge T1t " + merge_of_note("9").substr(6), answer_ok()}}, 10);
    auto w = writer();
    w.replace(entity<badge>{.value = {"p", 1, "x"}, .etag = etag{"old"}});
    w.merge_any({"p", 9, "", "n"}, only<&badge::note>);
    EXPECT_EQ(w.finish().totals.stored, 1u);
}

TEST_F(bulk_indexes, sends_what_did_not_fit_in_a_group_of_its_own) {
    script({find("1", stored("1", "a", "A")),
            find("2", stored("2", "b", "B")),
            look("a", "1", "I1"),
            look("b", "2", "I2"),
            {R"(transaction T1t: replace [p] [b_1] if "A")", answer_ok()},
            {R"(transaction T1t: replace [p] [b_2] if "B")", answer_ok()}});
    auto w = writer();
    w.upsert_replace({"p", 1, "x"});
    w.upsert_replace({"p", 2, "y"});
    EXPECT_TRUE(w.finish().complete());
}

TEST_F(bulk_indexes, reads_again_what_did_not_fit_and_was_changed_meanwhile) {
    script({find("1", stored("1", "a", "A")),
            find("2", stored("2", "b", "B")),
            look("a", "1", "I1"),
            look("b", "2", "I2"),
            {R"(transaction T1t: replace [p] [b_1] if "A")", answer_ok()},
            {R"(transaction T1t: replace [p] [b_2] if "B")", failed_at(0, conflict)},
            find("2", stored("2", "y", "Y")),
            {R"(replace T1t [p] [b_2] if "Y")", answer_ok()}});
    auto w = writer();
    w.upsert_replace({"p", 1, "x"});
    w.upsert_replace({"p", 2, "y"});
    EXPECT_TRUE(w.finish().complete());
}

TEST_F(bulk_indexes, stores_the_others_when_a_unique_value_is_taken) {
    script({{"transaction", failed_at(3, exists)}, {"transaction T1t: insert [p] [b_1]", answer_ok()}});
    auto w = writer();
    w.insert({"p", 1, "a"});
    auto const taken = w.insert({"p", 2, "b"});
    auto const report = w.finish();
    EXPECT_EQ(report.totals.stored, 1u);
    ASSERT_EQ(report.problems.size(), 1u);
    EXPECT_EQ(report.problems[0].position, taken);
    EXPECT_EQ(report.problems[0].error.code(), library_errc::unique_value_taken);
    EXPECT_EQ(report.problems[0].error.member(), "by_code");
}

TEST_F(bulk_indexes, does_not_read_the_others_again_when_a_unique_value_is_taken) {
    script({find("1", stored("1", "a", "A")),
            find("2", stored("2", "b", "B")),
            look("a", "1", "I1"),
            {"transaction", failed_at(2, exists)},
            {R"(replace T1t [p] [b_2] if "B")", answer_ok()}},
           10);
    auto w = writer();
    auto const taken = w.upsert_replace({"p", 1, "x"});
    w.upsert_replace({"p", 2, "b"});
    auto const report = w.finish();
    EXPECT_EQ(report.totals.stored, 1u);
    EXPECT_EQ(report.ledger.state(taken), row_state::failed);
}

TEST_F(bulk_indexes, keeps_the_order_of_rows_that_have_one_value_after_the_other) {
    script({find("1", stored("1", "a", "A")),
            look("a", "1", "I1"),
            {"transaction T1t: erase [p] [b_1] if \"A\"; erase [p] [code_a] if \"I1\"", answer_ok()},
            {"transaction T1t: insert [p] [b_2] " + entity_text("2", "a") + "; insert " + index_row("2", "a"),
             answer_ok()}},
           10);
    auto w = writer();
    w.erase_any({"p", 1});
    w.insert({"p", 2, "a"});
    EXPECT_TRUE(w.finish().complete());
}

TEST_F(bulk_indexes, reads_again_what_others_changed_meanwhile) {
    script({find("1", stored("1", "a", "A")),
            look("a", "1", "I1"),
            {R"(transaction T1t: erase [p] [b_1] if "A")", failed_at(0, conflict)},
            find("1", stored("1", "b", "B")),
            look("b", "1", "I2"),
            {R"(transaction T1t: erase [p] [b_1] if "B"; erase [p] [code_b] if "I2")", answer_ok()}});
    auto w = writer();
    w.erase_any({"p", 1});
    auto const report = w.finish();
    EXPECT_TRUE(report.complete());
    EXPECT_EQ(report.totals.absent, 0u);
}

void upsert_three(bulk_writer<badge>& w) {
    w.upsert_replace({"p", 1, "a"});
    w.upsert_replace({"p", 2, "b"});
    w.upsert_replace({"p", 3, "c"});
}

TEST_F(bulk_indexes, sends_a_row_that_others_keep_changing_alone_and_reads_no_other_again) {
    script({find("1", stored("1", "a", "A")),
            find("2", stored("2", "b", "B")),
            find("3", stored("3", "c", "C")),
            {"transaction", failed_at(1, conflict)},
            {R"(replace T1t [p] [b_1] if "A")", answer_ok()},
            find("2", stored("2", "b", "B2")),
            {R"(replace T1t [p] [b_2] if "B2")", response_failure(conflict)},
            find("2", stored("2", "b", "B3")),
            {R"(replace T1t [p] [b_2] if "B3")", answer_ok()},
            {R"(replace T1t [p] [b_3] if "C")", answer_ok()}},
           10);
    auto w = writer();
    upsert_three(w);
    EXPECT_TRUE(w.finish().complete());
}

TEST_F(bulk_indexes, reads_all_again_when_what_was_read_for_an_earlier_group_is_outdated) {
    script({find("1", stored("1", "a", "A")),
            find("2", stored("2", "b", "B")),
            find("3", stored("3", "c", "C")),
            {"transaction", failed_at(0, conflict)},
            find("1", stored("1", "a", "A2")),
            {R"(replace T1t [p] [b_1] if "A2")", answer_ok()},
            {R"(transaction T1t: replace [p] [b_2] if "B")", failed_at(0, conflict)},
            find("2", stored("2", "b", "B2")),
            {R"(replace T1t [p] [b_2] if "B2")", answer_ok()},
            find("3", stored("3", "c", "C2")),
            {R"(replace T1t [p] [b_3] if "C2")", answer_ok()}},
           10);
    auto w = writer();
    upsert_three(w);
    EXPECT_TRUE(w.finish().complete());
}

TEST_F(bulk_indexes, gives_up_a_row_that_others_change_at_every_try) {
    std::vector<exchange> steps;
    for (int i = 0; i < modify_options{}.attempts; ++i) {
        steps.push_back(find("1", stored("1", "a", "A")));
        steps.push_back(look("a", "1", "I1"));
        steps.push_back({"transaction", failed_at(0, conflict)});
    }
    script(steps);
    auto w = writer();
    w.erase_any({"p", 1});
    auto const report = w.finish();
    ASSERT_EQ(report.problems.size(), 1u);
    EXPECT_EQ(report.problems[0].error.code(), library_errc::too_many_conflicts);
    EXPECT_THAT(report.problems[0].error.what(), HasSubstr("call it again when fewer others"));
}

TEST_F(bulk_indexes, refuses_a_row_whose_version_is_another_and_writes_the_rest) {
    script({find("1", stored("1", "a", "A")),
            find("2", stored("2", "b", "B")),
            find("3", response_failure(absent)),
            look("b", "2", "I2"),
            {R"(transaction T1t: erase [p] [b_2] if "B"; erase [p] [code_b] if "I2")", answer_ok()}},
           10);
    auto w = writer();
    auto const changed = w.erase(entity<badge>{.value = {"p", 1, "a"}, .etag = etag{"old"}});
    w.erase_any({"p", 2});
    w.erase_any({"p", 3});
    auto const report = w.finish();
    EXPECT_EQ(report.totals.stored, 2u);
    EXPECT_EQ(report.totals.absent, 1u);
    ASSERT_EQ(report.problems.size(), 1u);
    EXPECT_EQ(report.problems[0].position, changed);
    EXPECT_EQ(report.problems[0].error.code(), conflict);
}

TEST_F(bulk_indexes, repairs_a_row_that_the_index_lacks) {
    script({find("1", stored("1", "a", "A")),
            {"find T1t [p] [code_a] current", response_failure(absent)},
            {R"(erase T1t [p] [b_1] if "A")", answer_ok()}});
    auto w = writer();
    w.erase_any({"p", 1});
    EXPECT_TRUE(w.finish().complete());
}

TEST_F(bulk_indexes, leaves_the_row_of_another_entity_alone) {
    script({find("1", stored("1", "a", "A")), look("a", "2", "I1"), {R"(erase T1t [p] [b_1] if "A")", answer_ok()}});
    auto w = writer();
    w.erase_any({"p", 1});
    EXPECT_TRUE(w.finish().complete());
}

TEST_F(bulk_indexes, reads_a_row_of_an_index_again_that_was_changed_meanwhile_and_nothing_else) {
    script({find("1", stored("1", "a", "A")),
            find("2", stored("2", "b", "B")),
            look("a", "1", "I1"),
            look("b", "2", "I2"),
            {"transaction", failed_at(3, conflict)},
            {R"(transaction T1t: erase [p] [b_1] if "A"; erase [p] [code_a] if "I1")", answer_ok()},
            look("b", "2", "I3"),
            {R"(transaction T1t: erase [p] [b_2] if "B"; erase [p] [code_b] if "I3")", answer_ok()}},
           10);
    auto w = writer();
    w.erase_any({"p", 1});
    w.erase_any({"p", 2});
    EXPECT_TRUE(w.finish().complete());
}

TEST_F(bulk_indexes, ends_a_row_that_cannot_be_planned_though_what_the_others_need_cannot_be_read) {
    script({find("1", stored("1", "a", "A")),
            find("2", stored("2", "b", "B")),
            {"find T1t [p] [code_b] current", response_failure(service_errc::table_not_found)}},
           10);
    auto w = writer();
    auto const changed = w.erase(entity<badge>{.value = {"p", 1, "a"}, .etag = etag{"old"}});
    auto const unsent = w.erase_any({"p", 2});
    auto const report = w.finish();
    EXPECT_EQ(report.ledger.state(changed), row_state::failed);
    EXPECT_EQ(report.ledger.state(unsent), row_state::not_sent);
}

TEST_F(bulk_indexes, repairs_a_row_that_went_after_it_was_read) {
    script({find("1", stored("1", "a", "A")),
            look("a", "1", "I1"),
            {"transaction", failed_at(1, absent)},
            {R"(erase T1t [p] [b_1] if "A")", answer_ok()}});
    auto w = writer();
    w.erase_any({"p", 1});
    EXPECT_TRUE(w.finish().complete());
}

TEST_F(bulk_indexes, sends_what_may_be_repeated_once_more_after_its_answer_was_lost) {
    script({find("1", stored("1", "a", "A")),
            look("a", "1", "I1"),
            {R"(transaction T1t: replace [p] [b_1] if "A")", lost_answer()},
            find("1", stored("1", "x", "B")),
            {R"(replace T1t [p] [b_1] if "B")", answer_ok()}});
    auto w = writer();
    w.upsert_replace({"p", 1, "x"});
    EXPECT_TRUE(w.finish().complete());
}

TEST_F(bulk_indexes, leaves_an_insert_in_doubt_whose_answer_was_lost) {
    script({{"transaction", lost_answer()}});
    auto w = writer();
    w.insert({"p", 1, "x"});
    EXPECT_EQ(w.finish().totals.in_doubt, 1u);
}

TEST_F(bulk_indexes, takes_for_stored_what_was_applied_although_an_etag_did_not_come) {
    script({{"transaction", response_failure(library_errc::malformed_response, outcome::applied)}});
    auto w = writer();
    w.insert({"p", 1, "a"});
    w.insert({"p", 2, "b"});
    EXPECT_TRUE(w.finish().complete());
}

TEST_F(bulk_indexes, says_of_a_row_in_doubt_that_its_unique_value_is_taken) {
    script({{"transaction", failed_at(1, exists)}});
    options.resume = value_or_throw(bulk_ledger::parse("1d1.1"));
    auto w = writer();
    w.insert({"p", 1, "a"});
    auto const report = w.finish();
    EXPECT_EQ(report.ledger.text(), "1d1.1") << "the first try may still be under way";
    ASSERT_EQ(report.problems.size(), 1u);
    auto const& why = report.problems[0].error;
    EXPECT_EQ(why.code(), library_errc::unique_value_taken);
    EXPECT_EQ(why.member(), "by_code");
    EXPECT_EQ(why.outcome(), outcome::in_doubt);
}

TEST_F(bulk_indexes, says_of_a_row_in_doubt_that_meets_its_entity_no_more_than_that) {
    script({{"transaction", failed_at(0, exists)}});
    options.resume = value_or_throw(bulk_ledger::parse("1d1.1"));
    auto w = writer();
    w.insert({"p", 1, "a"});
    auto const report = w.finish();
    ASSERT_EQ(report.problems.size(), 1u);
    EXPECT_EQ(report.problems[0].error.code(), library_errc::response_lost);
}

TEST_F(bulk_indexes, ends_with_the_first_fault_that_every_read_would_meet) {
    script({find("1", response_failure(service_errc::table_not_found)), find("2", response_failure(absent))}, 10);
    auto w = writer();
    w.erase_any({"p", 1});
    w.erase_any({"p", 2});
    auto const report = w.finish();
    ASSERT_TRUE(report.ended_by);
    EXPECT_EQ(report.ended_by->code(), service_errc::table_not_found);
    EXPECT_EQ(report.ledger.count(row_state::not_sent), 2u);
}

// ---- erase_where ----------------------------------------------------------------------------------------------------

std::string with_version(std::string const& entity, std::string const& version) {
    return R"({"odata.etag":")" + version + "\"," + entity.substr(1);
}
response page(std::string const& rows) { return tablemap::testing::answer_page(R"({"value":[)" + rows + "]}"); }

TEST_F(bulk_indexes, erase_where_reads_pages_and_erases_rows_of_indexes_in_the_same_group) {
    script(
        {{"query T1t", page(with_version(entity_text("1", "a"), "A") + "," + with_version(entity_text("2", "b"), "B"))},
         look("a", "1", "I1"),
         look("b", "2", "I2"),
         {R"(transaction T1t: erase [p] [b_1] if "A"; erase [p] [b_2] if "B"; )"
          R"(erase [p] [code_a] if "I1"; erase [p] [code_b] if "I2")",
          answer_ok()}});
    auto const t = badges();
    auto const report = t.erase_where(t.query(partition("p")), options, call);
    EXPECT_TRUE(report.complete());
    EXPECT_EQ(report.erased(), 2u);
}

TEST_F(bulk_indexes, erase_where_knows_the_rows_of_what_was_changed_meanwhile) {
    script({{"query T1t", page(with_version(entity_text("1", "a"), "A"))},
            look("a", "1", "I1"),
            {R"(transaction T1t: erase [p] [b_1] if "A")", failed_at(0, conflict)},
            find("1", stored("1", "x", "X")),
            look("x", "1", "I2"),
            {R"(transaction T1t: erase [p] [b_1] if "X"; erase [p] [code_x] if "I2")", answer_ok()}});
    call.clock = &clock;
    auto const t = badges();
    EXPECT_EQ(t.erase_where(t.query(partition("p")), options, call).erased(), 1u);
}

TEST_F(bulk_indexes, erase_where_refuses_a_row_that_is_not_of_its_type_and_erases_the_rest) {
    script({{"query T1t", page(R"({"odata.etag":"A","PartitionKey":"p","RowKey":"b_1","code":7},)" +
                               with_version(entity_text("2", "b"), "B"))},
            look("b", "2", "I2"),
            {R"(transaction T1t: erase [p] [b_2] if "B"; erase [p] [code_b] if "I2")", answer_ok()}});
    auto const t = badges();
    auto const report = t.erase_where(t.query(partition("p")), options, call);
    EXPECT_EQ(report.erased(), 1u);
    EXPECT_EQ(report.problems.size(), 1u);
}

// ---- on a file ------------------------------------------------------------------------------------------------------

/// Entities of three indexes, whose keys all change: that takes seven operations for each.
class bulk_of_moved_rows : public ::testing::Test {
protected:
    std::vector<worker> moved(std::int32_t count) {
        std::vector<worker> rows;
        for (std::int32_t i = 0; i < count; ++i)
            rows.push_back({"T", i, "n" + std::to_string(i), std::to_string(i) + "@x", i % 90, 1, true});
        workers.create();
        workers.insert_many(rows).require_complete();
        noted->take();
        for (auto& r : rows) r.email = "n" + r.email, r.name = "m" + r.name, r.age = (r.age + 1) % 90;
        return rows;
    }

    std::shared_ptr<noting_store> noted =
        std::make_shared<noting_store>(value_or_throw(open_embedded({.path = ":memory:"})));
    table<worker> workers{noted, "Workers"};
};

TEST_F(bulk_of_moved_rows, reads_each_entity_and_its_unique_row_once_and_makes_whole_groups) {
    workers.upsert_many(moved(200)).require_complete();
    auto const sent = noted->take();
    EXPECT_EQ(std::count_if(sent.begin(), sent.end(), [](auto& l) { return l.starts_with("find"); }), 400);
    EXPECT_EQ(sent.size(), 400u + 15u) << "14 entities make a group";
    EXPECT_TRUE(workers.verify_indexes().in_step());
}

TEST_F(bulk_of_moved_rows, frees_the_buffer_of_what_became_known_of_them) {
    auto const rows = moved(20);
    bulk_writer<worker> w{workers, {.buffered_bytes = 1'000'000}};
    for (auto const& r : rows) w.upsert_replace(r);
    w.flush();
    noted->take();
    w.insert({"T", 1000, "n", "x@x", 1, 1, true});
    EXPECT_THAT(noted->take(), IsEmpty()) << "a row waits for others unless the buffer is full";
    EXPECT_TRUE(w.finish().complete());
}

}  // namespace
}  // namespace test
}  // namespace tablemap

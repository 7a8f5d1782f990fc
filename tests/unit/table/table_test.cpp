// SPDX-License-Identifier: Apache-2.0
#include "tablemap/table/table.hpp"

#include "support/answers.hpp"
#include "support/operations.hpp"

namespace tablemap {
namespace {

struct counter {
    std::string name{};
    std::int32_t value{};
    std::optional<std::string> note{};

    void count() { ++value; }
};

}  // namespace

template <> struct mapping<counter> {
    static constexpr auto partition_key = key("counters");
    static constexpr auto row_key = key("c_", part<&counter::name>);
};

namespace test {
namespace {

using namespace std::chrono_literals;
using tablemap::testing::answer_ok;
using tablemap::testing::answer_page;
using tablemap::testing::answer_row;
using tablemap::testing::exchange;
using tablemap::testing::response_failure;
using tablemap::testing::scripted_store;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

class scripted_table : public ::testing::Test {
protected:
    tablemap::table<counter> with(std::vector<exchange> script, table_options options = {}) {
        store_ = std::make_shared<scripted_store>(std::move(script));
        return {store_, "Counters", options};
    }
    void TearDown() override { EXPECT_THAT(store_ ? store_->complaints() : std::vector<std::string>{}, IsEmpty()); }

    static constexpr char const* row = R"({"odata.etag":"E1","PartitionKey":"counters","RowKey":"c_hits","value":3})";

    tablemap::testing::fixed_clock clock{1};
    call_options timed{.clock = &clock};

private:
    std::shared_ptr<scripted_store> store_;
};

TEST_F(scripted_table, sends_no_entity_under_an_etag_that_does_not_name_one_version) {
    auto const t = with({});
    for (auto const* text : {"*", " *", R"(W/"1", *)", R"(W/"1",W/"2")"}) {
        entity<counter> e{.value = {"hits", 3}, .etag = etag{text}};
        EXPECT_TRUE(failed_with(t.try_replace(e), library_errc::missing_etag)) << text;
        EXPECT_TRUE(failed_with(t.try_merge(e), library_errc::missing_etag)) << text;
        EXPECT_TRUE(failed_with(t.try_erase(e), library_errc::missing_etag)) << text;
        auto group = t.transaction();
        group.replace(e);
        EXPECT_TRUE(failed_with(group.try_commit(), library_errc::missing_etag)) << text;
        EXPECT_THAT(t.try_replace(e).error().what(), HasSubstr("replace_any"));
    }
}

TEST_F(scripted_table, sends_an_etag_of_one_version_whatever_stands_in_its_quotes) {
    auto const t = with({{R"(replace Counters [counters] [c_hits] if "W/"a*b,c"")", answer_ok("E2")}});
    entity<counter> e{.value = {"hits", 3}, .etag = etag{R"(W/"a*b,c")"}};
    EXPECT_TRUE(t.try_replace(e));
}

TEST_F(scripted_table, sends_keys_and_properties_in_one_object) {
    auto t = with({{R"(insert Counters [counters] [c_hits] {"PartitionKey":"counters","RowKey":"c_hits","value":3})",
                    answer_ok("E1")}});
    EXPECT_EQ(t.insert({.name = "hits", .value = 3}).etag.text(), "E1");
}

TEST_F(scripted_table, sends_the_etag_that_was_read_with_conditional_writes) {
    auto t =
        with({{"find Counters [counters] [c_hits]", answer_row(row, "E1")},
              {R"(replace Counters [counters] [c_hits] if "E1")", answer_ok("E2")},
              {R"(merge Counters [counters] [c_hits] if "E2" {"PartitionKey":"counters","RowKey":"c_hits","value":4})",
               answer_ok("E3")},
              {R"(erase Counters [counters] [c_hits] if "E3")", answer_ok()}});
    auto e = *t.find("hits");
    t.replace(e);
    e.value.value = 4;
    t.merge(e, only<&counter::value>);
    t.erase(e);
}

TEST_F(scripted_table, sends_any_etag_only_where_the_name_says_so) {
    auto t = with({{R"(replace Counters [counters] [c_hits] if "*")", answer_ok("E1")},
                   {R"(merge Counters [counters] [c_hits] if "*")", answer_ok("E1")},
                   {R"(erase Counters [counters] [c_hits] if "*")", answer_ok()},
                   {R"(upsert_replace Counters [counters] [c_hits] {)", answer_ok("E1")},
                   {R"(upsert_merge Counters [counters] [c_hits] {)", answer_ok("E1")}});
    t.replace_any({.name = "hits"});
    t.merge_any({.name = "hits"}, only<&counter::value>);
    t.erase_any({"hits"});
    t.upsert_replace({.name = "hits"});
    t.upsert_merge({.name = "hits"});
}

TEST_F(scripted_table, a_lost_answer_is_in_doubt_and_never_taken_for_done) {
    auto const lost = response_failure(library_errc::response_lost, outcome::in_doubt);
    auto t = with({{"insert", lost}, {"erase", lost}});
    auto const r = t.try_insert({.name = "hits"});
    ASSERT_FALSE(r);
    EXPECT_EQ(r.error().outcome(), outcome::in_doubt);
    EXPECT_THAT(r.error().what(), HasSubstr("insert in table 'Counters'"));
    EXPECT_THAT(r.error().what(), HasSubstr("in doubt"));
    EXPECT_FALSE(r.error().retryable());
    EXPECT_EQ(t.try_erase_any({"hits"}).error().outcome(), outcome::in_doubt);
}

TEST_F(scripted_table, with_tokens_an_insert_whose_answer_was_lost_recognises_its_own_row) {
    tablemap::testing::fixed_clock same{1};
    auto const token = random_guid(same).text();
    auto t = with({{"insert", response_failure(library_errc::response_lost, outcome::in_doubt)},
                   {"find", answer_row(R"({"PartitionKey":"counters","RowKey":"c_hits",)"
                                       R"("TablemapOperation@odata.type":"Edm.Guid","TablemapOperation":")" +
                                           token + "\"}",
                                       "E7")}},
                  {.operation_ids = true});
    timed.retry = exact_retry(3);
    EXPECT_TRUE(t.insert({.name = "hits"}, timed).etag.empty());
}

TEST_F(scripted_table, errors_hold_no_keys_values_or_text_of_the_store) {
    auto failed =
        response::failed(error{service_errc::entity_already_exists, {.server_text = "secret words of the store"}});
    auto t = with({{"insert", failed}});
    auto const r = t.try_insert({.name = "secret-name", .note = "secret-note"});
    ASSERT_FALSE(r);
    EXPECT_THAT(r.error().what(), Not(HasSubstr("secret")));
    EXPECT_EQ(r.error().server_text(), "secret words of the store");
}

TEST_F(scripted_table, refuses_what_cannot_be_stored_before_anything_is_sent) {
    auto t = with({});
    EXPECT_EQ(t.try_insert({.name = "a/b"}).error().member(), "name");
    EXPECT_EQ(t.try_insert({.name = "ok", .note = "\xFF"}).error().member(), "note");
    EXPECT_EQ(t.try_find({std::string(600, 'x')}).error().code(), library_errc::key_too_large);
}

TEST_F(scripted_table, a_table_needs_a_legal_name) {
    auto const store = std::make_shared<scripted_store>(std::vector<exchange>{});
    EXPECT_THROW((tablemap::table<counter>{store, "no spaces"}), error);
}

TEST_F(scripted_table, an_answer_that_is_no_entity_is_an_error_with_the_table) {
    auto t = with({{"find", answer_row("<html>", "E1")}, {"query", answer_page("[]")}});
    auto const r = t.try_find({"hits"});
    ASSERT_FALSE(r);
    EXPECT_EQ(r.error().code(), library_errc::malformed_response);
    EXPECT_EQ(r.error().table(), "Counters");
    EXPECT_EQ(t.query(partition()).try_next().error().code(), library_errc::malformed_response);
}

TEST_F(scripted_table, a_query_asks_for_one_partition_and_the_rows_of_its_type) {
    auto t = with(
        {{"query Counters [counters, counters] [c_, c`)",
          answer_page(R"({"value":[{"PartitionKey":"counters","RowKey":"c_a","value":1}]})", continuation{"p", "r"})},
         {"query Counters [counters, counters] [c_, c`) from [p] [r]", answer_page(R"({"value":[]})")}});
    std::vector<std::string> names;
    for (auto const& e : t.query(partition())) names.push_back(e.value.name);
    EXPECT_THAT(names, ::testing::ElementsAre("a"));
}

TEST_F(scripted_table, a_page_that_cannot_be_read_gives_no_rows_and_is_asked_for_again) {
    auto const good = std::string{R"({"value":[{"PartitionKey":"counters","RowKey":"c_a","value":1},)"};
    auto const cut = good + R"({"PartitionKey":"counters","Row)";
    auto const whole = good + R"({"PartitionKey":"counters","RowKey":"c_b","value":2}]})";
    auto t = with({{"query", answer_page(whole, continuation{"p", "r"})},
                   {"query Counters [counters, counters] [c_, c`) from [p] [r]", answer_page(cut)},
                   {"query Counters [counters, counters] [c_, c`) from [p] [r]", answer_page(cut)},
                   {"query Counters [counters, counters] [c_, c`) from [p] [r]", answer_page(whole)}});
    auto range = t.query(partition());
    EXPECT_EQ((*range.try_next())->value.value, 1);
    EXPECT_EQ((*range.try_next())->value.value, 2);
    EXPECT_TRUE(failed_with(range.try_next(), library_errc::malformed_response));
    EXPECT_TRUE(failed_with(range.try_next(), library_errc::malformed_response));
    EXPECT_EQ((*range.try_next())->value.value, 1);
    EXPECT_EQ((*range.try_next())->value.value, 2);
    EXPECT_EQ(*range.try_next(), std::nullopt);
}

TEST_F(scripted_table, a_row_that_cannot_be_read_is_an_error_in_its_place_and_its_successor_comes_next) {
    auto t = with({{"query", answer_page(R"({"value":[{"PartitionKey":"counters","RowKey":"c_a","value":1},)"
                                         R"({"PartitionKey":"counters","RowKey":"c_b","value":"text"},)"
                                         R"({"PartitionKey":"counters","RowKey":"c_c","value":3}]})")}});
    auto range = t.query(partition());
    EXPECT_EQ((*range.try_next())->value.value, 1);
    EXPECT_TRUE(failed_with(range.try_next(), library_errc::type_mismatch));
    EXPECT_EQ((*range.try_next())->value.value, 3);
    EXPECT_EQ(*range.try_next(), std::nullopt);
}

TEST_F(scripted_table, errors_name_the_operation_that_was_called) {
    auto const missing = response_failure(service_errc::resource_not_found);
    auto t = with({{"find", missing}, {"replace", missing}});
    EXPECT_THAT(t.try_modify({"hits"}, [](counter&) {}).error().what(), HasSubstr("modify in table 'Counters'"));
    EXPECT_THAT(t.try_replace_any({.name = "hits"}).error().what(), HasSubstr("replace_any in table 'Counters'"));
}

TEST_F(scripted_table, errors_of_an_absent_entity_that_was_read_tell_that_its_key_may_have_changed) {
    auto const missing = response_failure(service_errc::resource_not_found);
    auto t = with({{"replace", missing}, {"merge", missing}, {"erase", missing}});
    tablemap::entity<counter> e{.value = {.name = "hits", .note = "n"}, .etag = etag{"E1"}};
    EXPECT_THAT(t.try_replace(e).error().what(), HasSubstr("a member of its key was changed"));
    EXPECT_THAT(t.try_merge(e).error().what(), HasSubstr("a member of its key was changed"));
    EXPECT_THAT(t.try_erase(e).error().what(), HasSubstr("a member of its key was changed"));
}

TEST_F(scripted_table, merge_of_no_changes_sends_nothing) {
    auto t = with({});
    tablemap::entity<counter> e{.value = {.name = "hits", .value = 3}, .etag = etag{"E1"}};
    EXPECT_FALSE(t.merge(e, changed_since(e.value)));
    EXPECT_EQ(e.etag.text(), "E1");
}

TEST_F(scripted_table, modify_calls_member_functions) {
    auto t =
        with({{"find", answer_row(row, "E1")}, {R"(merge Counters [counters] [c_hits] if "E1")", answer_ok("E2")}});
    EXPECT_EQ(t.modify({"hits"}, &counter::count).value.value, 4);
}

}  // namespace
}  // namespace test
}  // namespace tablemap

// SPDX-License-Identifier: Apache-2.0
#include "tablemap/table/bulk_writer.hpp"

#include "support/bulk_rows.hpp"
#include "support/operations.hpp"
#include "support/random.hpp"

#include <map>
#include <numeric>
#include <set>
#include <stdexcept>

namespace tablemap::test {
namespace {

using namespace std::chrono_literals;
using tablemap::testing::answer_ok;
using tablemap::testing::exchange;
using tablemap::testing::response_failure;
using tablemap::testing::scripted_store;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using ::testing::StartsWith;

response failed_at(std::size_t index, std::error_code code) {
    return response::failed(error{code, {.failed_index = index}});
}

constexpr auto exists = service_errc::entity_already_exists;
constexpr auto lost = library_errc::response_lost;

response lost_answer() { return response_failure(lost, outcome::in_doubt); }

/// "sssfn": how each row ended.
std::string states(bulk_ledger const& l) {
    std::string out;
    for (std::size_t i = 0; i < l.rows(); ++i) out += "nsfd"[static_cast<std::size_t>(l.state(i))];
    return out;
}

class bulk_writer_test : public ::testing::Test {
protected:
    void script(std::vector<exchange> script) {
        capabilities can{.name = "scripted", .transaction_operations = 3};
        store = std::make_shared<scripted_store>(std::move(script), can);
    }
    bulk_writer<bulk_item> writer(table_options const& o = {}) {
        call.clock = &clock;
        return bulk_writer<bulk_item>{table<bulk_item>{store, "T1t", o}, options, call};
    }
    /// Inserts rows of partition "p" by their names, and ends.
    bulk_report insert(std::string const& rows) {
        auto w = writer();
        for (char const c : rows) w.insert({"p", std::string{c}, 0});
        return w.finish();
    }
    static entity<bulk_item> read_before(char row) { return {.value = {"p", std::string{row}, 0}, .etag = etag{"E1"}}; }
    void TearDown() override { EXPECT_THAT(store->complaints(), IsEmpty()); }

    std::shared_ptr<scripted_store> store;
    tablemap::testing::fixed_clock clock;
    bulk_options options;
    call_options call;
};

std::string body(char row) { return R"({"PartitionKey":"p","RowKey":"i_)" + std::string{row} + R"(","value":0})"; }
std::string group(std::string const& kind, std::string const& rows, std::string const& after = {}) {
    std::string text = "transaction T1t: ";
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (i > 0) text += "; ";
        text += kind + " [p] [i_" + rows[i] + "]" + (kind == "erase" ? after : " " + body(rows[i]));
    }
    return text;
}

TEST_F(bulk_writer_test, sends_whole_groups_at_once_and_the_rest_at_the_end) {
    script({{group("insert", "abc"), answer_ok()}, {"insert T1t [p] [i_d]", answer_ok()}});
    auto w = writer();
    for (char const c : std::string{"abcd"}) w.insert({"p", std::string{c}, 0});
    EXPECT_EQ(store->asked(), 1u);
    auto const report = w.finish();
    EXPECT_EQ(states(report.ledger), "ssss");
    EXPECT_TRUE(report.complete());
    EXPECT_EQ(report.totals.requests, 2u);
}

TEST_F(bulk_writer_test, groups_by_partition) {
    script({{"transaction T1t: insert [p] [i_1]", answer_ok()}, {"transaction T1t: insert [q] [i_1]", answer_ok()}});
    auto w = writer();
    for (auto const* row : {"1", "2", "3"})
        for (auto const* partition : {"p", "q"}) w.insert({partition, row, 0});
    EXPECT_EQ(states(w.finish().ledger), "ssssss");
}

TEST_F(bulk_writer_test, writes_an_entity_once_in_a_group_and_in_the_order_of_the_calls) {
    script({{group("upsert_replace", "ab"), answer_ok()}, {group("upsert_replace", "ac"), answer_ok()}});
    auto w = writer();
    for (char const c : std::string{"abac"}) w.upsert_replace({"p", std::string{c}, 0});
    EXPECT_EQ(states(w.finish().ledger), "ssss");
}

TEST_F(bulk_writer_test, sends_the_others_again_without_the_row_that_is_to_blame) {
    script({{group("insert", "abc"), failed_at(1, exists)}, {group("insert", "ac"), answer_ok()}});
    auto const report = insert("abc");
    EXPECT_EQ(states(report.ledger), "sfs");
    ASSERT_THAT(report.problems, SizeIs(1));
    EXPECT_EQ(report.problems[0].key, (entity_key{"p", "i_b"}));
    EXPECT_EQ(report.problems[0].position, 1u);
    EXPECT_EQ(report.problems[0].error.code(), exists);
    EXPECT_STREQ(report.problems[0].error.what(), "insert in table 'T1t': the entity exists already");
}

TEST_F(bulk_writer_test, writes_rows_alone_after_a_few_failed_groups) {
    capabilities can{.name = "scripted", .transaction_operations = 5};
    store = std::make_shared<scripted_store>(std::vector<exchange>{{group("insert", "abcde"), failed_at(0, exists)},
                                                                   {group("insert", "bcde"), failed_at(0, exists)},
                                                                   {group("insert", "cde"), failed_at(0, exists)},
                                                                   {"insert T1t [p] [i_d]", answer_ok()},
                                                                   {"insert T1t [p] [i_e]", answer_ok()}},
                                             can);
    EXPECT_EQ(states(insert("abcde").ledger), "fffss");
}

TEST_F(bulk_writer_test, halves_a_group_of_which_nobody_knows_the_culprit) {
    script({{group("insert", "abc"), response_failure(service_errc::invalid_input)},
            {group("insert", "ab"), response_failure(service_errc::invalid_input)},
            {"insert T1t [p] [i_a]", answer_ok()},
            {"insert T1t [p] [i_b]", response_failure(service_errc::invalid_input)},
            {"insert T1t [p] [i_c]", answer_ok()}});
    EXPECT_EQ(states(insert("abc").ledger), "sfs");
}

TEST_F(bulk_writer_test, retries_a_group_with_the_calls_policy) {
    call.retry = exact_retry(2);
    script(
        {{group("insert", "abc"), response_failure(service_errc::server_busy)}, {group("insert", "abc"), answer_ok()}});
    auto const report = insert("abc");
    EXPECT_EQ(states(report.ledger), "sss");
    EXPECT_THAT(clock.waits(), ElementsAre(100ms));
    EXPECT_EQ(report.totals.retries, 1u);
    EXPECT_EQ(report.totals.throttled, 1u);
    EXPECT_EQ(report.totals.concurrency, 2u);
}

TEST_F(bulk_writer_test, leaves_inserts_in_doubt_whose_answer_was_lost) {
    script({{group("insert", "abc"), lost_answer()}});
    auto const report = insert("abc");
    EXPECT_EQ(states(report.ledger), "ddd");
    EXPECT_EQ(report.problems[1].error.outcome(), outcome::in_doubt);
    EXPECT_THROW(report.require_complete(), error);
}

TEST_F(bulk_writer_test, takes_for_stored_what_was_applied_although_its_etags_did_not_come) {
    auto const applied = response_failure(library_errc::malformed_response, outcome::applied);
    script({{group("insert", "abc"), applied}, {"insert T1t [p] [i_d]", applied}});
    options.resume = value_or_throw(bulk_ledger::parse("1n3d1.4"));
    auto const report = insert("abcd");
    EXPECT_EQ(states(report.ledger), "ssss");
    EXPECT_THAT(report.problems, IsEmpty());
}

TEST_F(bulk_writer_test, erases_versions_alone_that_are_in_doubt_since_an_absent_row_tells) {
    script({{group("erase", "abc", R"( if "E1")"), lost_answer()},
            {"erase T1t [p] [i_a]", response_failure(service_errc::resource_not_found)},
            {"erase T1t [p] [i_b]", answer_ok()},
            {"erase T1t [p] [i_c]", lost_answer()}});
    auto w = writer();
    for (char const c : std::string{"abc"}) w.erase(read_before(c));
    auto const report = w.finish();
    EXPECT_EQ(states(report.ledger), "ssd");
    EXPECT_EQ(report.totals.absent, 1u);
}

TEST_F(bulk_writer_test, does_not_erase_any_version_again_whose_answer_was_lost) {
    script({{group("erase", "abc", R"( if "*")"), lost_answer()}});
    auto w = writer();
    for (char const c : std::string{"abc"}) w.erase_any({"p", std::string{c}});
    EXPECT_EQ(states(w.finish().ledger), "ddd") << "somebody may have inserted them anew";
}

TEST_F(bulk_writer_test, takes_for_erased_what_is_gone_after_a_lost_answer) {
    call.retry = exact_retry(2);
    script({{"erase T1t [p] [i_a] if \"*\"", lost_answer()},
            {"find T1t [p] [i_a] current", response_failure(service_errc::resource_not_found)}});
    auto w = writer();
    w.erase_any({"p", "a"});
    auto const report = w.finish();
    EXPECT_EQ(states(report.ledger), "s");
    EXPECT_EQ(report.totals.absent, 1u);
}

TEST_F(bulk_writer_test, does_not_insert_again_whose_answer_was_lost) {
    call.retry = exact_retry(3);
    script({{group("insert", "abc"), lost_answer()}});
    EXPECT_EQ(states(insert("abc").ledger), "ddd");
}

TEST_F(bulk_writer_test, inserts_again_where_the_policy_says_so) {
    call.retry = exact_retry(3);
    call.retry->repeat_in_doubt = true;
    script({{group("insert", "abc"), lost_answer()}, {group("insert", "abc"), answer_ok()}});
    EXPECT_EQ(states(insert("abc").ledger), "sss");
}

TEST_F(bulk_writer_test, repeats_upserts_that_shared_a_group_with_an_insert_in_doubt) {
    script(
        {{"transaction T1t: upsert_replace [p] [i_a]", lost_answer()}, {"upsert_replace T1t [p] [i_a]", answer_ok()}});
    auto w = writer();
    w.upsert_replace({"p", "a", 0});
    w.insert({"p", "b", 0});
    EXPECT_EQ(states(w.finish().ledger), "sd");
}

TEST_F(bulk_writer_test, does_not_ask_for_every_row_in_doubt_when_the_store_is_silent) {
    script({{group("erase", "abc", R"( if "E1")"), lost_answer()}, {"erase T1t [p] [i_a]", lost_answer()}});
    auto w = writer();
    for (char const c : std::string{"abc"}) w.erase(read_before(c));
    EXPECT_EQ(states(w.finish().ledger), "ddd");
}

TEST_F(bulk_writer_test, takes_an_absent_row_for_erased_unless_a_version_was_wanted) {
    script({{"erase T1t [p] [i_a] if \"*\"", response_failure(service_errc::resource_not_found)},
            {"erase T1t [p] [i_b] if \"E1\"", response_failure(service_errc::resource_not_found)}});
    auto w = writer();
    w.erase_any({"p", "a"});
    w.flush();
    w.erase({.value = {"p", "b", 0}, .etag = etag{"E1"}});
    EXPECT_EQ(states(w.finish().ledger), "sf");
}

TEST_F(bulk_writer_test, ends_when_no_row_can_succeed) {
    script({{group("insert", "abc"), failed_at(0, service_errc::table_not_found)}});
    auto const report = insert("abcdefg");
    EXPECT_EQ(states(report.ledger), "nnnnnnn");
    EXPECT_TRUE(report.problems.empty());
    ASSERT_TRUE(report.ended_by);
    EXPECT_EQ(report.ended_by->code(), service_errc::table_not_found);
}

TEST_F(bulk_writer_test, ends_when_the_store_is_out_of_reach_and_reads_no_further) {
    for (auto const why :
         {make_error_code(transport_errc::cannot_connect), make_error_code(transport_errc::name_not_found),
          make_error_code(transport_errc::tls_failed), make_error_code(service_errc::authentication_failed),
          make_error_code(library_errc::credential_failed)}) {
        call.retry = exact_retry(2);
        bool const may_pass = why == transport_errc::cannot_connect || why == transport_errc::name_not_found;
        std::vector<exchange> tries(may_pass ? 2 : 1, {"transaction", response_failure(why)});
        script(std::move(tries));
        int taken = 0;
        auto const rows = [&]() -> std::optional<bulk_item> {
            return taken == 50'000 ? std::nullopt : std::optional{bulk_item{"p", std::to_string(taken++), 0}};
        };
        auto const report = table<bulk_item>{store, "T1t"}.insert_many(rows, {.parallel = 1}, call);
        EXPECT_EQ(report.ledger.count(row_state::not_sent), report.ledger.rows()) << why.message();
        EXPECT_LT(taken, 50) << "the rest was read for nothing";
        EXPECT_TRUE(report.problems.empty());
        ASSERT_TRUE(report.ended_by);
        EXPECT_EQ(report.ended_by->code(), why);
    }
}

TEST_F(bulk_writer_test, has_a_ledger_at_any_moment_in_which_unfinished_rows_are_in_doubt) {
    script({{group("insert", "abc"), answer_ok()}, {group("insert", "de"), answer_ok()}});
    auto w = writer();
    EXPECT_EQ(w.ledger().text(), "1+0");
    for (char const c : std::string{"abcde"}) w.insert({"p", std::string{c}, 0});
    auto const meanwhile = w.ledger();
    EXPECT_TRUE(meanwhile.is_open());
    EXPECT_EQ(meanwhile.text(), "1s3d2+5");
    EXPECT_EQ(meanwhile.state(9), row_state::in_doubt) << "it may be sent after this was saved";
    EXPECT_EQ(w.finish().ledger.text(), "1s5.5");
}

TEST_F(bulk_writer_test, hands_its_ledger_out_as_rows_end) {
    script({{group("insert", "abc"), answer_ok()}, {group("insert", "def"), answer_ok()}});
    std::vector<std::string> saved;
    options.ledger_every = 3;
    options.on_ledger = [&](bulk_ledger const& l) { saved.push_back(l.text()); };
    EXPECT_TRUE(insert("abcdef").complete());
    ASSERT_EQ(saved.size(), 2u);
    EXPECT_THAT(saved.front(), ::testing::StartsWith("1s3"));
    EXPECT_EQ(saved.back(), "1s6+6");
}

TEST_F(bulk_writer_test, sends_nothing_more_after_a_stop) {
    std::stop_source stop;
    call.stop = stop.get_token();
    script({{group("insert", "abc"), answer_ok()}});
    auto w = writer();
    for (char const c : std::string{"abcde"}) w.insert({"p", std::string{c}, 0});
    stop.request_stop();
    w.insert({"p", "f", 0});
    auto const report = w.finish();
    EXPECT_EQ(states(report.ledger), "sssnnn");
    EXPECT_EQ(report.ended_by->code(), library_errc::cancelled);
    EXPECT_THAT(report.problems, IsEmpty());
}

TEST_F(bulk_writer_test, rows_in_doubt_are_reported_as_such_after_a_stop) {
    std::stop_source stop;
    call.stop = stop.get_token();
    options.progress = [&](bulk_progress const&) { stop.request_stop(); };
    script({{group("erase", "abc", R"( if "E1")"), lost_answer()}});
    auto w = writer();
    for (char const c : std::string{"abc"}) w.erase(read_before(c));
    auto const report = w.finish();
    EXPECT_EQ(states(report.ledger), "ddd");
    EXPECT_EQ(report.problems.at(0).error.outcome(), outcome::in_doubt);
}

TEST_F(bulk_writer_test, sends_nothing_after_the_deadline) {
    call.deadline = clock.now() + 1s;
    script({});
    auto w = writer();
    w.insert({"p", "a", 0});
    clock.advance(1s);
    EXPECT_EQ(states(w.finish().ledger), "n");
}

TEST_F(bulk_writer_test, sends_nothing_more_when_it_is_destroyed) {
    script({{group("insert", "abc"), answer_ok()}});
    auto w = writer();
    for (char const c : std::string{"abcd"}) w.insert({"p", std::string{c}, 0});
}

TEST_F(bulk_writer_test, sends_the_partition_with_the_most_rows_when_the_buffer_is_full) {
    options.buffered_rows = 4;
    script({{"transaction T1t: insert [q] [i_1]", answer_ok()},
            {"insert T1t [p] [i_1]", answer_ok()},
            {"insert T1t [r] [i_1]", answer_ok()}});
    auto w = writer();
    w.insert({"p", "1", 0});
    w.insert({"q", "1", 0});
    w.insert({"q", "2", 0});
    EXPECT_EQ(store->asked(), 0u);
    w.insert({"r", "1", 0});
    EXPECT_EQ(store->asked(), 1u);
    EXPECT_TRUE(w.finish().complete());
}

TEST_F(bulk_writer_test, cuts_groups_at_the_stores_bytes) {
    capabilities can{.name = "scripted", .transaction_bytes = 2 * body('a').size() + 1};
    store = std::make_shared<scripted_store>(
        std::vector<exchange>{{group("insert", "ab"), answer_ok()}, {"insert T1t [p] [i_c]", answer_ok()}}, can);
    EXPECT_TRUE(insert("abc").complete());
}

TEST_F(bulk_writer_test, reports_rows_that_cannot_be_encoded) {
    script({{"insert T1t [p] [i_b]", answer_ok()}});
    auto w = writer();
    w.insert({"p/", "a", 0});
    w.insert({"p", "b", 0});
    auto const report = w.finish();
    EXPECT_EQ(states(report.ledger), "fs");
    EXPECT_THAT(report.problems.at(0).error.what(), StartsWith("insert in table 'T1t', member 'partition': "));
    EXPECT_EQ(report.problems.at(0).error.code(), library_errc::invalid_key);
}

TEST_F(bulk_writer_test, passes_over_what_is_stored_already) {
    options.resume = *bulk_ledger::parse("1s1f1s1d1.4");
    script({{"transaction T1t: insert [p] [i_b]", failed_at(1, exists)}, {group("insert", "be"), answer_ok()}});
    auto const report = insert("abcde");
    EXPECT_EQ(states(report.ledger), "sssds") << "what was in doubt and exists now may be ours";
    EXPECT_EQ(report.totals.stored_before, 2u);
}

TEST_F(bulk_writer_test, reports_progress_and_problems_as_they_come) {
    std::vector<std::size_t> stored, problems;
    options.progress = [&](bulk_progress const& p) { stored.push_back(p.stored); };
    options.on_problem = [&](bulk_problem const& p) { problems.push_back(p.position); };
    options.problems_kept = 0;
    script({{group("insert", "abc"), answer_ok()},
            {group("insert", "def"), failed_at(2, exists)},
            {group("insert", "de"), answer_ok()}});
    auto const report = insert("abcdef");
    EXPECT_THAT(stored, ElementsAre(3, 3, 5));
    EXPECT_THAT(problems, ElementsAre(5));
    EXPECT_THAT(report.problems, IsEmpty());
    EXPECT_THROW(report.require_complete(), error);
}

TEST_F(bulk_writer_test, goes_on_after_a_progress_function_that_threw) {
    options.progress = [&, thrown = false](bulk_progress const&) mutable {
        if (!std::exchange(thrown, true)) throw std::domain_error{"no"};
    };
    script({{group("insert", "abc"), answer_ok()}, {"insert T1t [p] [i_d]", answer_ok()}});
    auto w = writer();
    w.insert({"p", "a", 0});
    w.insert({"p", "b", 0});
    EXPECT_THROW(w.insert({"p", "c", 0}), std::domain_error);
    w.insert({"p", "d", 0});
    EXPECT_EQ(states(w.finish().ledger), "ssss");
}

TEST_F(bulk_writer_test, makes_groups_again_after_a_flush_that_threw) {
    options.progress = [&](bulk_progress const& p) {
        if (p.stored == 1) throw std::domain_error{"no"};
    };
    script({{"insert T1t [p] [i_a]", answer_ok()}, {group("insert", "bcd"), answer_ok()}});
    auto w = writer();
    w.insert({"p", "a", 0});
    EXPECT_THROW(w.flush(), std::domain_error);
    for (char const c : std::string{"bcd"}) w.insert({"p", std::string{c}, 0});
    EXPECT_TRUE(w.finish().complete());
}

TEST_F(bulk_writer_test, gives_the_same_report_when_it_is_finished_twice) {
    script({{"insert T1t [p] [i_a]", response_failure(exists)}});
    auto w = writer();
    w.insert({"p", "a", 0});
    EXPECT_EQ(states(w.finish().ledger), "f");
    EXPECT_EQ(states(w.finish().ledger), "f");
    EXPECT_EQ(w.progress().rows, 1u);
}

TEST_F(bulk_writer_test, does_not_send_what_would_change_nothing) {
    script({});
    entity<bulk_item> const e{.value = {"p", "a", 1}, .etag = etag{"E1"}};
    auto w = writer();
    w.merge(e, changed_since(e));
    EXPECT_EQ(states(w.finish().ledger), "s");
}

TEST_F(bulk_writer_test, holds_to_the_rate) {
    options.rate = std::make_shared<rate_limiter>(rate_limits{.per_partition = 30});
    script({{group("insert", "abc"), answer_ok()},
            {group("insert", "def"), answer_ok()},
            {group("insert", "ghi"), answer_ok()}});
    EXPECT_TRUE(insert("abcdefghi").complete());
    EXPECT_THAT(clock.waits(), ElementsAre(100ms, 100ms));
}

TEST_F(bulk_writer_test, takes_the_stores_rate_where_none_is_given) {
    capabilities can{.name = "scripted", .transaction_operations = 3, .account_rate = 3};
    store = std::make_shared<scripted_store>(
        std::vector<exchange>{{group("insert", "abc"), answer_ok()}, {"insert T1t [p] [i_d]", answer_ok()}}, can);
    EXPECT_TRUE(insert("abcd").complete());
    EXPECT_THAT(clock.waits(), ElementsAre(1s));
}

// ---- insert_many ----------------------------------------------------------------------------------------------------

TEST_F(bulk_writer_test, reads_a_range_as_it_sends_it) {
    script({{group("insert", "abc"), answer_ok()}, {group("insert", "de"), answer_ok()}});
    std::vector<bulk_item> const rows{{"p", "a"}, {"p", "b"}, {"p", "c"}, {"p", "d"}, {"p", "e"}};
    EXPECT_TRUE((table<bulk_item>{store, "T1t"}.insert_many(rows).complete()));
}

TEST_F(bulk_writer_test, reads_a_function_until_it_gives_nothing) {
    script({{group("upsert_replace", "abc"), answer_ok()}, {"upsert_replace T1t [p] [i_d]", answer_ok()}});
    auto give = [next = 'a']() mutable -> std::optional<bulk_item> {
        if (next > 'd') return std::nullopt;
        return bulk_item{"p", std::string{next++}, 0};
    };
    EXPECT_TRUE((table<bulk_item>{store, "T1t"}.upsert_many(give).complete()));
}

TEST_F(bulk_writer_test, reads_no_further_after_a_stop) {
    std::stop_source stop;
    script({{group("insert", "abc"), answer_ok()}});
    int given = 0;
    auto const give = [&]() -> std::optional<bulk_item> {
        if (++given == 5) stop.request_stop();
        return bulk_item{"p", std::string{static_cast<char>('a' + given - 1)}, 0};
    };
    auto const report = table<bulk_item>{store, "T1t"}.insert_many(give, {}, {.stop = stop.get_token()});
    EXPECT_EQ(given, 5);
    EXPECT_EQ(states(report.ledger), "sssnn");
    EXPECT_EQ(report.ended_by->code(), library_errc::cancelled);
}

TEST_F(bulk_writer_test, lets_out_what_a_source_throws) {
    script({{group("insert", "abc"), answer_ok()}});
    int given = 0;
    auto const give = [&]() -> std::optional<bulk_item> {
        if (++given == 5) throw std::domain_error{"no"};
        return bulk_item{"p", std::string{static_cast<char>('a' + given - 1)}, 0};
    };
    table<bulk_item> const t{store, "T1t"};
    EXPECT_THROW(static_cast<void>(t.insert_many(give)), std::domain_error);
}

}  // namespace
}  // namespace tablemap::test

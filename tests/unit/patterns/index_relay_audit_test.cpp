// SPDX-License-Identifier: Apache-2.0
#include "support/elsewhere_samples.hpp"

#include "tablemap/detail/write/index_intent.hpp"
#include "tablemap/embedded/store.hpp"
#include "tablemap/testing/faulty_store.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <stop_token>
#include <string>

namespace tablemap::test {
namespace {

using tablemap::testing::fault;
using tablemap::testing::faulty_store;

/// Three clerks whose index is in step.
class index_relay_audit : public ::testing::Test {
protected:
    void SetUp() override {
        clerks.create();
        relay.create_if_not_exists();
        for (std::int32_t id = 1; id <= 3; ++id) clerks.insert(of(id));
        relay.sweep();
    }

    static clerk of(std::int32_t id) { return {"Bonn", id, "N" + std::to_string(id), "a@x", id}; }
    static std::string row_of(std::int32_t id) { return "by_email_Bonn !_clerk_00000" + std::to_string(id); }

    void expect_in_step() const {
        EXPECT_EQ(rows_of_index(clerks, store), implied_by(clerks));
        EXPECT_EQ(relay.verify().found(), 0U);
    }

    /// Makes the missing row of the first clerk. The response to a request is lost, and the requests after it are
    /// refused, up to another one.
    result<index_report> rebuild_without(std::size_t response, std::size_t last) const {
        relay.sweep();  // carries out what the call before has left
        if (auto const made = rows.find("a@x", row_of(1))) rows.erase_any("a@x", row_of(1));
        auto const faulty = std::make_shared<faulty_store>(store);
        faulty->fail_next(fault::lost_after, response);
        for (auto k = response + 1; k <= last; ++k) faulty->fail_next(fault::busy, k);
        return index_relay<clerk>{table<clerk>{faulty, "Clerks"}}.try_rebuild({}, {.retry = retry_policy::none()});
    }

    /// Ends after a page, and adds what it did. True at the end.
    bool rebuild_a_page(std::string& resume, index_report& all) const {
        std::stop_source stop;
        index_report last;
        auto const progress = [&](index_progress const& p) {
            last = p.so_far;
            resume = p.resume;
            stop.request_stop();
        };
        index_audit_options const page{.progress = progress, .page_rows = 1, .resume = resume};
        auto const done = relay.try_rebuild(page, {.stop = stop.get_token()});
        all.entities += last.entities;
        all.index_rows += last.index_rows;
        all.repaired += last.repaired;
        return done.has_value();
    }

    store_ptr store = value_or_throw(open_embedded({.path = ":memory:"}));
    table<clerk> clerks{store, "Clerks"};
    table<dynamic_entity> rows{store, table_by_email};
    index_relay<clerk> relay{clerks};
};

TEST_F(index_relay_audit, counts_what_it_reads) {
    auto const r = relay.verify();
    EXPECT_TRUE(r.in_step());
    EXPECT_EQ(r.entities, 3U);
    EXPECT_EQ(r.index_rows, 3U);
}

TEST_F(index_relay_audit, finds_and_makes_a_missing_row) {
    rows.erase_any("a@x", row_of(2));
    auto const found = relay.verify();
    ASSERT_EQ(found.findings.size(), 1U);
    EXPECT_EQ(found.findings[0].what, index_fault::missing);
    EXPECT_EQ(found.findings[0].index, "by_email");
    EXPECT_EQ(found.findings[0].key, (entity_key{"a@x", row_of(2)}));
    EXPECT_EQ(found.findings[0].entity_row_key, "clerk_000002");
    EXPECT_FALSE(found.findings[0].repaired);
    EXPECT_EQ(relay.rebuild().repaired, 1U);
    expect_in_step();
}

TEST_F(index_relay_audit, finds_and_repairs_a_differing_row) {
    auto row = *rows.find("a@x", row_of(1));
    row.value.set("badge", std::int32_t{77});
    rows.replace(row);
    EXPECT_EQ(relay.verify().differing, 1U);
    EXPECT_EQ(relay.rebuild().repaired, 1U);
    expect_in_step();
}

TEST_F(index_relay_audit, finds_and_erases_a_row_that_no_entity_implies) {
    auto row = *rows.find("a@x", row_of(1));
    row.value.partition_key = "z@x";
    rows.insert(row.value);
    EXPECT_EQ(relay.verify().orphaned, 1U);
    EXPECT_TRUE(clerks_by_email{clerks}.find_all(partition("z@x")).empty());
    EXPECT_EQ(relay.rebuild().repaired, 1U);
    expect_in_step();
}

TEST_F(index_relay_audit, finds_that_others_repair_meanwhile) {
    rows.erase_any("a@x", row_of(1));
    auto const faulty = std::make_shared<faulty_store>(store);
    index_relay<clerk> const slow{table<clerk>{faulty, "Clerks"}};
    auto const row_is_read_again = 2U;
    faulty->act_before([&](class store&) { relay.rebuild(); }, row_is_read_again);
    EXPECT_EQ(slow.verify().found(), 0U);
    expect_in_step();
}

TEST_F(index_relay_audit, is_in_doubt_about_a_repair_whose_response_was_lost) {
    std::size_t met = 0;
    for (std::size_t k = 0; k < 25; ++k) {
        auto const r = rebuild_without(k, k + 1);
        if (!r || r->in_step()) continue;
        ++met;
        ASSERT_EQ(r->findings.size(), 1U);
        auto const made = rows.find("a@x", row_of(1)).has_value();
        EXPECT_EQ(r->findings[0].error.value().outcome(), made ? outcome::in_doubt : outcome::not_applied) << k;
    }
    EXPECT_GT(met, 0U);
}

TEST_F(index_relay_audit, ends_in_doubt_if_the_response_to_a_repair_was_lost) {
    std::size_t met = 0;
    for (std::size_t k = 0; k < 25; ++k) {
        auto const r = rebuild_without(k, k + 30);
        if (r || !rows.find("a@x", row_of(1))) continue;
        ++met;
        EXPECT_EQ(r.error().outcome(), outcome::in_doubt) << k;
    }
    EXPECT_GT(met, 0U);
}

TEST_F(index_relay_audit, finds_a_row_that_names_no_entity) {
    rows.insert({"a@x", "by_email_strange"});
    auto const found = relay.rebuild();
    EXPECT_EQ(found.unreadable, 1U);
    EXPECT_EQ(found.repaired, 0U);
}

TEST_F(index_relay_audit, leaves_rows_that_an_intent_names_to_the_relay) {
    clerks.modify({"Bonn", 1}, [](clerk& c) { c.email = "b@x"; });
    clerks.erase_any("Bonn", 2);
    auto const found = relay.rebuild();
    EXPECT_EQ(found.found(), 0U);
    EXPECT_EQ(found.unsettled, 3U) << "two rows of the first, and one of the second";
    EXPECT_FALSE(found.in_step());
    EXPECT_EQ(rows_of_index(clerks, store).size(), 3U) << "as they were";
}

TEST_F(index_relay_audit, makes_a_row_although_intents_stay_that_no_relay_carries_out) {
    rows.erase_any("a@x", row_of(1));
    dynamic_entity of_another_index{"Bonn", detail::intents_of("clerk_000001") + "x"};
    of_another_index.set("Entity", std::string{"clerk_000001"});
    of_another_index.set("Table0", std::string{table_by_email});
    of_another_index.set("Partition0", std::string{"a@x"});
    of_another_index.set("Row0", row_of(1));
    of_another_index.set("Partition1", std::string{"x"});
    of_another_index.set("Row1", std::string{"gone_x"});
    auto const base = table<dynamic_entity>{store, "Clerks"};
    base.insert(of_another_index);
    base.insert({"Bonn", detail::intents_of("clerk_000001") + "unreadable"});
    EXPECT_FALSE(relay.verify().in_step());
    EXPECT_EQ(relay.rebuild().repaired, 1U);
    expect_in_step();
}

TEST_F(index_relay_audit, resumes_where_an_interrupted_run_ended) {
    rows.delete_table();
    rows.create();
    index_report all;
    std::string resume;
    int runs = 0;
    for (bool done = false; !done && runs < 20; ++runs) done = rebuild_a_page(resume, all);
    EXPECT_EQ(runs, 12) << "one for each of nine rows beside the entities, and of three elsewhere";
    EXPECT_EQ(all.entities, 3U);
    EXPECT_EQ(all.index_rows, 3U);
    EXPECT_EQ(all.repaired, 3U);
    expect_in_step();
}

TEST_F(index_relay_audit, refuses_a_resume_point_of_something_else) {
    std::string of_the_table;
    clerks.verify_indexes({.progress =
                               [&](auto const& p) {
                                   if (!p.resume.empty()) of_the_table = p.resume;
                               },
                           .page_rows = 1});
    for (auto const& text : {of_the_table, std::string{"1abc"}})
        EXPECT_EQ(relay.try_verify({.resume = text}).error().code(), library_errc::invalid_cursor) << text;
}

TEST_F(index_relay_audit, keeps_as_many_findings_as_it_is_asked_for_and_tells_of_all) {
    rows.delete_table();
    rows.create();
    std::size_t told = 0;
    auto const r = relay.verify({.on_finding = [&](auto const&) { ++told; }, .findings_kept = 1, .at_once = 1});
    EXPECT_EQ(r.missing, 3U);
    EXPECT_EQ(r.findings.size(), 1U);
    EXPECT_EQ(told, 3U);
}

TEST_F(index_relay_audit, makes_the_rows_of_entities_that_were_there_before_the_index) {
    rows.delete_table();
    rows.create();
    EXPECT_EQ(relay.rebuild().missing, 3U);
    expect_in_step();
}

}  // namespace
}  // namespace tablemap::test

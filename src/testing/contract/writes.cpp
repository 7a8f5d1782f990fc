// SPDX-License-Identifier: Apache-2.0
#include "testing/contract/fixture.hpp"
#include "testing/contract/suites.hpp"

#include <array>
#include <set>
#include <string>

namespace tablemap::inline v0_1::testing::contract {
namespace {

class seam_writes : public seam {
protected:
    /// Inserts and returns the etag.
    std::string put(dynamic_entity const& e) {
        auto const r = table().insert(e);
        EXPECT_TRUE(carried_out(r));
        return r.etag.text();
    }
    std::vector<property> stored(std::string_view partition, std::string_view row) {
        return properties_of(entity_in(table().get(partition, row)));
    }
};
TABLEMAP_CONTRACT_SUITE(seam_writes);

constexpr std::array conditional = {write_kind::replace, write_kind::merge, write_kind::erase};

response write(table_client& t, write_kind kind, dynamic_entity const& e, std::string_view if_match) {
    return kind == write_kind::erase ? t.erase(e.partition_key, e.row_key, if_match) : t.write(kind, e, if_match);
}

// --- each kind -------------------------------------------------------------------------------------------------------

TEST_P(seam_writes, an_inserted_entity_is_read_back_with_its_etag_and_time) {
    auto const sent = entity("p", "r", {{"Age", 34}, {"Name", "Don"}});
    auto const etag = put(sent);
    auto const r = table().get("p", "r");
    auto const got = entity_in(r);
    EXPECT_EQ(properties_of(got), properties_of(sent));
    EXPECT_EQ(got.partition_key, "p");
    EXPECT_EQ(got.row_key, "r");
    EXPECT_EQ(got.etag.text(), etag);
    EXPECT_EQ(r.etag.text(), etag);
    if (!deviates(deviation::etags_hold_no_time)) {
        EXPECT_EQ(got.etag.timestamp(), got.timestamp);
    }
}

TEST_P(seam_writes, an_entity_without_properties_is_stored) {
    put(entity("p", "r"));
    EXPECT_TRUE(stored("p", "r").empty());
}

TEST_P(seam_writes, inserting_an_entity_twice_is_refused_and_changes_nothing) {
    auto const etag = put(entity("p", "r", {{"A", 1}}));
    EXPECT_TRUE(refused(table().insert(entity("p", "r", {{"A", 2}})), service_errc::entity_already_exists));
    auto const got = entity_in(table().get("p", "r"));
    EXPECT_EQ(properties_of(got), (std::vector<property>{{"A", 1}}));
    EXPECT_EQ(got.etag.text(), etag);
}

TEST_P(seam_writes, a_missing_entity_is_not_found) {
    EXPECT_TRUE(refused(table().get("p", "r"), service_errc::resource_not_found));
}

TEST_P(seam_writes, replace_drops_what_is_not_sent) {
    auto const etag = put(entity("p", "r", {{"A", 1}, {"B", 2}}));
    ASSERT_TRUE(carried_out(table().write(write_kind::replace, entity("p", "r", {{"B", 3}}), etag)));
    EXPECT_EQ(stored("p", "r"), (std::vector<property>{{"B", 3}}));
}

TEST_P(seam_writes, merge_keeps_what_is_not_sent) {
    auto const etag = put(entity("p", "r", {{"A", 1}, {"B", 2}}));
    ASSERT_TRUE(carried_out(table().write(write_kind::merge, entity("p", "r", {{"B", "text"}, {"C", 4}}), etag)));
    EXPECT_EQ(stored("p", "r"), (std::vector<property>{{"A", 1}, {"B", "text"}, {"C", 4}}));
}

TEST_P(seam_writes, merge_of_nothing_changes_only_the_etag) {
    auto const etag = put(entity("p", "r", {{"A", 1}, {"T", "a\"b\\c,d"}}));
    auto const r = table().write(write_kind::merge, entity("p", "r"), etag);
    ASSERT_TRUE(carried_out(r));
    EXPECT_NE(r.etag.text(), etag);
    EXPECT_EQ(stored("p", "r"), (std::vector<property>{{"A", 1}, {"T", "a\"b\\c,d"}}));
}

TEST_P(seam_writes, merge_ignores_null) {
    put(entity("p", "r", {{"A", 1}}));
    auto const sent = body("p", "r", R"("A":null,"B":null)");
    ASSERT_TRUE(carried_out(table().write_body(write_kind::merge, "p", "r", sent, any_etag)));
    EXPECT_EQ(stored("p", "r"), (std::vector<property>{{"A", 1}}));
}

TEST_P(seam_writes, insert_and_replace_do_not_store_null) {
    auto const sent = body("p", "r", R"("A":null,"B":2)");
    ASSERT_TRUE(carried_out(table().write_body(write_kind::insert, "p", "r", sent)));
    EXPECT_EQ(stored("p", "r"), (std::vector<property>{{"B", 2}}));
    ASSERT_TRUE(carried_out(table().write_body(write_kind::replace, "p", "r", body("p", "r", R"("B":null)"), "*")));
    EXPECT_TRUE(stored("p", "r").empty());
}

TEST_P(seam_writes, erase_removes_the_entity_and_gives_no_etag) {
    auto const etag = put(entity("p", "r"));
    auto const r = table().erase("p", "r", etag);
    EXPECT_TRUE(carried_out(r));
    EXPECT_TRUE(r.etag.empty());
    EXPECT_TRUE(refused(table().get("p", "r"), service_errc::resource_not_found));
}

TEST_P(seam_writes, an_erased_entity_can_be_inserted_again) {
    put(entity("p", "r", {{"A", 1}}));
    ASSERT_TRUE(carried_out(table().erase("p", "r")));
    put(entity("p", "r", {{"B", 2}}));
    EXPECT_EQ(stored("p", "r"), (std::vector<property>{{"B", 2}}));
}

TEST_P(seam_writes, upsert_inserts_what_is_missing) {
    for (auto const kind : {write_kind::upsert_replace, write_kind::upsert_merge}) {
        std::string const row{action_of(kind)};
        auto const r = table().write(kind, entity("p", row, {{"A", 1}}));
        EXPECT_TRUE(carried_out(r));
        EXPECT_FALSE(r.etag.empty());
        EXPECT_EQ(stored("p", row), (std::vector<property>{{"A", 1}}));
    }
}

TEST_P(seam_writes, upsert_replace_replaces_and_upsert_merge_merges_what_is_there) {
    put(entity("p", "replaced", {{"A", 1}}));
    put(entity("p", "merged", {{"A", 1}}));
    EXPECT_TRUE(carried_out(table().write(write_kind::upsert_replace, entity("p", "replaced", {{"B", 2}}))));
    EXPECT_TRUE(carried_out(table().write(write_kind::upsert_merge, entity("p", "merged", {{"B", 2}}))));
    EXPECT_EQ(stored("p", "replaced"), (std::vector<property>{{"B", 2}}));
    EXPECT_EQ(stored("p", "merged"), (std::vector<property>{{"A", 1}, {"B", 2}}));
}

TEST_P(seam_writes, a_timestamp_that_is_sent_is_ignored) {
    auto const sent = body("p", "r", R"("Timestamp@odata.type":"Edm.DateTime","Timestamp":"2001-01-01T00:00:00Z")");
    ASSERT_TRUE(carried_out(table().write_body(write_kind::insert, "p", "r", sent)));
    EXPECT_GT(entity_in(table().get("p", "r")).timestamp.text(), "2020");
}

// --- conditions ------------------------------------------------------------------------------------------------------

TEST_P(seam_writes, every_write_gives_another_etag) {
    std::set<std::string> seen{put(entity("p", "r"))};
    for (auto const kind :
         {write_kind::replace, write_kind::merge, write_kind::upsert_replace, write_kind::upsert_merge}) {
        auto const r = table().write(kind, entity("p", "r"), is_conditional(kind) ? "*" : "");
        ASSERT_TRUE(carried_out(r));
        EXPECT_TRUE(seen.insert(r.etag.text()).second) << action_of(kind);
    }
}

TEST_P(seam_writes, every_write_gives_a_later_etag) {
    TABLEMAP_SKIP_IF(invents_digits_of_time);
    TABLEMAP_SKIP_IF(etags_hold_no_time);
    auto last = *etag{put(entity("p", "r"))}.timestamp();
    for (auto const kind :
         {write_kind::replace, write_kind::merge, write_kind::upsert_replace, write_kind::upsert_merge}) {
        auto const r = table().write(kind, entity("p", "r"), is_conditional(kind) ? "*" : "");
        ASSERT_TRUE(carried_out(r));
        ASSERT_TRUE(r.etag.timestamp());
        EXPECT_GT(*r.etag.timestamp(), last);
        last = *r.etag.timestamp();
    }
}

TEST_P(seam_writes, a_stale_etag_is_refused_and_changes_nothing) {
    auto const old = put(entity("p", "r", {{"A", 1}}));
    ASSERT_TRUE(carried_out(table().write(write_kind::replace, entity("p", "r", {{"A", 2}}), old)));
    for (auto const kind : conditional)
        EXPECT_TRUE(refused(write(table(), kind, entity("p", "r", {{"A", 3}}), old),
                            service_errc::update_condition_not_satisfied))
            << action_of(kind);
    EXPECT_EQ(stored("p", "r"), (std::vector<property>{{"A", 2}}));
}

TEST_P(seam_writes, the_etag_of_an_erased_entity_does_not_match_its_successor) {
    auto const old = put(entity("p", "r"));
    ASSERT_TRUE(carried_out(table().erase("p", "r", old)));
    put(entity("p", "r"));
    EXPECT_TRUE(refused(table().erase("p", "r", old), service_errc::update_condition_not_satisfied));
}

TEST_P(seam_writes, a_star_matches_any_version) {
    put(entity("p", "r"));
    for (auto const kind : conditional)
        EXPECT_TRUE(carried_out(write(table(), kind, entity("p", "r"), "*"))) << action_of(kind);
}

TEST_P(seam_writes, a_missing_entity_is_not_found_whatever_the_etag) {
    auto const stale = put(entity("p", "other"));
    for (auto const kind : conditional) {
        EXPECT_TRUE(refused(write(table(), kind, entity("p", "r"), "*"), service_errc::resource_not_found));
        EXPECT_TRUE(refused(write(table(), kind, entity("p", "r"), stale), service_errc::resource_not_found));
    }
}

TEST_P(seam_writes, a_malformed_etag_is_refused) {
    TABLEMAP_SKIP_IF(accepts_any_etag_text);
    put(entity("p", "r"));
    for (auto const* bad : {"\"strong\"", "nonsense", "W/\"", "W/\"a\"b\"", "W/\"a b\""})
        for (auto const kind : conditional)
            EXPECT_TRUE(refused(write(table(), kind, entity("p", "r"), bad), service_errc::invalid_input)) << bad;
}

TEST_P(seam_writes, a_weak_etag_of_another_store_is_a_condition_that_does_not_hold) {
    TABLEMAP_SKIP_IF(accepts_any_etag_text);
    put(entity("p", "r"));
    for (auto const* others : {"W/\"wrong\"", "W/\"datetime'2020'\"", "W/\"\""})
        for (auto const kind : conditional)
            EXPECT_TRUE(
                refused(write(table(), kind, entity("p", "r"), others), service_errc::update_condition_not_satisfied))
                << others;
}

TEST_P(seam_writes, an_empty_etag_is_refused_where_one_is_needed) {
    put(entity("p", "r"));
    for (auto const kind : conditional)
        EXPECT_TRUE(refused(write(table(), kind, entity("p", "r"), ""), service_errc::invalid_input));
}

TEST_P(seam_writes, an_etag_is_refused_where_none_belongs) {
    auto const etag = put(entity("p", "r"));
    for (auto const kind : {write_kind::insert, write_kind::upsert_replace, write_kind::upsert_merge})
        EXPECT_TRUE(refused(table().write(kind, entity("p", "r"), etag), service_errc::invalid_input));
}

// --- bodies ----------------------------------------------------------------------------------------------------------

TEST_P(seam_writes, a_body_that_is_no_entity_is_refused) {
    for (auto const* bad :
         {"", "[]", "{", "null", "{\"PartitionKey\":\"p\",\"RowKey\":\"r\"} x",
          R"({"PartitionKey":"p","RowKey":"r","A":{"B":1}})", R"({"PartitionKey":"p","RowKey":"r","A":[1]})"})
        EXPECT_TRUE(refused(table().write_body(write_kind::insert, "p", "r", bad), service_errc::invalid_input)) << bad;
}

TEST_P(seam_writes, a_body_that_is_no_utf8_is_refused) {
    auto const sent = body("p", "r", "\"A\":\"\xC3(\"");
    EXPECT_TRUE(refused(table().write_body(write_kind::insert, "p", "r", sent), service_errc::invalid_input));
}

TEST_P(seam_writes, an_insert_needs_both_keys_in_its_body) {
    for (auto const* sent : {R"({"PartitionKey":"p"})", R"({"RowKey":"r"})", R"({"PartitionKey":"p","RowKey":null})"})
        EXPECT_TRUE(
            refused(table().write_body(write_kind::insert, "p", "r", sent), service_errc::properties_need_value));
}

TEST_P(seam_writes, keys_of_the_body_must_be_those_of_the_request) {
    TABLEMAP_SKIP_IF(accepts_any_body_key);
    auto const kinds = {write_kind::insert, write_kind::upsert_replace, write_kind::upsert_merge};
    for (auto const kind : kinds) {
        EXPECT_TRUE(refused(table().write_body(kind, "p", "r", body("q", "r")), service_errc::invalid_input));
        EXPECT_TRUE(refused(table().write_body(kind, "p", "r", body("p", "s")), service_errc::invalid_input));
    }
}

TEST_P(seam_writes, a_property_that_comes_twice_is_refused) {
    TABLEMAP_SKIP_IF(keeps_last_duplicate);
    for (auto const* members : {R"("A":1,"B":2,"A":3)", R"("PartitionKey":"p")"})
        EXPECT_TRUE(refused(table().write_body(write_kind::insert, "p", "r", body("p", "r", members)),
                            service_errc::duplicate_properties_specified));
}

}  // namespace

void link_writes() {}

}  // namespace tablemap::testing::contract

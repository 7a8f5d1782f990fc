// SPDX-License-Identifier: Apache-2.0
#include "testing/contract/fixture.hpp"
#include "testing/contract/suites.hpp"

#include "tablemap/store/service_response.hpp"

#include <string>
#include <vector>

namespace tablemap::inline v0_1::testing::contract {
namespace {

class seam_blobs : public seam {
protected:
    void SetUp() override {
        seam::SetUp();
        if (IsSkipped() || HasFatalFailure()) return;
        TABLEMAP_SKIP_IF(no_blobs);
        name_ = fresh_container_name();
        ASSERT_TRUE(carried_out(ask(create_container{name_})));
    }
    void TearDown() override {
        if (!name_.empty()) ask(delete_container{name_});
        seam::TearDown();
    }

    response ask(blob_request const& r) { return the_store().execute(r, {}); }

    /// A name of a container that no other test uses; names of tables differ by more than case.
    std::string fresh_container_name() {
        auto name = fresh_table_name();
        for (char& c : name)
            if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
        return name;
    }
    std::string const& container() const { return name_; }

    response put(std::string_view blob, std::string_view body, blob_condition const& when = {}) {
        return ask(put_blob{name_, blob, body, {}, when});
    }
    response get(std::string_view blob, std::optional<blob_range> range = {}, std::string_view if_match = {}) {
        return ask(get_blob{name_, blob, range, {.if_match = if_match}});
    }
    response head(std::string_view blob) { return ask(head_blob{name_, blob}); }
    response erase(std::string_view blob, std::string_view if_match = {}) {
        return ask(delete_blob{name_, blob, {.if_match = if_match}});
    }
    response make_log(std::string_view blob, blob_condition const& when = {}) {
        return ask(create_append_blob{name_, blob, {}, when});
    }
    response append(std::string_view blob, std::string_view body, std::optional<std::uint64_t> position = {}) {
        return ask(append_block{name_, blob, body, position});
    }
    response stage(std::string_view blob, std::string_view id, std::string_view body) {
        return ask(stage_block{name_, blob, id, body});
    }
    response commit(std::string_view blob, std::vector<std::string_view> const& ids, blob_condition const& when = {}) {
        return ask(commit_blocks{name_, blob, ids, {}, when});
    }
    response list(std::string_view prefix = {}, std::string_view from = {}, std::optional<std::size_t> top = {}) {
        return ask(list_blobs{name_, prefix, from, top});
    }

    std::string bytes(std::string_view blob) {
        auto r = get(blob);
        EXPECT_TRUE(carried_out(r));
        return r.body;
    }

    /// The names of all blobs with this prefix, asked for page by page.
    std::vector<std::string> names(std::string_view prefix = {}, std::optional<std::size_t> top = {}) {
        std::vector<std::string> found;
        std::optional<std::string> next{std::in_place};
        while (next) {
            auto const r = list(prefix, *next, top);
            EXPECT_TRUE(carried_out(r));
            if (!r.ok()) break;
            if (top) {
                EXPECT_LE(r.service->blobs.size(), *top);
            }
            for (auto const& b : r.service->blobs) found.push_back(b.name);
            next = r.service->next_blob;
        }
        return found;
    }

private:
    std::string name_{};
};
TABLEMAP_CONTRACT_SUITE(seam_blobs);

// --- containers ------------------------------------------------------------------------------------------------------

TEST_P(seam_blobs, a_container_is_made_once) {
    EXPECT_TRUE(refused(ask(create_container{container()}), service_errc::container_already_exists));
}

TEST_P(seam_blobs, a_container_takes_its_blobs_with_it) {
    ASSERT_TRUE(carried_out(put("a", "x")));
    ASSERT_TRUE(carried_out(ask(delete_container{container()})));
    EXPECT_TRUE(refused(get("a"), service_errc::container_not_found));
    ASSERT_TRUE(carried_out(ask(create_container{container()})));
    EXPECT_TRUE(refused(get("a"), service_errc::blob_not_found));
}

TEST_P(seam_blobs, nothing_is_done_without_a_container) {
    auto const missing = fresh_container_name();
    for (blob_request const& r :
         {blob_request{delete_container{missing}}, blob_request{put_blob{missing, "a", "x"}},
          blob_request{get_blob{missing, "a"}}, blob_request{head_blob{missing, "a"}},
          blob_request{delete_blob{missing, "a"}}, blob_request{list_blobs{.container = missing}},
          blob_request{create_append_blob{missing, "a"}}, blob_request{append_block{missing, "a", "x"}},
          blob_request{stage_block{missing, "a", "1", "x"}}, blob_request{commit_blocks{missing, "a", {}}}})
        EXPECT_TRUE(refused(ask(r), service_errc::container_not_found)) << action_of(r);
}

TEST_P(seam_blobs, names_that_the_service_refuses_are_refused) {
    EXPECT_TRUE(refused(ask(create_container{"Files"}), service_errc::invalid_resource_name));
    for (auto const* name : {"", "a.", "a/../b", "a\\b", "a/", "a\n"}) {
        EXPECT_TRUE(refused(put(name, "x"), service_errc::invalid_resource_name)) << name;
        EXPECT_TRUE(refused(get(name), service_errc::invalid_resource_name)) << name;
    }
}

// --- whole blobs -----------------------------------------------------------------------------------------------------

TEST_P(seam_blobs, a_blob_is_read_as_it_was_put) {
    std::string all;
    for (int i = 0; i < 256; ++i) all += static_cast<char>(i);
    auto const written = put("a", all);
    ASSERT_TRUE(carried_out(written));
    auto const r = get("a");
    ASSERT_TRUE(carried_out(r));
    EXPECT_EQ(r.body, all);
    EXPECT_EQ(r.etag, written.etag);
    EXPECT_EQ(r.service->blob, head("a").service->blob);
    EXPECT_EQ(r.service->blob.name, "a");
    EXPECT_EQ(r.service->blob.size, 256u);
    EXPECT_EQ(r.service->blob.content_type, "application/octet-stream");
    EXPECT_EQ(r.service->blob.kind, blob_kind::block);
}

TEST_P(seam_blobs, a_blob_may_be_empty) {
    ASSERT_TRUE(carried_out(put("a", "")));
    EXPECT_EQ(bytes("a"), "");
    EXPECT_EQ(head("a").service->blob.size, 0u);
    EXPECT_TRUE(refused(get("a", blob_range{0, 1}), service_errc::invalid_range));
}

TEST_P(seam_blobs, a_blob_may_be_of_several_mebibytes) {
    std::string big(3 * 1024 * 1024 + 7, ' ');
    for (std::size_t i = 0; i < big.size(); ++i) big[i] = static_cast<char>(i * 31 / 7);
    ASSERT_TRUE(carried_out(put("big", big)));
    EXPECT_TRUE(bytes("big") == big);
    EXPECT_TRUE(get("big", blob_range{1024 * 1024 - 3, 10}).body == big.substr(1024 * 1024 - 3, 10));
    EXPECT_EQ(head("big").service->blob.size, big.size());
}

TEST_P(seam_blobs, a_blob_keeps_its_content_type) {
    ASSERT_TRUE(carried_out(ask(put_blob{container(), "a", "x", "text/plain; charset=utf-8"})));
    ASSERT_TRUE(carried_out(ask(create_append_blob{container(), "b", "text/css"})));
    ASSERT_TRUE(carried_out(ask(commit_blocks{container(), "c", {}, "text/csv"})));
    EXPECT_EQ(get("a").service->blob.content_type, "text/plain; charset=utf-8");
    EXPECT_EQ(head("b").service->blob.content_type, "text/css");
    EXPECT_EQ(list("c").service->blobs.at(0).content_type, "text/csv");
}

TEST_P(seam_blobs, a_name_may_hold_any_character) {
    std::vector<std::string> const all{"a b",
                                       "a+b",
                                       "a%20b",
                                       "a?b#c",
                                       "a&b=c",
                                       "<a>'\"",
                                       "d/e/f.g",
                                       "\xC3\xA4",
                                       "~-_.a",
                                       "\xE2\x82\xAC",
                                       "\xF0\x9F\x98\x80",
                                       "A,b;c:d@e"};
    for (auto const& name : all) ASSERT_TRUE(carried_out(put(name, name))) << name;
    for (auto const& name : all) EXPECT_EQ(bytes(name), name);
    EXPECT_EQ(names().size(), all.size());
    for (auto const& name : all) EXPECT_TRUE(carried_out(erase(name))) << name;
}

TEST_P(seam_blobs, every_write_changes_the_etag) {
    auto const first = put("a", "x").etag;
    auto const second = put("a", "x").etag;
    EXPECT_NE(first, second);
    EXPECT_TRUE(refused(get("a", {}, first.text()), service_errc::update_condition_not_satisfied));
    EXPECT_EQ(get("a", {}, second.text()).body, "x");
}

TEST_P(seam_blobs, a_put_under_an_etag_needs_that_etag) {
    auto const first = put("a", "1").etag.text();
    auto const second = put("a", "2", {.if_match = first});
    ASSERT_TRUE(carried_out(second));
    EXPECT_TRUE(refused(put("a", "3", {.if_match = first}), service_errc::update_condition_not_satisfied));
    EXPECT_TRUE(refused(put("b", "3", {.if_match = first}), service_errc::update_condition_not_satisfied));
    EXPECT_EQ(bytes("a"), "2");
    EXPECT_TRUE(carried_out(put("a", "4", {.if_match = any_etag})));
}

TEST_P(seam_blobs, a_put_of_what_must_be_absent_stores_once) {
    EXPECT_TRUE(carried_out(put("a", "1", {.if_absent = true})));
    EXPECT_TRUE(refused(put("a", "2", {.if_absent = true}), service_errc::blob_already_exists));
    EXPECT_TRUE(refused(make_log("a", {.if_absent = true}), service_errc::blob_already_exists));
    EXPECT_TRUE(refused(commit("a", {}, {.if_absent = true}), service_errc::blob_already_exists));
    EXPECT_EQ(bytes("a"), "1");
}

TEST_P(seam_blobs, what_is_not_there_is_not_found) {
    EXPECT_TRUE(refused(get("a"), service_errc::blob_not_found));
    EXPECT_TRUE(refused(head("a"), service_errc::blob_not_found));
    EXPECT_TRUE(refused(erase("a"), service_errc::blob_not_found));
    EXPECT_TRUE(refused(append("a", "x"), service_errc::blob_not_found));
}

TEST_P(seam_blobs, an_erase_under_an_etag_needs_that_etag) {
    auto const first = put("a", "1").etag.text();
    auto const second = put("a", "2").etag.text();
    EXPECT_TRUE(refused(erase("a", first), service_errc::update_condition_not_satisfied));
    EXPECT_TRUE(carried_out(erase("a", second)));
    EXPECT_TRUE(refused(get("a"), service_errc::blob_not_found));
}

// --- ranges ----------------------------------------------------------------------------------------------------------

TEST_P(seam_blobs, a_range_ends_with_the_blob) {
    ASSERT_TRUE(carried_out(put("a", "0123456789")));
    EXPECT_EQ(get("a", blob_range{0, 1}).body, "0");
    EXPECT_EQ(get("a", blob_range{3, 4}).body, "3456");
    EXPECT_EQ(get("a", blob_range{8, 100}).body, "89");
    EXPECT_EQ(get("a", blob_range{9, {}}).body, "9");
    auto const all = get("a", blob_range{0, {}});
    EXPECT_EQ(all.body, "0123456789");
    EXPECT_EQ(all.service->blob.size, 10u);
    EXPECT_EQ(get("a", blob_range{4, 1}).service->blob.size, 10u);
}

TEST_P(seam_blobs, a_range_behind_the_end_is_refused) {
    ASSERT_TRUE(carried_out(put("a", "0123456789")));
    EXPECT_TRUE(refused(get("a", blob_range{10, 1}), service_errc::invalid_range));
    EXPECT_TRUE(refused(get("a", blob_range{5'000'000'000, {}}), service_errc::invalid_range));
}

// --- lists -----------------------------------------------------------------------------------------------------------

TEST_P(seam_blobs, a_list_is_in_the_order_of_names) {
    for (auto const* name : {"b", "a/2", "B", "a/10", "a", "a-1"}) ASSERT_TRUE(carried_out(put(name, "x")));
    EXPECT_EQ(names(), (std::vector<std::string>{"B", "a", "a-1", "a/10", "a/2", "b"}));
    EXPECT_EQ(names("a/"), (std::vector<std::string>{"a/10", "a/2"}));
    EXPECT_EQ(names("c"), std::vector<std::string>{});
}

TEST_P(seam_blobs, a_list_comes_page_by_page) {
    std::vector<std::string> all;
    for (char c = 'a'; c <= 'g'; ++c) ASSERT_TRUE(carried_out(put(all.emplace_back(std::string{"p/"} + c), "x")));
    ASSERT_TRUE(carried_out(put("q", "x")));
    for (std::size_t const top : {1u, 2u, 7u, 8u}) EXPECT_EQ(names("p/", top), all) << top;
    auto const exact = list("p/", {}, 7);
    ASSERT_TRUE(carried_out(exact));
    EXPECT_EQ(exact.service->blobs.size(), 7u);
}

TEST_P(seam_blobs, a_list_has_the_properties_of_blobs) {
    ASSERT_TRUE(carried_out(put("a", "hello")));
    ASSERT_TRUE(carried_out(make_log("log")));
    auto const r = list();
    ASSERT_TRUE(carried_out(r));
    ASSERT_EQ(r.service->blobs.size(), 2u);
    EXPECT_EQ(r.service->blobs[0], head("a").service->blob);
    EXPECT_EQ(r.service->blobs[1], head("log").service->blob);
}

// --- append blobs ----------------------------------------------------------------------------------------------------

TEST_P(seam_blobs, an_append_tells_the_new_size) {
    ASSERT_TRUE(carried_out(make_log("log")));
    auto const one = append("log", "one", 0);
    ASSERT_TRUE(carried_out(one));
    EXPECT_EQ(one.service->blob.size, 3u);
    auto const two = append("log", "two");
    ASSERT_TRUE(carried_out(two));
    EXPECT_EQ(two.service->blob.size, 6u);
    EXPECT_EQ(two.service->blob.appended_blocks, 2u);
    auto const r = get("log");
    EXPECT_EQ(r.body, "onetwo");
    EXPECT_EQ(r.etag, two.etag);
    EXPECT_EQ(r.service->blob.kind, blob_kind::append);
    EXPECT_EQ(r.service->blob.appended_blocks, 2u);
    EXPECT_EQ(get("log", blob_range{2, 2}).body, "et");
}

TEST_P(seam_blobs, an_append_at_another_position_is_refused) {
    ASSERT_TRUE(carried_out(make_log("log")));
    ASSERT_TRUE(carried_out(append("log", "one", 0)));
    for (std::uint64_t const position : {0u, 2u, 4u})
        EXPECT_TRUE(refused(append("log", "x", position), service_errc::append_position_condition_not_met));
    EXPECT_EQ(bytes("log"), "one");
}

TEST_P(seam_blobs, an_append_under_an_etag_needs_that_etag) {
    auto const first = make_log("log").etag.text();
    ASSERT_TRUE(carried_out(ask(append_block{container(), "log", "x", {}, first})));
    EXPECT_TRUE(
        refused(ask(append_block{container(), "log", "y", {}, first}), service_errc::update_condition_not_satisfied));
    EXPECT_EQ(bytes("log"), "x");
}

TEST_P(seam_blobs, only_an_append_blob_is_appended_to) {
    ASSERT_TRUE(carried_out(put("a", "x")));
    ASSERT_TRUE(carried_out(make_log("log")));
    EXPECT_TRUE(refused(append("a", "x"), service_errc::invalid_blob_type));
    EXPECT_TRUE(refused(stage("log", "1", "x"), service_errc::invalid_blob_type));
    EXPECT_TRUE(refused(commit("log", {}), service_errc::invalid_blob_type));
}

TEST_P(seam_blobs, an_append_blob_that_is_made_again_is_empty) {
    ASSERT_TRUE(carried_out(make_log("log")));
    ASSERT_TRUE(carried_out(append("log", "x")));
    ASSERT_TRUE(carried_out(make_log("log")));
    EXPECT_EQ(bytes("log"), "");
    EXPECT_TRUE(carried_out(append("log", "y", 0)));
}

// --- blocks ----------------------------------------------------------------------------------------------------------

TEST_P(seam_blobs, staged_blocks_are_not_seen_before_they_are_committed) {
    ASSERT_TRUE(carried_out(stage("a", "1", "one")));
    EXPECT_TRUE(refused(get("a"), service_errc::blob_not_found));
    EXPECT_EQ(names(), std::vector<std::string>{});
    EXPECT_TRUE(carried_out(put("b", "x", {.if_absent = true})));
    auto const made = commit("a", {"1"}, {.if_absent = true});
    ASSERT_TRUE(carried_out(made));
    EXPECT_EQ(bytes("a"), "one");
    EXPECT_EQ(head("a").etag, made.etag);
}

TEST_P(seam_blobs, blocks_are_committed_in_the_order_of_the_list) {
    for (auto const* id : {"1", "2", "3"}) ASSERT_TRUE(carried_out(stage("a", id, id)));
    ASSERT_TRUE(carried_out(commit("a", {"3", "1", "3"})));
    EXPECT_EQ(bytes("a"), "313");
}

TEST_P(seam_blobs, the_last_block_of_an_id_counts) {
    ASSERT_TRUE(carried_out(stage("a", "1", "old")));
    ASSERT_TRUE(carried_out(stage("a", "1", "new")));
    ASSERT_TRUE(carried_out(commit("a", {"1"})));
    ASSERT_TRUE(carried_out(stage("a", "1", "newer")));
    EXPECT_EQ(bytes("a"), "new");
    ASSERT_TRUE(carried_out(commit("a", {"1"})));
    EXPECT_EQ(bytes("a"), "newer");
}

TEST_P(seam_blobs, a_commit_keeps_blocks_of_the_blob_that_it_names) {
    for (auto const* id : {"1", "2"}) ASSERT_TRUE(carried_out(stage("a", id, id)));
    ASSERT_TRUE(carried_out(commit("a", {"1", "2"})));
    ASSERT_TRUE(carried_out(stage("a", "3", "3")));
    ASSERT_TRUE(carried_out(commit("a", {"2", "3"})));
    EXPECT_EQ(bytes("a"), "23");
    EXPECT_TRUE(refused(commit("a", {"1"}), service_errc::invalid_block_list));
}

TEST_P(seam_blobs, a_commit_drops_the_blocks_that_it_does_not_name) {
    for (auto const* id : {"1", "2"}) ASSERT_TRUE(carried_out(stage("a", id, id)));
    ASSERT_TRUE(carried_out(commit("a", {"1"})));
    EXPECT_TRUE(refused(commit("a", {"1", "2"}), service_errc::invalid_block_list));
    EXPECT_EQ(bytes("a"), "1");
}

TEST_P(seam_blobs, a_put_drops_staged_blocks) {
    TABLEMAP_SKIP_IF(keeps_staged_blocks);
    ASSERT_TRUE(carried_out(stage("a", "1", "one")));
    ASSERT_TRUE(carried_out(put("a", "x")));
    EXPECT_TRUE(refused(commit("a", {"1"}), service_errc::invalid_block_list));
    EXPECT_EQ(bytes("a"), "x");
}

TEST_P(seam_blobs, a_commit_under_an_etag_needs_that_etag) {
    auto const first = put("a", "1").etag.text();
    auto const second = put("a", "2").etag.text();
    ASSERT_TRUE(carried_out(stage("a", "1", "one")));
    EXPECT_TRUE(refused(commit("a", {"1"}, {.if_match = first}), service_errc::update_condition_not_satisfied));
    EXPECT_EQ(bytes("a"), "2");
    EXPECT_TRUE(carried_out(commit("a", {"1"}, {.if_match = second})));
    EXPECT_EQ(bytes("a"), "one");
}

TEST_P(seam_blobs, ids_of_blocks_have_one_length) {
    ASSERT_TRUE(carried_out(stage("a", "11", "x")));
    EXPECT_TRUE(refused(stage("a", "111", "x"), service_errc::invalid_blob_or_block));
    EXPECT_TRUE(carried_out(stage("a", "\xFF\x01", "y")));
    ASSERT_TRUE(carried_out(commit("a", {"\xFF\x01", "11"})));
    EXPECT_EQ(bytes("a"), "yx");
}

TEST_P(seam_blobs, a_block_that_nobody_staged_is_refused) {
    EXPECT_TRUE(refused(commit("a", {"1"}), service_errc::invalid_block_list));
    EXPECT_TRUE(refused(get("a"), service_errc::blob_not_found));
}

}  // namespace

void link_blobs() {}

}  // namespace tablemap::testing::contract

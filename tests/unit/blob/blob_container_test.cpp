// SPDX-License-Identifier: Apache-2.0
#include "tablemap/blob/blob_container.hpp"

#include "support/answers.hpp"
#include "support/observing.hpp"
#include "support/operations.hpp"

#include "tablemap/embedded/store.hpp"
#include "tablemap/store/service_response.hpp"
#include "tablemap/testing/faulty_store.hpp"

#include <memory>
#include <string>
#include <vector>

namespace tablemap::test {
namespace {

using tablemap::testing::answer_ok;
using tablemap::testing::answer_service;
using tablemap::testing::exchange;
using tablemap::testing::response_failure;
using tablemap::testing::scripted_store;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

// --- on a store ------------------------------------------------------------------------------------------------------

class container_in_memory : public ::testing::Test {
protected:
    container_in_memory() { files.create(); }

    std::vector<std::string> names(std::string_view prefix) const {
        std::vector<std::string> all;
        for (auto const& b : files.list(prefix)) all.push_back(b.name);
        return all;
    }

    store_ptr const store = value_or_throw(open_embedded({.path = ":memory:"}));
    blob_container const files{store, "files"};
};

TEST_F(container_in_memory, gives_what_was_put) {
    auto const e = files.put("a", "hello", blob_state::absent(), "text/plain");
    auto const read = files.get("a");
    EXPECT_EQ(read.bytes, "hello");
    EXPECT_EQ(read.properties, files.properties("a"));
    EXPECT_EQ(read.properties.etag, e);
    EXPECT_EQ(read.properties.content_type, "text/plain");
}

TEST_F(container_in_memory, puts_under_the_condition_that_was_named) {
    auto const first = files.put("a", "1", blob_state::absent());
    EXPECT_TRUE(failed_with(files.try_put("a", "2", blob_state::absent()), service_errc::blob_already_exists));
    auto const second = files.put("a", "2", first);
    EXPECT_TRUE(failed_with(files.try_put("a", "3", first), service_errc::update_condition_not_satisfied));
    files.put("a", "3", blob_state::present());
    EXPECT_TRUE(
        failed_with(files.try_put("b", "1", blob_state::present()), service_errc::update_condition_not_satisfied));
    files.put("b", "1", blob_state::any());
    files.put("b", "2", blob_state::any());
    EXPECT_EQ(files.get("a").bytes + files.get("b").bytes, "32");
}

TEST_F(container_in_memory, takes_no_etag_that_was_not_read) {
    EXPECT_TRUE(failed_with(files.try_put("a", "1", etag{}), library_errc::missing_etag));
    EXPECT_TRUE(failed_with(files.try_erase("a", etag{}), library_errc::missing_etag));
    EXPECT_TRUE(failed_with(files.try_create_append("a", etag{}), library_errc::missing_etag));
    EXPECT_TRUE(failed_with(files.try_commit("a", {}, etag{}), library_errc::missing_etag));
    EXPECT_THAT(names(""), IsEmpty());
}

TEST_F(container_in_memory, reports_a_write_that_is_not_sent_under_its_name) {
    auto const seen = std::make_shared<keeping_observer>();
    blob_container const observed{with_observer(store, seen), "files"};
    EXPECT_TRUE(failed_with(observed.try_put("a", "1", etag{}), library_errc::missing_etag));
    ASSERT_EQ(seen->operations.size(), 1u);
    auto const& e = seen->operations[0];
    EXPECT_EQ(e.action, "put blob into container");
    EXPECT_EQ(e.table, "files");
    EXPECT_TRUE(e.error == library_errc::missing_etag);
    EXPECT_EQ(e.outcome, outcome::not_applied);
    EXPECT_EQ(e.requests, 0u);
}

TEST_F(container_in_memory, finds_nothing_where_nothing_is) {
    EXPECT_EQ(files.find("a"), std::nullopt);
    EXPECT_EQ(files.find_properties("a"), std::nullopt);
    EXPECT_TRUE(failed_with(files.try_get("a"), service_errc::blob_not_found));
    EXPECT_TRUE(failed_with(files.try_properties("a"), service_errc::blob_not_found));
    blob_container const missing{store, "missing"};
    EXPECT_TRUE(failed_with(missing.try_find("a"), service_errc::container_not_found));
}

TEST_F(container_in_memory, reads_parts_of_one_state_of_a_blob) {
    auto const e = files.put("a", "hello", blob_state::absent());
    EXPECT_EQ(files.get("a", {.range = blob_range{1, 3}, .etag = e}).bytes, "ell");
    EXPECT_EQ(files.get("a", {.range = blob_range{3, 100}}).bytes, "lo");
    files.put("a", "other", e);
    EXPECT_TRUE(failed_with(files.try_get("a", {.etag = e}), service_errc::update_condition_not_satisfied));
    EXPECT_TRUE(failed_with(files.try_get("a", {.range = blob_range{5, {}}}), service_errc::invalid_range));
}

TEST_F(container_in_memory, erases) {
    auto const e = files.put("a", "1", blob_state::absent());
    auto const later = files.put("a", "2", e);
    EXPECT_TRUE(failed_with(files.try_erase("a", e), service_errc::update_condition_not_satisfied));
    files.erase("a", later);
    EXPECT_TRUE(failed_with(files.try_erase("a", later), service_errc::blob_not_found));
    EXPECT_FALSE(files.erase_any("a"));
    files.put("a", "3", blob_state::absent());
    EXPECT_TRUE(files.erase_any("a"));
}

TEST_F(container_in_memory, lists_by_prefix_page_by_page) {
    for (auto const* name : {"b/2", "a", "b/1", "b/3", "c"}) files.put(name, name, blob_state::absent());
    EXPECT_THAT(names("b/"), ElementsAre("b/1", "b/2", "b/3"));
    EXPECT_THAT(names(""), ElementsAre("a", "b/1", "b/2", "b/3", "c"));
    auto const first = files.page({.prefix = "b", .top = 2});
    ASSERT_TRUE(first.next);
    auto const rest = files.page({.prefix = "b", .from = *first.next, .top = 2});
    EXPECT_EQ(rest.next, std::nullopt);
    EXPECT_EQ(rest.blobs.at(0), files.properties("b/3"));
}

TEST_F(container_in_memory, appends_at_a_position) {
    files.create_append("log", blob_state::absent());
    auto const one = files.append("log", "one", 0);
    EXPECT_EQ(one.size, 3u);
    EXPECT_TRUE(failed_with(files.try_append("log", "x", 0), service_errc::append_position_condition_not_met));
    auto const two = files.append_anywhere("log", "two");
    EXPECT_EQ(two.size, 6u);
    EXPECT_EQ(files.properties("log").etag, two.etag);
    EXPECT_EQ(files.get("log").bytes, "onetwo");
}

TEST_F(container_in_memory, makes_a_blob_of_blocks) {
    files.stage("a", "1", "one");
    files.stage("a", "2", "two");
    EXPECT_EQ(files.find("a"), std::nullopt);
    std::vector<std::string_view> const both{"2", "1"};
    auto const e = files.commit("a", both, blob_state::absent(), "text/plain");
    EXPECT_EQ(files.get("a").bytes, "twoone");
    files.stage("a", "3", "three");
    std::vector<std::string_view> const next{"1", "3"};
    files.commit("a", next, e);
    EXPECT_EQ(files.get("a").bytes, "onethree");
}

TEST_F(container_in_memory, is_made_and_deleted) {
    blob_container const other{store, "other"};
    EXPECT_FALSE(other.exists());
    EXPECT_TRUE(other.create_if_not_exists());
    EXPECT_FALSE(other.create_if_not_exists());
    EXPECT_TRUE(failed_with(other.try_create(), service_errc::container_already_exists));
    EXPECT_TRUE(other.exists());
    other.delete_container();
    EXPECT_TRUE(failed_with(other.try_delete_container(), service_errc::container_not_found));
    EXPECT_FALSE(other.delete_if_exists());
}

TEST_F(container_in_memory, names_the_container_and_no_blob_in_its_errors) {
    auto const r = files.try_get("secret");
    ASSERT_FALSE(r);
    EXPECT_EQ(r.error().table(), "files");
    EXPECT_THAT(r.error().what(), HasSubstr("get blob of container 'files': the blob does not exist"));
    EXPECT_THAT(r.error().what(), Not(HasSubstr("secret")));
}

TEST(blob_container, refuses_a_name_that_no_container_can_have) {
    auto const store = value_or_throw(open_embedded({.path = ":memory:"}));
    EXPECT_THROW((blob_container{store, "Files"}), error);
}

TEST(blob_container, refuses_bytes_that_were_cut_off) {
    auto const inner = value_or_throw(open_embedded({.path = ":memory:"}));
    auto const faulty = std::make_shared<tablemap::testing::faulty_store>(inner);
    blob_container const files{faulty, "files"};
    files.create();
    files.put("a", "hello", blob_state::absent());
    faulty->fail_next(tablemap::testing::fault::truncated);
    EXPECT_TRUE(failed_with(files.try_get("a"), library_errc::malformed_response));
}

// --- after a lost response -------------------------------------------------------------------------------------------

auto const lost = response_failure(library_errc::response_lost, outcome::in_doubt);

class container_of_script : public ::testing::Test {
protected:
    blob_container with(std::vector<exchange> script) {
        store_ = std::make_shared<scripted_store>(std::move(script));
        return blob_container{with_observer(store_, seen), "files"};
    }
    void TearDown() override { EXPECT_THAT(store_ ? store_->complaints() : std::vector<std::string>{}, IsEmpty()); }

    template <class T> static void expect_doubt(result<T> const& r, std::string const& advice) {
        ASSERT_TRUE(failed_with(r, library_errc::response_lost));
        EXPECT_EQ(r.error().outcome(), outcome::in_doubt);
        EXPECT_THAT(r.error().what(), HasSubstr(advice));
        EXPECT_THAT(r.error().what(), Not(HasSubstr("read the entity")));
        EXPECT_EQ(r.error().table(), "files");
    }

    tablemap::testing::fixed_clock clock{1};
    call_options twice{.retry = exact_retry(2), .clock = &clock};
    exchange const lost_put{"put blob into container files [a]", lost};
    std::shared_ptr<keeping_observer> const seen = std::make_shared<keeping_observer>();

private:
    std::shared_ptr<scripted_store> store_;
};

TEST_F(container_of_script, puts_again_what_it_puts_whatever_is_there) {
    auto const files = with({{"put blob", lost}, {"put blob", answer_ok("\"1\"")}});
    EXPECT_EQ(files.put("a", "x", blob_state::any(), {}, twice).text(), "\"1\"");
}

TEST_F(container_of_script, does_not_know_whose_conflict_it_met) {
    auto const files =
        with({{"put blob", lost}, {"put blob", response_failure(service_errc::update_condition_not_satisfied)}});
    expect_doubt(files.try_put("a", "x", etag{"\"1\""}, {}, twice), "read the blob's properties to see");
}

TEST_F(container_of_script, does_not_put_again_what_must_be_absent) {
    auto const files = with({{"put blob", lost}});
    expect_doubt(files.try_put("a", "x", blob_state::absent(), {}, twice), "it was not sent again");
}

TEST_F(container_of_script, does_not_append_again_anywhere) {
    auto const files = with({{"append to blob", lost}});
    expect_doubt(files.try_append_anywhere("a", "x", twice), "read the blob's properties to see");
}

TEST_F(container_of_script, appends_again_at_a_position) {
    auto const files = with({{"append to blob", lost}, {"append to blob", answer_service({.blob = {.size = 8}})}});
    EXPECT_EQ(files.append("a", "x", 7, twice).size, 8u);
    auto const other =
        with({{"append to blob", lost}, {"append", response_failure(service_errc::append_position_condition_not_met)}});
    expect_doubt(other.try_append("a", "x", 7, twice), "read the blob's properties to see");
}

TEST_F(container_of_script, does_not_erase_again_whatever_is_there) {
    auto const files = with({{"delete blob", lost}});
    expect_doubt(files.try_erase_any("a", twice), "read the blob's properties to see");
}

TEST_F(container_of_script, stages_again) {
    auto const files = with({{"stage block", lost}, {"stage block", answer_ok()}});
    EXPECT_TRUE(files.try_stage("a", "1", "x", twice));
    expect_doubt(with({{"stage block", lost}, {"stage block", lost}}).try_stage("a", "1", "x", twice), "");
}

TEST_F(container_of_script, does_not_know_who_made_a_container) {
    auto const there = response_failure(service_errc::container_already_exists);
    expect_doubt(with({{"create container", lost}, {"create container", there}}).try_create(twice), "exists() tells");
    auto const made = with({{"create container", lost}, {"create", there}}).create_if_not_exists(twice);
    EXPECT_FALSE(made.is_known());
    EXPECT_THROW(static_cast<void>(static_cast<bool>(made)), error);
}

TEST_F(container_of_script, does_not_know_who_deleted_a_container) {
    auto const gone = response_failure(service_errc::container_not_found);
    expect_doubt(with({{"delete container", lost}, {"delete container", gone}}).try_delete_container(twice),
                 "exists() tells");
    EXPECT_FALSE(with({{"delete container", lost}, {"delete", gone}}).delete_if_exists(twice).is_known());
}

TEST_F(container_of_script, that_nobody_knows_who_made_or_deleted_is_reported_in_doubt) {
    auto const there = response_failure(service_errc::container_already_exists);
    auto const gone = response_failure(service_errc::container_not_found);
    EXPECT_TRUE(with({{"create container", lost}, {"create", there}}).try_create_if_not_exists(twice));
    EXPECT_TRUE(with({{"delete container", lost}, {"delete", gone}}).try_delete_if_exists(twice));
    ASSERT_EQ(seen->operations.size(), 2u);
    for (auto const& e : seen->operations) {
        EXPECT_FALSE(e.error);
        EXPECT_EQ(e.outcome, outcome::in_doubt) << e.action;
    }
}

TEST_F(container_of_script, ends_a_list_that_goes_in_circles) {
    auto const page = [](char const* next) {
        return exchange{"list blobs", answer_service({.blobs = {{.name = "a"}}, .next_blob = next})};
    };
    std::vector<exchange> circle;
    for (int i = 0; i < 4; ++i) circle.push_back(page(i % 2 == 0 ? "x" : "y"));
    auto const s = std::make_shared<scripted_store>(circle);
    EXPECT_TRUE(failed_with(blob_container(s, "files").try_list(), library_errc::malformed_response));
}

}  // namespace
}  // namespace tablemap::test

// SPDX-License-Identifier: Apache-2.0
#include "tablemap/blob/async_blob_container.hpp"

#include "support/answers.hpp"
#include "support/async_calls.hpp"
#include "support/observing.hpp"
#include "support/operations.hpp"

#include "tablemap/embedded/store.hpp"
#include "tablemap/store/service_response.hpp"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace tablemap::test {
namespace {

using tablemap::testing::answer_service;
using tablemap::testing::exchange;
using tablemap::testing::response_failure;
using tablemap::testing::scripted_store;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

/// Longer than the small buffer of a string, so that the sanitizers find a copy that was not kept.
std::string const long_text = "bytes that are longer than the small buffer of a string";

// --- on a store ------------------------------------------------------------------------------------------------------

class async_container_in_memory : public ::testing::Test {
protected:
    async_container_in_memory() { files.create(future).get(); }

    void put(std::string_view name, std::string_view bytes) { files.put(name, bytes, blob_state::any(), future).get(); }

    store_ptr const store = value_or_throw(open_embedded({.path = ":memory:"}));
    async_blob_container const files{store, "files"};
};

TEST_F(async_container_in_memory, completes_a_coroutine_for_every_operation_on_whole_blobs) {
    run([](async_blob_container const& f) -> asio::awaitable<void> {
        auto const first = co_await f.put("a", std::string{long_text}, blob_state::absent(), "text/plain", awaited);
        auto const read = co_await f.get("a", awaited);
        EXPECT_EQ(read.bytes, long_text);
        EXPECT_EQ(read.properties.etag, first);
        EXPECT_EQ(read.properties.content_type, "text/plain");
        auto const second = co_await f.put("a", "2", first, awaited);
        EXPECT_EQ((co_await f.find("a", awaited))->bytes, "2");
        EXPECT_EQ((co_await f.properties("a", awaited)).etag, second);
        EXPECT_TRUE(co_await f.find_properties("a", awaited));
        co_await f.erase("a", second, awaited);
        EXPECT_FALSE(co_await f.erase_any("a", awaited));
        EXPECT_FALSE(co_await f.find("a", awaited));
        EXPECT_FALSE(co_await f.find_properties("a", awaited));
    }(files));
}

TEST_F(async_container_in_memory, completes_a_coroutine_for_every_operation_on_itself) {
    run([](async_blob_container const f) -> asio::awaitable<void> {
        EXPECT_FALSE(co_await f.create_if_not_exists(awaited));
        EXPECT_TRUE(co_await f.exists(awaited));
        EXPECT_TRUE(co_await f.delete_if_exists(awaited));
        EXPECT_FALSE(co_await f.delete_if_exists(awaited));
        EXPECT_FALSE(co_await f.exists(awaited));
        co_await f.create(awaited);
        co_await f.delete_container(awaited);
        EXPECT_TRUE(co_await f.create_if_not_exists(awaited));
    }(files));
}

TEST_F(async_container_in_memory, appends_and_commits_blocks) {
    run([](async_blob_container const& f) -> asio::awaitable<void> {
        co_await f.create_append("log", blob_state::absent(), awaited);
        co_await f.create_append("log", blob_state::present(), "text/plain", awaited);
        auto const end = co_await f.append("log", std::string{long_text}, 0, awaited);
        EXPECT_EQ(end.size, long_text.size());
        EXPECT_EQ((co_await f.append_anywhere("log", "!", awaited)).size, end.size + 1);
        co_await f.stage("a", "1", std::string{long_text}, awaited);
        co_await f.stage("a", "2", "two", awaited);
        std::vector<std::string> const ids{"2", "1"};
        auto const e = co_await f.commit("a", ids, blob_state::absent(), awaited);
        EXPECT_EQ((co_await f.get("a", awaited)).bytes, "two" + long_text);
        std::vector<std::string_view> const one{"2"};
        co_await f.commit("a", one, e, "text/plain", awaited);
        EXPECT_EQ((co_await f.get("a", awaited)).bytes, "two");
    }(files));
}

TEST_F(async_container_in_memory, reads_parts_of_one_state_of_a_blob) {
    put("a", "hello");
    auto const etag = files.properties("a", future).get().etag;
    blob_part const part{.range = blob_range{1, 3}, .etag = etag};
    EXPECT_EQ(files.get("a", part, future).get().bytes, "ell");
    EXPECT_EQ(files.find("a", part, future).get()->bytes, "ell");
    put("a", "other");
    EXPECT_TRUE(failed_with(outcome_of(files.get("a", part, future)), service_errc::update_condition_not_satisfied));
}

TEST_F(async_container_in_memory, lists_by_prefix_page_by_page) {
    for (auto const* name : {"b/2", "a", "b/1", "b/3", "c"}) put(name, name);
    EXPECT_THAT(files.list(future).get(), SizeIs(5));
    EXPECT_THAT(files.list("b/", future).get(), SizeIs(3));
    blob_selection which{.prefix = "b", .top = 2};
    auto const first = files.page(which, future).get();
    ASSERT_TRUE(first.next);
    which.from = *first.next;
    EXPECT_THAT(files.page(which, future).get().blobs, SizeIs(1));
    EXPECT_THAT(files.page(future).get().blobs, SizeIs(5));
}

TEST_F(async_container_in_memory, takes_options_before_the_token) {
    call_options const o{.request_id = long_text};
    auto const e = files.put("a", "1", blob_state::absent(), o, future).get();
    files.put("a", "1", e, "text/plain", o, future).get();
    EXPECT_EQ(files.get("a", o, future).get().bytes, "1");
    blob_part const whole{};
    EXPECT_EQ(files.get("a", whole, o, future).get().bytes, "1");
    EXPECT_THAT(files.list("a", o, future).get(), SizeIs(1));
    EXPECT_THAT(files.list(o, future).get(), SizeIs(1));
    EXPECT_THAT(files.page(o, future).get().blobs, SizeIs(1));
}

TEST_F(async_container_in_memory, takes_no_etag_that_was_not_read) {
    EXPECT_TRUE(failed_with(outcome_of(files.put("a", "1", etag{}, future)), library_errc::missing_etag));
    EXPECT_TRUE(failed_with(outcome_of(files.erase("a", etag{}, future)), library_errc::missing_etag));
    EXPECT_TRUE(failed_with(outcome_of(files.create_append("a", etag{}, future)), library_errc::missing_etag));
    std::vector<std::string> const none;
    EXPECT_TRUE(failed_with(outcome_of(files.commit("a", none, etag{}, future)), library_errc::missing_etag));
    EXPECT_THAT(files.list(future).get(), IsEmpty());
}

TEST_F(async_container_in_memory, names_itself_in_its_errors) {
    async_blob_container const missing{store, "missing"};
    auto const read = outcome_of(missing.get("secret", future));
    ASSERT_TRUE(failed_with(read, service_errc::container_not_found));
    EXPECT_EQ(read.error().table(), "missing");
    auto const listed = outcome_of(missing.list(future));
    ASSERT_FALSE(listed);
    EXPECT_THAT(listed.error().what(), HasSubstr("list blobs of container 'missing'"));
}

TEST_F(async_container_in_memory, reports_a_list_as_one_operation) {
    auto const seen = std::make_shared<keeping_observer>();
    async_blob_container{with_observer(store, seen), "files"}.list(future).get();
    ASSERT_THAT(seen->operations, SizeIs(1));
    EXPECT_EQ(seen->operations[0].action, "list blobs of container");
    EXPECT_EQ(seen->operations[0].table, "files");
}

TEST_F(async_container_in_memory, reports_a_write_that_is_not_sent_under_its_name) {
    auto const seen = std::make_shared<keeping_observer>();
    auto const r = outcome_of(async_blob_container{with_observer(store, seen), "files"}.put("a", "1", etag{}, future));
    EXPECT_TRUE(failed_with(r, library_errc::missing_etag));
    ASSERT_THAT(seen->operations, SizeIs(1));
    EXPECT_EQ(seen->operations[0].action, "put blob into container");
    EXPECT_EQ(seen->operations[0].table, "files");
}

TEST(async_blob_container, refuses_a_name_that_no_container_can_have) {
    auto const store = value_or_throw(open_embedded({.path = ":memory:"}));
    EXPECT_THROW((async_blob_container{store, "Files"}), error);
    EXPECT_EQ(async_blob_container(store, "files").name(), "files");
}

// --- after a lost response -------------------------------------------------------------------------------------------

auto const lost = response_failure(library_errc::response_lost, outcome::in_doubt);

class async_container_of_script : public ::testing::Test {
protected:
    async_blob_container with(std::vector<exchange> script) {
        store_ = std::make_shared<scripted_store>(std::move(script));
        return async_blob_container{with_observer(store_, seen), "files"};
    }
    void TearDown() override { EXPECT_THAT(store_->complaints(), IsEmpty()); }

    std::shared_ptr<keeping_observer> const seen = std::make_shared<keeping_observer>();

    template <class T> static void expect_doubt(result<T> const& r, std::string const& advice) {
        ASSERT_TRUE(failed_with(r, library_errc::response_lost));
        EXPECT_EQ(r.error().outcome(), outcome::in_doubt);
        EXPECT_THAT(r.error().what(), HasSubstr(advice));
    }

    tablemap::testing::fixed_clock clock{1};
    call_options twice{.retry = exact_retry(2), .clock = &clock};

private:
    std::shared_ptr<scripted_store> store_;
};

TEST_F(async_container_of_script, does_not_put_again_what_must_be_absent) {
    auto const files = with({{"put blob", lost}});
    expect_doubt(outcome_of(files.put("a", "x", blob_state::absent(), twice, future)), "it was not sent again");
}

TEST_F(async_container_of_script, appends_again_at_a_position) {
    auto const files = with({{"append to blob", lost}, {"append to blob", answer_service({.blob = {.size = 8}})}});
    EXPECT_EQ(files.append("a", "x", 7, twice, future).get().size, 8U);
}

TEST_F(async_container_of_script, does_not_know_who_made_a_container) {
    auto const there = response_failure(service_errc::container_already_exists);
    std::vector<exchange> const script{{"create container", lost}, {"create container", there}};
    expect_doubt(outcome_of(with(script).create(twice, future)), "exists() tells");
    EXPECT_FALSE(with(script).create_if_not_exists(twice, future).get().is_known());
    ASSERT_THAT(seen->operations, SizeIs(2));
    EXPECT_EQ(seen->operations[1].outcome, outcome::in_doubt);
}

TEST_F(async_container_of_script, ends_a_list_that_goes_in_circles) {
    std::vector<exchange> circle;
    for (auto const* next : {"x", "y", "x", "y"})
        circle.push_back({"list blobs", answer_service({.blobs = {{.name = "a"}}, .next_blob = next})});
    auto const s = std::make_shared<scripted_store>(circle);
    auto const listed = outcome_of(async_blob_container(s, "files").list(future));
    EXPECT_TRUE(failed_with(listed, library_errc::malformed_response));
    with({});
}

}  // namespace
}  // namespace tablemap::test

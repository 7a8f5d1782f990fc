// SPDX-License-Identifier: Apache-2.0
#include "tablemap/patterns/large_collector.hpp"

#include "support/encrypted_samples.hpp"
#include "support/large_samples.hpp"
#include "support/mortal_store.hpp"

#include "tablemap/embedded/store.hpp"
#include "tablemap/mapping/dynamic.hpp"
#include "tablemap/testing/faulty_store.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <string>

namespace tablemap::test {
namespace {

using namespace std::chrono_literals;
using tablemap::testing::fault;
using tablemap::testing::faulty_store;

ticks in_a_minute() { return ticks::now() + 1min; }

class large_collection_of_blobs : public ::testing::Test {
protected:
    void SetUp() override {
        all.rows().create();
        all.blobs().create();
    }

    large_collector collector(large_collector_options o = {}) const { return through(store, std::move(o)); }
    static large_collector through(store_ptr s, large_collector_options o = {}) {
        return {std::move(s), "Documents", "values", std::move(o)};
    }
    /// A collector for which all permits are old.
    large_collector hasty() const { return collector({.grace = 0s, .now = &in_a_minute}); }

    /// A writer that is killed before its transaction.
    void kill_writer() const {
        large_table<document> const doomed{std::make_shared<mortal_store>(store, 3, false), "Documents", "values"};
        EXPECT_THROW(doomed.insert(sample_document(9)), killed);
    }
    std::size_t blobs() const { return all.blobs().list().size(); }
    std::size_t permits() const {
        std::size_t count = 0;
        table<dynamic_entity> const raw{store, "Documents"};
        for (auto q = raw.scan(); auto& e : q) count += e.value.row_key.starts_with("~large_");
        return count;
    }

    store_ptr store = value_or_throw(open_embedded({.path = ":memory:"}));
    large_table<document> all{store, "Documents", "values"};
};

TEST_F(large_collection_of_blobs, keeps_what_rows_name_and_deletes_what_they_named_before) {
    all.insert(sample_document(1));
    auto e = all.insert(sample_document(2));
    e.value.text = sample_text(1);
    all.replace(e);
    all.erase_any({"plans", 1});
    auto const done = collector().sweep();
    EXPECT_TRUE(done.complete());
    EXPECT_FALSE(done.cursor);
    EXPECT_EQ(std::tuple(done.blobs, done.in_use, done.deleted), std::tuple(5u, 2u, 3u));
    EXPECT_EQ(all.find("plans", 2)->value, e.value);
    EXPECT_EQ(collector().sweep().deleted, 0u);
}

TEST_F(large_collection_of_blobs, leaves_writers_their_time) {
    kill_writer();
    auto const early = collector().sweep();
    EXPECT_EQ(std::tuple(early.young, early.deleted, early.permits), std::tuple(3u, 0u, 0u));  // 2 blobs, a permit
    EXPECT_EQ(blobs(), 2u);
    auto const late = hasty().sweep();
    EXPECT_TRUE(late.complete());
    EXPECT_EQ(late.deleted, 2u);
    EXPECT_EQ(late.permits, 1u);
    EXPECT_EQ(permits(), 0u);
}

TEST_F(large_collection_of_blobs, finds_old_permits_though_the_clock_of_the_file_was_ahead) {
    auto const years_ahead = [] { return ticks::now() + std::chrono::hours{24 * 365 * 4}; };
    store = value_or_throw(open_embedded({.path = ":memory:", .now = years_ahead}));
    all = {store, "Documents", "values"};
    SetUp();
    kill_writer();
    EXPECT_EQ(collector().sweep().young, 3u);
    auto const late = hasty().sweep();
    EXPECT_EQ(std::tuple(late.young, late.deleted, late.permits), std::tuple(0u, 2u, 1u));
    EXPECT_EQ(permits(), 0u);
}

TEST_F(large_collection_of_blobs, leaves_blobs_whose_names_are_written_in_another_way) {
    all.blobs().put("documents/plans/rdoc_~30/" + std::string(32, 'a') + "-001", "foreign",
                    blob_state::absent());  // '0' needs no escape
    EXPECT_EQ(hasty().sweep().deleted, 0u);
    EXPECT_EQ(blobs(), 1u);
}

TEST_F(large_collection_of_blobs, erases_permits_without_blobs) {
    large_table<document> const doomed{std::make_shared<mortal_store>(store, 1, false), "Documents", "values"};
    EXPECT_THROW(doomed.insert(sample_document(9)), killed);
    EXPECT_EQ(permits(), 1u);
    EXPECT_EQ(collector().sweep().young, 1u);
    EXPECT_EQ(hasty().sweep().permits, 1u);
    EXPECT_EQ(permits(), 0u);
}

TEST_F(large_collection_of_blobs, lets_a_writer_begin_anew_whose_permit_it_took) {
    auto const faulty = std::make_shared<faulty_store>(store);
    faulty->act_before([&](class store&) { EXPECT_EQ(hasty().sweep().deleted, 2u); }, 3);
    large_table<document> const slow{faulty, "Documents", "values"};
    slow.insert(sample_document(1));
    EXPECT_EQ(all.find("plans", 1)->value, sample_document(1));
    EXPECT_EQ(blobs(), 2u);
    EXPECT_EQ(permits(), 0u);
}

TEST_F(large_collection_of_blobs, refuses_a_writer_whose_permits_it_takes_each_time) {
    auto const faulty = std::make_shared<faulty_store>(store);
    for (std::size_t const request : {3u, 7u, 11u})
        faulty->act_before([&](class store&) { static_cast<void>(hasty().sweep()); }, request);
    large_table<document> const slow{faulty, "Documents", "values"};
    EXPECT_EQ(slow.try_insert(sample_document(1)).error().code(), library_errc::too_many_conflicts);
    EXPECT_FALSE(all.find("plans", 1));
}

TEST_F(large_collection_of_blobs, keeps_blobs_that_are_named_between_its_looks) {
    for (std::size_t request = 0; request < 8; ++request) {
        all.erase_any({"plans", 1});
        static_cast<void>(hasty().sweep());
        auto const writer = std::make_shared<faulty_store>(store), sweeper = std::make_shared<faulty_store>(store);
        // The sweep begins before the transaction, which is carried out before one of the sweep's requests.
        writer->set_overtaking(1000);
        writer->fail_next(fault::overtaken, 3);
        sweeper->act_before([&](class store&) { writer->carry_out_overtaken(); }, request);
        auto const collector = through(sweeper, {.grace = 0s, .parallel = 1, .now = &in_a_minute});
        writer->act_before([&](class store&) { static_cast<void>(collector.sweep()); }, 4);
        large_table<document> const slow{writer, "Documents", "values"};
        auto const told = slow.try_insert(sample_document(1), {.retry = retry_policy::none()});
        auto const found = all.find("plans", 1);  // with its blobs, or it throws
        auto const said = told ? outcome::applied : told.error().outcome();
        EXPECT_TRUE(said == outcome::in_doubt || found.has_value() == (said == outcome::applied)) << request;
    }
}

TEST_F(large_collection_of_blobs, keeps_a_blob_that_a_row_names_once_its_permit_is_erased) {
    kill_writer();
    auto const name = all.blobs().list().front().name;
    dynamic_entity row{"plans", "doc_000009"};
    row.set("text", "@" + name.substr(name.rfind('/') + 1));
    auto const faulty = std::make_shared<faulty_store>(store);
    faulty->act_before([&](class store&) { table<dynamic_entity>{store, "Documents"}.insert(row); }, 4);
    auto const done = through(faulty, {.grace = 0s, .parallel = 1, .now = &in_a_minute}).sweep();
    EXPECT_EQ(done.in_use, 1u);
    EXPECT_EQ(all.blobs().list().front().name, name);
}

/// Another program has encrypted all properties of the row, as `reencrypt` does.
TEST_F(large_collection_of_blobs, keeps_blobs_of_rows_that_it_cannot_decrypt_and_finds_their_names_if_it_can) {
    all.insert(sample_document(1));
    auto const secret = with_keys(store, ring_of("a"));
    auto const every = [](auto, auto, auto) { return true; };
    table<dynamic_entity> const rows{secret, "Documents", {.encrypt = every}};
    auto row = *rows.find("plans", "doc_000001");
    rows.replace(row);
    auto const blind = hasty().sweep();
    EXPECT_EQ(std::pair(blind.failed, blind.deleted), std::pair(std::size_t{2}, std::size_t{0}));
    EXPECT_EQ(through(secret).sweep().in_use, 2u);
    row.value.set("text", "=none");
    rows.replace(row);
    EXPECT_EQ(through(secret).sweep().deleted, 1u);
    EXPECT_EQ(blobs(), 1u);
}

TEST_F(large_collection_of_blobs, goes_on_where_it_ended) {
    for (int i = 1; i <= 5; ++i) all.upsert(sample_document(i));
    for (int i = 1; i <= 4; ++i) all.erase_any({"plans", i});
    kill_writer();
    std::size_t deleted = 0, sweeps = 0;
    std::string cursor;
    do {
        auto const faulty = std::make_shared<faulty_store>(store);
        auto const one = through(faulty, {.grace = 0s, .page_size = 3, .parallel = 1, .now = &in_a_minute});
        faulty->fail_next(fault::reset, 14);
        auto const done = one.sweep_from(cursor, {.retry = retry_policy::none()});
        deleted += done.deleted;
        cursor = done.cursor.value_or("");
        ASSERT_LT(++sweeps, 20u);
    } while (!cursor.empty());
    static_cast<void>(hasty().sweep());
    EXPECT_EQ(blobs(), 2u);
    EXPECT_EQ(permits(), 0u);
    EXPECT_GT(deleted, 5u);
}

TEST_F(large_collection_of_blobs, stops_at_the_cursor_of_something_else_and_without_a_container) {
    EXPECT_EQ(collector().sweep_from("nonsense").ended_by->code(), library_errc::invalid_cursor);
    all.blobs().delete_container();
    auto const done = collector().sweep();
    EXPECT_EQ(done.ended_by->code(), service_errc::container_not_found);
    EXPECT_TRUE(done.cursor);
}

TEST_F(large_collection_of_blobs, leaves_other_blobs_alone) {
    all.blobs().put("documents/notes.txt", "mine", blob_state::absent());
    all.blobs().put("documentsx/pa/rb/c", "mine", blob_state::absent());
    EXPECT_EQ(hasty().sweep().strangers, 1u);
    EXPECT_EQ(blobs(), 2u);
}

TEST_F(large_collection_of_blobs, leaves_rows_alone_whose_keys_only_begin_like_those_of_permits) {
    table<dynamic_entity> const raw{store, "Documents"};
    raw.insert({"plans", "~large_customers"});
    EXPECT_EQ(hasty().sweep().strangers, 1u);
    EXPECT_TRUE(raw.find("plans", "~large_customers"));
}

TEST_F(large_collection_of_blobs, tells_its_progress_and_keeps_its_rate) {
    for (int i = 1; i <= 3; ++i) all.insert(sample_document(i));
    std::vector<std::size_t> seen;
    auto const tell = [&](large_report const& r) { seen.push_back(r.blobs); };
    static_cast<void>(collector({.page_size = 2, .progress = tell}).sweep());
    EXPECT_EQ(seen, (std::vector<std::size_t>{2, 4, 6, 6}));
}

TEST_F(large_collection_of_blobs, has_options_that_can_be_used) {
    EXPECT_THROW(collector({.grace = -1s}), error);
    EXPECT_THROW(collector({.page_size = 0}), error);
    EXPECT_THROW(collector({.page_size = 1001}), error);
    EXPECT_THROW(collector({.per_second = -1}), error);
    EXPECT_THROW(collector({.parallel = 0}), error);
    EXPECT_THROW(collector({.now = {}}), error);
}

}  // namespace
}  // namespace tablemap::test

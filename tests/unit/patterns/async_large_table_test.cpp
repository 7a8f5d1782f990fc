// SPDX-License-Identifier: Apache-2.0
#include "tablemap/patterns/async_large_table.hpp"

#include "support/async_calls.hpp"
#include "support/large_samples.hpp"
#include "support/waiting_stores.hpp"

#include "tablemap/embedded/store.hpp"
#include "tablemap/patterns/async_large_collector.hpp"
#include "tablemap/testing/faulty_store.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <memory>
#include <new>
#include <span>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

namespace tablemap::test {
namespace {

using tablemap::testing::fault;
using tablemap::testing::faulty_store;

using documents = async_large_table<document>;

class async_large_members : public ::testing::Test {
protected:
    void SetUp() override {
        blocking.rows().create();
        blocking.blobs().create();
    }
    async_large_collector collector(large_collector_options o = {}) const {
        return {faulty, "Documents", "document-values", std::move(o)};
    }

    std::shared_ptr<faulty_store> faulty =
        std::make_shared<faulty_store>(value_or_throw(open_embedded({.path = ":memory:"})));
    large_table<document> blocking{faulty, "Documents", "document-values"};
    documents all{faulty, "Documents", "document-values"};
};

// ---- entities -------------------------------------------------------------------------------------------------------

asio::awaitable<void> write_and_read(documents all) {
    auto const first = sample_document(1);
    auto e = co_await all.insert(first, awaited);
    e.value.text = sample_text(1);
    co_await all.merge(e, only<&document::text>, awaited);
    e.value.title = "replaced";
    co_await all.replace(e, awaited);
    auto const found = co_await all.find("plans", 1, awaited);
    EXPECT_EQ(found->value, e.value);
    EXPECT_EQ(found->etag, e.etag);
    co_await all.erase(*found, awaited);
    EXPECT_FALSE(co_await all.find({"plans", 1}, awaited));
}

TEST_F(async_large_members, are_written_and_read) {
    run(write_and_read(all));
    EXPECT_EQ(blocking.blobs().list().size(), 3U) << "two of the insert, and the other text";
}

asio::awaitable<void> change(documents all) {
    auto const first = sample_document(1);
    co_await all.upsert(first, awaited);
    auto const e = co_await all.modify(
        {"plans", 1}, [](document& d) { d.text.edit() += "!"; }, awaited);
    EXPECT_EQ(e.value.text, sample_text(0) + "!");
    modify_options const patient{.attempts = 3};
    co_await all.modify(
        {"plans", 1}, [](document& d) { d.title = "new"; }, patient, call_options{}, awaited);
    EXPECT_TRUE(co_await all.erase_any({"plans", 1}, awaited));
    EXPECT_FALSE(co_await all.erase_any({"plans", 1}, awaited));
}

TEST_F(async_large_members, are_changed_and_erased_by_keys) { run(change(all)); }

TEST_F(async_large_members, are_modified_again_after_a_conflict) {
    blocking.insert(sample_document(1));
    faulty->act_before(
        [&](class store& s) {
            table<document> const others{store_ptr{std::shared_ptr<void>{}, &s}, "Documents"};
            auto e = *others.find("plans", 1);
            e.value.title = "theirs";
            others.merge(e, only<&document::title>);
        },
        3);  // after the row and its two values
    int calls = 0;
    auto const add = [&calls](document& d) { d.title += std::to_string(++calls); };
    EXPECT_TRUE(all.modify({"plans", 1}, add, future).get().value.title.starts_with("theirs"));
    EXPECT_EQ(calls, 2);
}

asio::awaitable<void> load_rows(documents all) {
    auto range = all.rows().query(partition("plans"));
    int count = 0;
    while (auto row = co_await range.next(awaited)) {
        EXPECT_FALSE(row->value.text.is_loaded());
        EXPECT_TRUE(co_await all.load(*row, awaited));
        EXPECT_EQ(row->value, sample_document(row->value.id));
        ++count;
    }
    EXPECT_EQ(count, 2);
}

TEST_F(async_large_members, of_queried_rows_are_loaded_when_asked_for) {
    blocking.insert(sample_document(1));
    blocking.insert(sample_document(2));
    run(load_rows(all));
}

TEST_F(async_large_members, have_a_table_and_a_container_to_create) {
    documents const others{faulty, "Others", "other-values"};
    others.rows().create(future).get();
    others.blobs().create(future).get();
    auto const d = sample_document(1);
    EXPECT_EQ(others.insert(d, future).get().value, d);
    EXPECT_THROW((documents{faulty, "Others", "NO"}), error);
}

// ---- values beyond memory -------------------------------------------------------------------------------------------

TEST_F(async_large_members, are_streamed_from_a_source_and_to_a_function) {
    constexpr std::size_t size = 9'000'000;
    std::size_t left = size, read = 0;
    document d{.folder = "plans", .id = 1};
    d.picture = large<bytes>::from([&left](std::span<std::byte> to) {
        auto const n = std::min(left, to.size());
        std::fill_n(to.begin(), n, std::byte{7});
        left -= n;
        return n;
    });
    all.insert(d, future).get();
    auto const row = all.rows().find({"plans", 1}, future).get();
    auto const count = [&read](std::span<std::byte const> piece) { read += piece.size(); };
    EXPECT_TRUE(all.read<&document::picture>(*row, count, future).get());
    EXPECT_EQ(read, size);
}

TEST_F(async_large_members, hand_on_what_sources_and_functions_throw) {
    document d{.folder = "plans", .id = 1};
    d.picture = large<bytes>::from([](std::span<std::byte>) -> std::size_t { throw std::runtime_error{"no"}; });
    EXPECT_THROW(static_cast<void>(all.insert(d, future).get()), std::runtime_error);
    auto const e = blocking.insert(sample_document(2));
    auto const refuse = [](std::span<std::byte const>) { throw std::runtime_error{"no"}; };
    EXPECT_THROW(static_cast<void>(all.read<&document::picture>(e, refuse, future).get()), std::runtime_error);
}

// ---- ends -----------------------------------------------------------------------------------------------------------

TEST_F(async_large_members, end_with_the_errors_of_blocking_ones) {
    auto const d = sample_document(1);
    blocking.insert(d);
    auto const taken = outcome_of(all.insert(d, future));
    EXPECT_EQ(taken.error().code(), service_errc::entity_already_exists);
    EXPECT_EQ(taken.error().table(), "Documents");
    entity<document> unread{.value = d};
    EXPECT_EQ(outcome_of(all.replace(unread, future)).error().code(), library_errc::missing_etag);
    EXPECT_EQ(outcome_of(all.erase(unread, future)).error().code(), library_errc::missing_etag);
}

TEST_F(async_large_members, end_an_operation_after_their_table_is_destroyed) {
    auto const d = sample_document(1);
    EXPECT_EQ(documents(faulty, "Documents", "document-values").insert(d, future).get().value, d);
    EXPECT_TRUE(documents(faulty, "Documents", "document-values").erase_any({"plans", 1}, future).get());
}

TEST_F(async_large_members, are_stored_or_not_as_the_outcome_says_after_lost_responses) {
    auto const d = sample_document(1);
    call_options const once{.retry = retry_policy::none()};
    for (auto const met : {fault::lost_before, fault::lost_after})
        for (std::size_t request = 0; request < 4; ++request) {
            blocking.erase_any({"plans", 1});
            faulty->fail_next(met, request);
            auto const told = outcome_of(all.insert(d, once, future));
            auto const said = told ? outcome::applied : told.error().outcome();
            EXPECT_NE(said, outcome::in_doubt) << request;
            EXPECT_EQ(blocking.find("plans", 1).has_value(), said == outcome::applied) << request;
        }
}

/// The memory of an entity, which is overwritten when the entity is destroyed.
class overwritten_memory {
public:
    explicit overwritten_memory(entity<document> e) : entity_(new (room_.data()) entity<document>(std::move(e))) {}

    entity<document>& get() { return *entity_; }
    void destroy() {
        std::destroy_at(entity_);
        std::fill(room_.begin(), room_.end(), mark);
    }
    bool is_untouched() const {
        return std::all_of(room_.begin(), room_.end(), [](std::byte b) { return b == mark; });
    }

private:
    static constexpr std::byte mark{0xA5};

    std::vector<std::byte> room_ = std::vector<std::byte>(sizeof(entity<document>));
    entity<document>* entity_;
};

TEST_F(async_large_members, leave_an_entity_alone_that_went_with_its_context) {
    for (std::size_t answered = 0; answered < 3; ++answered) {  // of the permit, the blob and the transaction
        auto const pending = std::make_shared<pending_store>(faulty);
        documents const some{pending, "Documents", "document-values"};
        overwritten_memory memory{blocking.upsert(sample_document(1))};
        memory.get().value.text = sample_text(1);
        {
            asio::io_context io;
            std::shared_ptr<void> owner{nullptr, [&](void*) { memory.destroy(); }};
            auto handler = [owner = std::move(owner)](std::exception_ptr) {};
            some.replace(memory.get(), asio::bind_executor(io, std::move(handler)));
            for (std::size_t i = 0; i < answered; ++i) EXPECT_TRUE(pending->answer_one());
        }
        pending->answer_all();
        EXPECT_TRUE(memory.is_untouched()) << answered;
    }
}

TEST_F(async_large_members, have_copies_that_name_no_blob_of_a_write_under_way) {
    auto e = blocking.insert(sample_document(1));
    e.value.text = sample_text(1);
    auto const pending = std::make_shared<pending_store>(faulty);
    auto done = documents(pending, "Documents", "document-values").replace(e, future);
    auto copy = e;
    auto const replaced = blocking.rows().try_replace(copy);
    pending->answer_all();
    EXPECT_EQ(replaced.error().code(), library_errc::value_too_large);
    done.get();
    EXPECT_EQ(blocking.find("plans", 1)->value.text, sample_text(1));
}

// ---- collectors -----------------------------------------------------------------------------------------------------

TEST_F(async_large_members, are_collected_when_no_row_names_them) {
    blocking.insert(sample_document(1));
    blocking.insert(sample_document(2));
    blocking.erase_any({"plans", 1});
    auto const done = collector().sweep(future).get();
    EXPECT_TRUE(done.complete());
    EXPECT_EQ(done.deleted, 2U);
    EXPECT_EQ(done.in_use, 2U);
    EXPECT_EQ(blocking.find("plans", 2)->value, sample_document(2));
}

TEST_F(async_large_members, are_collected_from_a_cursor) {
    blocking.insert(sample_document(1));
    blocking.erase_any({"plans", 1});
    std::stop_source stop;
    auto const ending = collector({.page_size = 1, .progress = [&](large_report const&) { stop.request_stop(); }});
    auto const first = ending.sweep(call_options{.stop = stop.get_token()}, future).get();
    ASSERT_TRUE(first.cursor);
    EXPECT_EQ(first.deleted, 1U);
    EXPECT_EQ(collector().sweep_from(*first.cursor, future).get().deleted, 1U);
    EXPECT_EQ(collector().sweep_from("nonsense", future).get().ended_by->code(), library_errc::invalid_cursor);
}

TEST_F(async_large_members, have_collectors_with_options_that_can_be_used) {
    EXPECT_THROW(collector({.page_size = 0}), error);
}

}  // namespace
}  // namespace tablemap::test

// SPDX-License-Identifier: Apache-2.0
#include "support/async_calls.hpp"
#include "support/log_samples.hpp"
#include "support/waiting_stores.hpp"

#include "tablemap/embedded/store.hpp"
#include "tablemap/patterns/async_log_reader.hpp"
#include "tablemap/patterns/async_log_writer.hpp"
#include "tablemap/testing/faulty_store.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <future>
#include <memory>
#include <string>
#include <vector>

namespace tablemap::test {
namespace {

using tablemap::testing::fault;
using tablemap::testing::faulty_store;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

char const* const first_file = "requests/2014/07/31/1800/000001.log";

class async_logs : public ::testing::Test {
protected:
    async_log_writer writer(store_ptr on, log_options o = {}) const {
        return {std::move(on), "logs", requests_log(), on_july_31(18, std::move(o))};
    }

    store_ptr clean = value_or_throw(open_embedded({.path = ":memory:"}));
    std::shared_ptr<faulty_store> faulty = std::make_shared<faulty_store>(clean);
    std::shared_ptr<pending_store> pending = std::make_shared<pending_store>(clean);
};

// ---- writing --------------------------------------------------------------------------------------------------------

asio::awaitable<void> write_lines(async_log_writer w) {
    EXPECT_EQ(co_await w.write("one", awaited), line_outcome::taken);
    EXPECT_EQ(co_await w.write(std::string{"two, which is longer than the small buffer of a string"}, awaited),
              line_outcome::taken);
    EXPECT_EQ((co_await w.status(awaited)).waiting_lines, 2U);
    co_await w.flush(awaited);
    co_await w.write_at(july_31(19), "three", call_options{}, awaited);
    co_await w.close(awaited);
    EXPECT_EQ((co_await w.status(awaited)).written_lines, 3U);
}

TEST_F(async_logs, are_written) {
    run(write_lines(writer(clean)));
    EXPECT_THAT(all_lines(clean),
                ElementsAre("one", "two, which is longer than the small buffer of a string", "three"));
    EXPECT_THAT(all_files(clean), SizeIs(2));
}

TEST_F(async_logs, refuse_what_blocking_writers_refuse) {
    auto const w = writer(clean);
    EXPECT_EQ(outcome_of(w.write("a\nb", future)).error().code(), service_errc::invalid_input);
    EXPECT_EQ(outcome_of(w.write_at(ticks{}, "a", future)).error().code(), library_errc::value_out_of_range);
    w.close(future).get();
    auto const late = outcome_of(w.write("a", future));
    EXPECT_EQ(late.error().code(), library_errc::unsupported);
    EXPECT_EQ(late.error().table(), "logs");
}

TEST_F(async_logs, flush_before_a_line_that_does_not_fit) {
    auto const w = writer(clean, {.buffer_bytes = 8});
    for (auto const* const line : {"one", "two", "three"}) w.write(line, future).get();
    EXPECT_THAT(all_lines(clean), ElementsAre("one", "two"));
    w.close(future).get();
    EXPECT_THAT(all_lines(clean), ElementsAre("one", "two", "three"));
}

TEST_F(async_logs, count_a_line_that_does_not_fit_by_choice) {
    auto const w = writer(clean, {.buffer_bytes = 8, .full = when_full::refuse});
    w.write("one", future).get();
    EXPECT_EQ(w.write("longer", future).get(), line_outcome::no_room);
    EXPECT_EQ(w.status(future).get().refused_lines, 1U);
    w.close(future).get();
}

TEST_F(async_logs, keep_lines_of_a_flush_that_failed) {
    auto const w = writer(faulty);
    w.write("one", future).get();
    faulty->fail_next(fault::busy);
    call_options const once{.retry = retry_policy::none()};
    EXPECT_FALSE(outcome_of(w.flush(once, future)));
    EXPECT_THAT(all_lines(clean), IsEmpty());
    w.flush(future).get();
    EXPECT_THAT(all_lines(clean), ElementsAre("one"));
}

/// Each append whose response is lost is settled by the size of the file.
TEST_F(async_logs, store_lines_once_whatever_response_is_lost) {
    for (std::size_t at = 0; at < 4; ++at) {
        log_format const f{.name = "log" + std::to_string(at)};
        auto const losing = std::make_shared<faulty_store>(clean);
        async_log_writer const w{losing, "logs", f, on_july_31(18)};
        w.write("one", future).get();
        losing->fail_next(fault::lost_after, at);
        call_options const once{.retry = retry_policy::none()};
        if (!outcome_of(w.flush(once, future))) w.flush(future).get();
        w.close(future).get();
        EXPECT_THAT(all_lines(clean, f), ElementsAre("one")) << at;
    }
}

// ---- ends -----------------------------------------------------------------------------------------------------------

TEST_F(async_logs, pass_lines_that_wait_at_the_end_to_on_lost) {
    std::string lost;
    auto const keep = [&](lost_lines const& l) { lost = l.text + l.why.what(); };
    {
        auto const w = writer(faulty, {.on_lost = keep});
        w.write("one", future).get();
    }
    EXPECT_THAT(lost, ::testing::HasSubstr("one\n"));
    EXPECT_THAT(lost, ::testing::HasSubstr("not closed"));
    EXPECT_EQ(faulty->requests(), 0U);
}

TEST_F(async_logs, lose_nothing_when_they_are_destroyed_during_a_flush) {
    std::size_t lost = 0;
    std::future<void> flushed;
    {
        auto const w = writer(pending, {.on_lost = [&](lost_lines const& l) { lost = l.lines; }});
        w.write("one", future).get();
        flushed = w.flush(future);
    }
    pending->answer_all();
    flushed.get();
    EXPECT_EQ(lost, 0U);
    EXPECT_THAT(all_lines(clean), ElementsAre("one"));
}

TEST_F(async_logs, need_a_receiver_of_lost_lines) {
    try {
        async_log_writer const w{clean, "logs", requests_log(), {}};
        FAIL() << "it was constructed";
    } catch (error const& e) {
        EXPECT_EQ(e.code(), library_errc::value_out_of_range);
        EXPECT_EQ(e.member(), "on_lost");
    }
    EXPECT_THROW(writer(clean, {.buffer_bytes = 0}), error);
}

// ---- reading --------------------------------------------------------------------------------------------------------

class async_log_readers : public async_logs {
protected:
    void SetUp() override {
        log_writer w{clean, "logs", requests_log(), on_july_31(18)};
        for (auto const* const line : {"one", "two", "three"}) w.write(line);
        w.write_at(july_31(20), "four");
        w.close();
    }

    async_log_reader const reader{faulty, "logs", requests_log()};
};

asio::awaitable<std::vector<std::string>> texts_in(async_log_lines lines) {
    std::vector<std::string> all;
    while (auto const line = co_await lines.next(awaited)) all.push_back(line->text);
    co_return all;
}

TEST_F(async_log_readers, read_the_lines_of_a_span) {
    run([](async_log_reader r) -> asio::awaitable<void> {
        EXPECT_THAT(co_await texts_in(r.lines(period<>{})), ElementsAre("one", "two", "three", "four"));
        EXPECT_THAT(co_await texts_in(r.lines(since(july_31(19)))), ElementsAre("four"));
    }(reader));
}

TEST_F(async_log_readers, list_the_files_of_a_span) {
    run([](async_log_reader r) -> asio::awaitable<void> {
        EXPECT_THAT(co_await r.files(awaited), SizeIs(2));
        EXPECT_THAT(names_of(co_await r.files(before(july_31(19)), call_options{}, awaited)), ElementsAre(first_file));
    }(reader));
}

TEST_F(async_log_readers, go_on_at_a_position) {
    auto lines = reader.lines(period<>{});
    EXPECT_EQ(lines.next(future).get()->text, "one");
    line_options const on{.from = lines.position()};
    EXPECT_EQ(on.from->offset, 4U);
    auto rest = reader.lines(period<>{}, on);
    EXPECT_EQ(rest.next(future).get()->text, "two");
}

TEST_F(async_log_readers, go_on_after_an_error) {
    auto lines = reader.lines(period<>{}, call_options{.retry = retry_policy::none()});
    faulty->fail_next(fault::busy);
    EXPECT_EQ(outcome_of(lines.next(future)).error().table(), "logs");
    EXPECT_EQ(lines.next(future).get()->text, "one");
}

TEST_F(async_log_readers, end_a_reading_after_they_are_destroyed) {
    auto next = async_log_reader{clean, "logs", requests_log()}.lines(period<>{}).next(future);
    EXPECT_EQ(next.get()->text, "one");
    EXPECT_THAT((async_log_reader{clean, "logs", requests_log()}.files(future).get()), SizeIs(2));
}

TEST_F(async_log_readers, refuse_options_that_cannot_be_used) {
    line_options const none{.part_bytes = 0};
    EXPECT_THROW(static_cast<void>(reader.lines(period<>{}, none)), error);
}

}  // namespace
}  // namespace tablemap::test

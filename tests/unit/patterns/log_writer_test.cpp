// SPDX-License-Identifier: Apache-2.0
#include "support/log_samples.hpp"
#include "support/observing.hpp"

#include "tablemap/embedded/store.hpp"
#include "tablemap/testing/faulty_store.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

namespace tablemap::test {
namespace {

using tablemap::testing::fault;
using tablemap::testing::faulty_store;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

class log_writers : public ::testing::Test {
protected:
    std::unique_ptr<log_writer> writer(log_options o = {}, log_format f = requests_log(), int hour = 18) const {
        return std::make_unique<log_writer>(faulty, "logs", std::move(f), on_july_31(hour, std::move(o)));
    }

    store_ptr clean = value_or_throw(open_embedded({.path = ":memory:"}));
    std::shared_ptr<faulty_store> faulty = std::make_shared<faulty_store>(clean);
    blob_container logs{clean, "logs"};
};

TEST_F(log_writers, store_lines_in_a_file_of_their_hour) {
    auto const w = writer();
    EXPECT_EQ(w->write("one"), line_outcome::taken);
    w->write("two");
    EXPECT_EQ(faulty->requests(), 0U);
    w->close();
    EXPECT_EQ(logs.get("requests/2014/07/31/1800/000001.log").bytes, "one\ntwo\n");
    EXPECT_EQ(logs.properties("requests/2014/07/31/1800/000001.log").content_type, "text/plain; charset=utf-8");
}

TEST_F(log_writers, send_nothing_without_lines) {
    auto const w = writer();
    w->flush();
    w->close();
    EXPECT_EQ(faulty->requests(), 0U);
    EXPECT_FALSE(logs.exists());
}

TEST_F(log_writers, append_to_their_file) {
    auto const w = writer();
    for (auto const* const line : {"one", "two", "three"}) {
        w->write(line);
        w->flush();
    }
    EXPECT_THAT(all_lines(clean), ElementsAre("one", "two", "three"));
    EXPECT_THAT(all_files(clean), ElementsAre("requests/2014/07/31/1800/000001.log"));
    EXPECT_EQ(faulty->requests(), 6U) << "the container and the file take three";
}

TEST_F(log_writers, begin_another_file_with_another_period) {
    auto const w = writer();
    w->write_at(july_31(17, 59), "one");
    w->write_at(july_31(18, 0), "two");
    w->write_at(july_31(18, 59), "three");
    w->close();
    EXPECT_EQ(logs.get("requests/2014/07/31/1700/000001.log").bytes, "one\n");
    EXPECT_EQ(logs.get("requests/2014/07/31/1800/000001.log").bytes, "two\nthree\n");
}

TEST_F(log_writers, begin_another_file_before_one_grows_too_large) {
    auto const w = writer({.file_bytes = 8});
    for (auto const* const line : {"one", "two", "three", "a line of its own"}) {
        w->write(line);
        w->flush();
    }
    EXPECT_EQ(logs.get("requests/2014/07/31/1800/000001.log").bytes, "one\ntwo\n");
    EXPECT_EQ(logs.get("requests/2014/07/31/1800/000002.log").bytes, "three\n");
    EXPECT_EQ(logs.get("requests/2014/07/31/1800/000003.log").bytes, "a line of its own\n");
}

TEST_F(log_writers, begin_other_files_for_lines_that_are_flushed_together) {
    auto const w = writer({.file_bytes = 8});
    for (auto const* const line : {"one", "two", "a line of its own", "x", "y"}) w->write(line);
    w->flush();
    EXPECT_EQ(logs.get("requests/2014/07/31/1800/000001.log").bytes, "one\ntwo\n");
    EXPECT_EQ(logs.get("requests/2014/07/31/1800/000002.log").bytes, "a line of its own\n");
    EXPECT_EQ(logs.get("requests/2014/07/31/1800/000003.log").bytes, "x\ny\n");
}

TEST_F(log_writers, begin_another_file_after_as_many_appends_as_a_file_takes) {
    auto const w = writer({.file_appends = 2});
    for (int i = 0; i < 5; ++i) {
        w->write("x");
        w->flush();
    }
    EXPECT_EQ(all_files(clean).size(), 3U);
    EXPECT_EQ(all_lines(clean).size(), 5U);
}

TEST_F(log_writers, have_files_of_their_own) {
    auto const a = writer(), b = writer();
    for (auto* const w : {a.get(), b.get(), a.get(), b.get()}) {
        w->write(w == a.get() ? "a" : "b");
        w->flush();
    }
    EXPECT_EQ(logs.get("requests/2014/07/31/1800/000001.log").bytes, "a\na\n");
    EXPECT_EQ(logs.get("requests/2014/07/31/1800/000002.log").bytes, "b\nb\n");
}

TEST_F(log_writers, list_the_numbers_that_others_have_taken_once) {
    for (int i = 0; i < 20; ++i) {
        auto const w = writer();
        w->write("x");
        auto const before = faulty->requests();
        w->close();
        if (i > 0) {
            EXPECT_EQ(faulty->requests() - before, 4U) << "a conflict, a list, a creation and an append";
        }
    }
    EXPECT_EQ(all_files(clean).size(), 20U);
}

TEST_F(log_writers, flush_when_the_buffer_is_full) {
    auto const w = writer({.buffer_bytes = 8});
    for (auto const* const line : {"one", "two", "three"}) EXPECT_EQ(w->write(line), line_outcome::taken);
    EXPECT_EQ(w->status().written_lines, 2U);
    EXPECT_EQ(w->status().waiting_lines, 1U);
    EXPECT_THAT(all_lines(clean), ElementsAre("one", "two"));
}

TEST_F(log_writers, refuse_a_line_when_the_buffer_is_full_if_they_are_to) {
    auto const w = writer({.buffer_bytes = 8, .full = when_full::refuse});
    for (auto const* const line : {"one", "two"}) EXPECT_EQ(w->write(line), line_outcome::taken);
    EXPECT_EQ(w->write("three"), line_outcome::no_room);
    EXPECT_EQ(faulty->requests(), 0U);
    EXPECT_EQ(w->status().refused_lines, 1U);
    w->flush();
    EXPECT_EQ(w->write("three"), line_outcome::taken);
    w->close();
    EXPECT_THAT(all_lines(clean), ElementsAre("one", "two", "three"));
}

TEST_F(log_writers, send_a_large_buffer_in_several_appends) {
    auto const w = writer({.buffer_bytes = 10U << 20U});
    std::string const line(1U << 20U, 'x');
    for (int i = 0; i < 9; ++i) w->write(line);
    EXPECT_EQ(faulty->requests(), 0U);
    w->close();
    EXPECT_EQ(faulty->requests(), 3U + 3U) << "three lines go into 4 MiB";
    EXPECT_EQ(all_lines(clean), std::vector(9, line));
}

TEST_F(log_writers, refuse_lines_that_no_append_takes) {
    auto const w = writer({.buffer_bytes = 10U << 20U}), small = writer({.buffer_bytes = 4});
    EXPECT_EQ(w->try_write(std::string(4U << 20U, 'x')).error().code(), service_errc::request_body_too_large);
    EXPECT_TRUE(w->try_write(std::string((4U << 20U) - 1, 'x')));
    EXPECT_EQ(small->try_write("four").error().code(), service_errc::request_body_too_large);
    EXPECT_TRUE(small->try_write("fou"));
}

// ---- lines ----------------------------------------------------------------------------------------------------------

TEST_F(log_writers, keep_all_bytes_of_a_line) {
    std::string bytes;
    for (int c = 0; c < 256; ++c)
        if (c != '\n') bytes += static_cast<char>(c);
    auto const w = writer();
    w->write(bytes);
    w->write("");
    w->write("\r");
    w->close();
    EXPECT_THAT(all_lines(clean), ElementsAre(bytes, "", "\r"));
}

TEST_F(log_writers, refuse_line_breaks_in_lines) {
    auto const w = writer();
    EXPECT_EQ(w->try_write("a\nb").error().code(), service_errc::invalid_input);
    EXPECT_EQ(w->status().waiting_lines, 0U);
}

TEST_F(log_writers, escape_line_breaks_if_they_are_to) {
    auto const escaping = requests_log(log_per::hour, line_breaks::escaped);
    auto const w = writer({}, escaping);
    for (auto const* const line : {"a\nb", "\\n", "\\\n\\", "\n", "c:\\new"}) w->write(line);
    w->close();
    EXPECT_THAT(all_lines(clean, escaping), ElementsAre("a\nb", "\\n", "\\\n\\", "\n", "c:\\new"));
    EXPECT_THAT(all_lines(clean), ElementsAre("a\\nb", "\\\\n", "\\\\\\n\\\\", "\\n", "c:\\\\new"));
}

TEST_F(log_writers, put_late_lines_into_the_file_of_the_newest_line) {
    auto const w = writer();
    w->write_at(july_31(18), "one");
    EXPECT_EQ(w->write_at(july_31(17), "late"), line_outcome::taken);
    w->close();
    EXPECT_EQ(logs.get("requests/2014/07/31/1800/000001.log").bytes, "one\nlate\n");
}

TEST_F(log_writers, refuse_late_lines_if_they_are_to) {
    auto const w = writer({.late = late_lines::refused});
    w->write_at(july_31(18, 30), "one");
    EXPECT_EQ(w->write_at(july_31(18, 10), "two"), line_outcome::taken) << "it is of the same period";
    EXPECT_EQ(w->write_at(july_31(17, 59), "late"), line_outcome::late);
    EXPECT_EQ(w->status().refused_lines, 1U);
    EXPECT_EQ(w->status().waiting_lines, 2U);
}

TEST_F(log_writers, refuse_times_that_no_calendar_of_the_service_has) {
    EXPECT_EQ(writer()->try_write_at(ticks{}, "x").error().code(), library_errc::value_out_of_range);
}

// ---- ends -----------------------------------------------------------------------------------------------------------

TEST_F(log_writers, take_no_lines_after_they_were_closed) {
    auto const w = writer();
    w->close();
    EXPECT_EQ(w->try_write("x").error().code(), library_errc::unsupported);
    EXPECT_TRUE(w->try_close());
}

TEST_F(log_writers, may_be_closed_again_after_an_error) {
    auto const w = writer();
    w->write("one");
    faulty->fail_next(fault::busy);
    auto const closed = w->try_close();
    EXPECT_EQ(closed.error().code(), service_errc::server_busy);
    EXPECT_EQ(closed.error().table(), "logs");
    w->write("two");
    EXPECT_TRUE(w->try_close());
    EXPECT_THAT(all_lines(clean), ElementsAre("one", "two"));
}

TEST_F(log_writers, write_at_last_when_they_are_destroyed) {
    {
        log_writer w{clean, "logs", requests_log(), {.now = [] { return july_31(18); }}};
        w.write("one");
    }
    EXPECT_THAT(all_lines(clean), ElementsAre("one"));
}

TEST_F(log_writers, tell_of_lines_that_are_lost_when_they_are_destroyed) {
    std::vector<std::pair<std::size_t, std::error_code>> lost;
    auto const seen = std::make_shared<keeping_observer>();
    {
        log_writer w{with_observer(faulty, seen), "logs", requests_log(), {.on_lost = [&](lost_lines const& l) {
                         lost.emplace_back(l.lines, l.why.code());
                     }}};
        w.write("one");
        w.write("two");
        faulty->fail_next(fault::busy);
    }
    EXPECT_THAT(lost, ElementsAre(std::pair{2U, make_error_code(service_errc::server_busy)}));
    ASSERT_EQ(seen->operations.size(), 1U);
    EXPECT_EQ(seen->operations[0].action, "flush log");
    EXPECT_EQ(seen->operations[0].error, service_errc::server_busy);
}

TEST_F(log_writers, send_nothing_when_they_are_destroyed_if_they_are_not_to) {
    std::size_t lost = 0;
    writer({.on_lost = [&](lost_lines const& l) { lost = l.lines; }})->write("one");
    EXPECT_EQ(lost, 1U);
    EXPECT_EQ(faulty->requests(), 0U);
}

TEST_F(log_writers, refuse_options_that_cannot_be_kept) {
    auto const refused = [&](log_options o) {
        try {
            log_writer{clean, "logs", requests_log(), std::move(o)};
        } catch (error const& e) {
            return e.code() == library_errc::value_out_of_range;
        }
        return false;
    };
    EXPECT_TRUE(refused({.buffer_bytes = 0}));
    EXPECT_TRUE(refused({.file_bytes = 0}));
    EXPECT_TRUE(refused({.file_appends = 0}));
    EXPECT_TRUE(refused({.file_appends = 50'001}));
    EXPECT_TRUE(refused({.last_flush = std::chrono::seconds{-1}}));
    EXPECT_TRUE(refused({.last_flush = std::chrono::seconds{0}})) << "lines would be lost without notice";
    EXPECT_FALSE(refused({}));
}

// ---- others ---------------------------------------------------------------------------------------------------------

TEST_F(log_writers, begin_another_file_if_theirs_was_deleted) {
    auto const w = writer();
    w->write("one");
    w->flush();
    logs.erase_any("requests/2014/07/31/1800/000001.log");
    w->write("two");
    auto const met = w->try_flush();
    EXPECT_EQ(met.error().code(), service_errc::blob_not_found);
    EXPECT_EQ(met.error().outcome(), outcome::not_applied);
    w->flush();
    EXPECT_EQ(logs.get("requests/2014/07/31/1800/000002.log").bytes, "two\n");
}

TEST_F(log_writers, begin_another_file_if_others_append_to_theirs) {
    auto const w = writer();
    w->write("one");
    w->flush();
    logs.append_anywhere("requests/2014/07/31/1800/000001.log", "foreign\n");
    w->write("two");
    EXPECT_EQ(w->try_flush().error().code(), service_errc::append_position_condition_not_met);
    w->flush();
    EXPECT_THAT(all_lines(clean), ElementsAre("one", "foreign", "two"));
}

TEST_F(log_writers, fail_for_good_if_nobody_can_tell_any_more_what_is_stored) {
    auto const w = writer();
    w->write("one");
    w->flush();
    w->write("two");
    faulty->fail_next(fault::lost_after);
    faulty->act_before([&](store&) { logs.erase_any("requests/2014/07/31/1800/000001.log"); }, 1);
    auto const met = w->try_flush();
    EXPECT_EQ(met.error().code(), service_errc::blob_not_found);
    EXPECT_EQ(met.error().outcome(), outcome::in_doubt);
    EXPECT_EQ(w->try_flush().error(), met.error());
    EXPECT_EQ(w->try_write("three").error().code(), service_errc::blob_not_found);
    EXPECT_FALSE(w->try_close());
    EXPECT_TRUE(w->status().in_doubt);
}

TEST_F(log_writers, take_lines_of_many_threads) {
    auto const w = writer({.buffer_bytes = 200});
    std::vector<std::thread> threads;
    for (char const who : {'a', 'b', 'c', 'd'})
        threads.emplace_back([&w, who] {
            for (int i = 0; i < 100; ++i) w->write(who + std::to_string(i));
        });
    for (auto& t : threads) t.join();
    w->close();
    auto const all = all_lines(clean);
    EXPECT_EQ(all.size(), 400U);
    for (char const who : {'a', 'b', 'c', 'd'}) {
        int next = 0;
        for (auto const& line : all)
            if (line[0] == who) {
                EXPECT_EQ(line, who + std::to_string(next++));
            }
    }
}

}  // namespace
}  // namespace tablemap::test

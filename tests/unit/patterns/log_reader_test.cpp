// SPDX-License-Identifier: Apache-2.0
#include "support/log_samples.hpp"

#include "tablemap/embedded/store.hpp"
#include "tablemap/testing/faulty_store.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tablemap::test {
namespace {

using std::chrono::days;
using std::chrono::hours;
using tablemap::testing::fault;
using tablemap::testing::faulty_store;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// A line for each hour from the 31st of July, 20 h, on.
class log_readers : public ::testing::Test {
protected:
    void SetUp() override {
        for (int hour = 20; hour < 28; ++hour) write(july_31(hour), {std::to_string(hour)});
    }

    void write(ticks at, std::vector<std::string> const& lines, log_options o = {}) const {
        log_writer w{clean, "logs", requests_log(), on_july_31(0, std::move(o))};
        for (auto const& line : lines) {
            w.write_at(at, line);
            w.flush();
        }
    }

    /// At most so many lines.
    static std::vector<std::string> take(log_lines& lines, std::size_t count) {
        std::vector<std::string> all;
        while (count-- > 0) {
            auto line = value_or_throw(lines.try_next());
            if (!line) break;
            all.push_back(line->text);
        }
        return all;
    }

    store_ptr clean = value_or_throw(open_embedded({.path = ":memory:"}));
    std::shared_ptr<faulty_store> faulty = std::make_shared<faulty_store>(clean);
    blob_container logs{clean, "logs"};
    log_reader reader{faulty, "logs", requests_log()};
};

TEST_F(log_readers, find_the_files_of_a_span) {
    EXPECT_EQ(reader.files().size(), 8U);
    EXPECT_THAT(names_of(reader.files(since(july_31(23)).before(july_31(25)))),
                ElementsAre("requests/2014/07/31/2300/000001.log", "requests/2014/08/01/0000/000001.log"));
    EXPECT_EQ(names_of(reader.files(since(july_31(26)))).size(), 2U);
    EXPECT_EQ(names_of(reader.files(before(july_31(21)))).size(), 1U);
    EXPECT_THAT(reader.files(since(july_31(23)).before(july_31(23))), IsEmpty());
}

TEST_F(log_readers, tell_what_a_file_is) {
    auto const files = reader.files(since(july_31(23)).before(july_31(24)));
    EXPECT_THAT(files, ElementsAre(log_file{"requests/2014/07/31/2300/000001.log", july_31(23), 1, 3}));
}

TEST_F(log_readers, find_the_file_of_a_part_of_its_period) {
    EXPECT_THAT(lines_in(clean, since(july_31(21, 10)).before(july_31(21, 20))), ElementsAre("21"));
}

TEST_F(log_readers, list_what_a_span_needs) {
    auto const requests = [&](auto const& when) {
        auto const before = faulty->requests();
        static_cast<void>(reader.files(when));
        return faulty->requests() - before;
    };
    EXPECT_EQ(requests(since(july_31(20)).before(july_31(21))), 1U);
    EXPECT_EQ(requests(since(july_31(20)).before(july_31(28))), 2U);
    EXPECT_EQ(requests(since(july_31(20)).before(july_31(20) + days{60})), 3U);
    EXPECT_EQ(requests(period<>{}), 1U);
    EXPECT_EQ(requests(since(july_31(20)).before(july_31(20))), 0U);
}

TEST_F(log_readers, leave_out_blobs_that_are_no_files_of_the_log) {
    for (char const* const other : {"requests/2014/07/31/2000/1.log", "requests/2014/07/31/000001.log",
                                    "requests/2014/07/31/2000/000001.txt", "requestsx/2014/07/31/2000/000001.log"})
        logs.put(other, "foreign\n", blob_state::absent());
    EXPECT_EQ(all_lines(clean).size(), 8U);
}

TEST_F(log_readers, find_nothing_without_a_container) {
    log_reader const other{clean, "others", requests_log()};
    EXPECT_THAT(other.files(), IsEmpty());
    EXPECT_THAT(texts_of(other.lines(period<>{})), IsEmpty());
}

// ---- lines ----------------------------------------------------------------------------------------------------------

TEST_F(log_readers, read_lines_in_order) {
    EXPECT_THAT(lines_in(clean, since(july_31(22)).before(july_31(26))), ElementsAre("22", "23", "24", "25"));
}

TEST_F(log_readers, read_files_in_parts_of_any_size) {
    std::vector<std::string> lines;
    for (std::size_t i = 0; i < 40; ++i) lines.emplace_back(i % 7, static_cast<char>('a' + i % 26));
    write(july_31(40), lines);
    for (std::size_t part = 1; part < 20; ++part)
        EXPECT_EQ(texts_of(reader.lines(since(july_31(40)), {.part_bytes = part})), lines) << part;
}

TEST_F(log_readers, read_one_part_at_a_time) {
    write(july_31(40), {std::string(1000, 'x'), std::string(1000, 'y')});
    auto lines = reader.lines(since(july_31(40)).before(july_31(41)), {.part_bytes = 1001});
    EXPECT_EQ(faulty->requests(), 0U);
    EXPECT_EQ(take(lines, 1).size(), 1U);
    EXPECT_EQ(faulty->requests(), 2U) << "a list and a part";
    EXPECT_EQ(take(lines, 5).size(), 1U);
    EXPECT_EQ(faulty->requests(), 3U);
}

TEST_F(log_readers, refuse_lines_that_are_longer_than_expected) {
    write(july_31(40), {std::string(50, 'x'), std::string(51, 'x')});
    for (std::size_t const part : {10U, 51U, 1000U}) {
        auto lines = reader.lines(since(july_31(40)), {.part_bytes = part, .longest_line = 50});
        EXPECT_EQ(lines.try_next()->value().text.size(), 50U);
        auto const met = lines.try_next();
        EXPECT_EQ(met.error().code(), library_errc::value_too_large);
        EXPECT_EQ(met.error().table(), "logs");
        EXPECT_FALSE(lines.try_next()) << "it is not passed over";
    }
}

TEST_F(log_readers, tell_that_a_line_has_no_line_break) {
    logs.append_anywhere("requests/2014/07/31/2000/000001.log", "unfinished");
    auto lines = reader.lines(before(july_31(22)));
    static_cast<void>(lines.try_next());
    auto const last = lines.try_next();
    ASSERT_TRUE(last && *last);
    EXPECT_EQ((*last)->text, "unfinished");
    EXPECT_FALSE((*last)->whole);
    EXPECT_TRUE(lines.try_next()->value().whole);
}

TEST_F(log_readers, pass_over_empty_files) {
    logs.create_append("requests/2014/07/31/2000/000002.log", blob_state::absent());
    EXPECT_EQ(all_lines(clean).size(), 8U);
    EXPECT_EQ(all_files(clean).size(), 9U);
}

TEST_F(log_readers, go_on_with_the_next_file_if_one_is_deleted) {
    write(july_31(20), {"2a", "2b", "2c"});
    auto lines = reader.lines(period<>{}, {.part_bytes = 3});
    EXPECT_THAT(take(lines, 2), ElementsAre("20", "2a"));
    logs.erase_any("requests/2014/07/31/2000/000002.log");
    logs.erase_any("requests/2014/07/31/2100/000001.log");
    EXPECT_THAT(take(lines, 2), ElementsAre("22", "23"));
}

TEST_F(log_readers, read_what_is_appended_to_the_file_that_they_are_in) {
    log_writer w{clean, "logs", requests_log(), on_july_31(40)};
    for (auto const* const line : {"one", "two"}) w.write(line);
    w.flush();
    auto lines = reader.lines(since(july_31(40)), {.part_bytes = 4});
    EXPECT_THAT(take(lines, 1), ElementsAre("one"));
    w.write("three");
    w.flush();
    EXPECT_THAT(take(lines, 3), ElementsAre("two", "three"));
}

// ---- positions ------------------------------------------------------------------------------------------------------

TEST_F(log_readers, say_where_they_stand_and_go_on_there) {
    write(july_31(20), {"2a", "2b", "2c"});
    for (std::size_t const part : {1U, 3U, 1000U})
        for (std::size_t stop = 0; stop <= 11; ++stop) {
            auto first = reader.lines(period<>{}, {.part_bytes = part});
            auto all = take(first, stop);
            for (auto const& line : texts_of(reader.lines(period<>{}, {.from = first.position(), .part_bytes = part})))
                all.push_back(line);
            EXPECT_EQ(all, all_lines(clean)) << stop;
        }
}

TEST_F(log_readers, have_a_position_behind_the_line_that_was_taken) {
    auto lines = reader.lines(period<>{});
    EXPECT_FALSE(lines.position());
    static_cast<void>(take(lines, 1));
    EXPECT_EQ(lines.position(), (log_position{"requests/2014/07/31/2000/000001.log", 3}));
    static_cast<void>(take(lines, 100));
    EXPECT_EQ(lines.position(), (log_position{"requests/2014/08/01/0300/000001.log", 3}));
}

TEST_F(log_readers, list_no_more_than_the_rest_from_a_position) {
    log_position const from{"requests/2014/08/01/0200/000001.log", 3};
    EXPECT_THAT(texts_of(reader.lines(since(july_31(20)).before(july_31(28)), {.from = from})), ElementsAre("27"));
    EXPECT_EQ(faulty->requests(), 2U) << "a list of the second day, and the last file";
}

TEST_F(log_readers, go_on_behind_a_file_that_was_deleted) {
    logs.erase_any("requests/2014/08/01/0200/000001.log");
    log_position const from{"requests/2014/08/01/0200/000001.log", 3};
    EXPECT_THAT(texts_of(reader.lines(period<>{}, {.from = from})), ElementsAre("27"));
}

TEST_F(log_readers, refuse_positions_that_are_none) {
    log_position const beyond{"requests/2014/08/01/0200/000001.log", 4};
    auto lines = reader.lines(period<>{}, {.from = beyond});
    EXPECT_EQ(lines.try_next().error().code(), library_errc::invalid_cursor);
    EXPECT_EQ(lines.try_next().error().code(), library_errc::invalid_cursor);
    EXPECT_THROW(static_cast<void>(reader.lines(period<>{}, {.from = log_position{"other", 0}})), error);
    EXPECT_THROW(static_cast<void>(reader.lines(period<>{}, {.part_bytes = 0})), error);
}

TEST_F(log_readers, go_on_after_an_error) {
    for (std::size_t k = 0; k < 9; ++k) {
        faulty->fail_next(fault::busy, k);
        auto lines = reader.lines(period<>{});
        std::vector<std::string> all;
        int errors = 0;
        for (;;) {
            auto line = lines.try_next();
            if (!line && ++errors > 1) break;
            if (!line) continue;
            if (!*line) break;
            all.push_back((*line)->text);
        }
        EXPECT_EQ(errors, 1);
        EXPECT_EQ(all.size(), 8U);
    }
}

}  // namespace
}  // namespace tablemap::test

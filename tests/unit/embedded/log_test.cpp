// SPDX-License-Identifier: Apache-2.0
#include "unit/embedded/fixture.hpp"

#include <sqlite3.h>

#include <atomic>
#include <csignal>
#include <filesystem>
#include <thread>

namespace tablemap::test {
namespace {

/// A read of another program that does not end.
class long_read {
public:
    explicit long_read(std::string const& path) {
        EXPECT_EQ(sqlite3_open(path.c_str(), &handle_), SQLITE_OK);
        EXPECT_EQ(sqlite3_exec(handle_, "BEGIN; SELECT count(*) FROM tables", nullptr, nullptr, nullptr), SQLITE_OK);
    }
    ~long_read() { sqlite3_close(handle_); }
    long_read(long_read const&) = delete;
    long_read& operator=(long_read const&) = delete;

private:
    sqlite3* handle_ = nullptr;
};

class write_ahead_log : public embedded_file {
protected:
    static constexpr int pages = 200;
    static constexpr std::uintmax_t most_bytes = (pages + 20) * std::uintmax_t{8192 + 24};

    embedded_options small() const {
        auto o = options();
        o.max_page_count = pages;
        o.busy_timeout = std::chrono::seconds{20};
        return o;
    }

    static dynamic_entity row(int i) {
        return entity("p", std::to_string(i % 20), {{"Text", std::string(10'000, static_cast<char>('a' + i % 26))}});
    }

    static bool scan(store& s) { return table_client{s, "People"}.all().size() <= 20; }

    std::uintmax_t log_bytes() const { return std::filesystem::file_size(path() + "-wal"); }

    /// Writes about 1,000 pages; the longest that the log has been.
    std::uintmax_t write_much(store& s) {
        table_client t{s, "People"};
        std::uintmax_t longest = 0;
        for (int i = 0; i < 330; ++i) {
            EXPECT_TRUE(carried_out(t.write(write_kind::upsert_replace, row(i))));
            longest = std::max(longest, log_bytes());
        }
        return longest;
    }
};

TEST_F(write_ahead_log, stays_short_under_steady_reads) {
    make_store(0);
    auto s = value_or_throw(open_embedded(small()));
    std::atomic<bool> done{false};
    std::vector<std::thread> readers;
    for (int i = 0; i < 4; ++i)
        readers.emplace_back([&] {
            while (!done) EXPECT_TRUE(scan(*s));
        });
    EXPECT_LT(write_much(*s), most_bytes);
    done = true;
    for (auto& r : readers) r.join();
}

TEST_F(write_ahead_log, stays_short_under_steady_reads_of_other_processes) {
    make_store(0);
    std::vector<pid_t> children;
    for (int i = 0; i < 3; ++i)
        children.push_back(in_child([&] {
            auto s = value_or_throw(open_embedded(small()));
            while (scan(*s)) {
            }
            return 1;
        }));
    auto s = value_or_throw(open_embedded(small()));
    EXPECT_LT(write_much(*s), most_bytes);
    for (auto const c : children) {
        kill(c, SIGKILL);
        EXPECT_EQ(exit_status(c), -1) << "a read failed";
    }
}

TEST_F(write_ahead_log, stays_short_with_several_writing_processes) {
    make_store(0);
    std::vector<pid_t> children;
    for (int i = 0; i < 3; ++i)
        children.push_back(in_child([&] {
            auto s = value_or_throw(open_embedded(small()));
            return write_much(*s) < most_bytes ? 0 : 1;
        }));
    for (auto const c : children) EXPECT_EQ(exit_status(c), 0);
}

TEST_F(write_ahead_log, that_a_read_holds_is_bounded_and_writes_are_refused_then) {
    make_store(0);
    auto o = small();
    o.busy_timeout = std::chrono::milliseconds{20};
    auto s = value_or_throw(open_embedded(o));
    table_client t{*s, "People"};
    {
        long_read const held{path()};
        response last;
        for (int i = 0; i < 400 && last.ok(); ++i) last = t.write(write_kind::upsert_replace, row(i));
        ASSERT_TRUE(refused(last, store_errc::busy));
        EXPECT_EQ(last.outcome(), outcome::not_applied);
        EXPECT_TRUE(last.failure->retryable());
        EXPECT_LT(log_bytes(), most_bytes);
        EXPECT_TRUE(scan(*s));
    }
    EXPECT_TRUE(carried_out(t.write(write_kind::upsert_replace, row(1))));
    for (int i = 0; i < 10; ++i) EXPECT_TRUE(carried_out(t.write(write_kind::upsert_replace, row(i))));
    EXPECT_LT(log_bytes(), most_bytes * 3 / 4) << "what a reader made it hold is given back";
}

TEST_F(write_ahead_log, that_is_full_ends_the_wait_at_the_deadline) {
    make_store(0);
    auto s = value_or_throw(open_embedded(small()));
    long_read const held{path()};
    table_client t{*s, "People"};
    response last;
    for (int i = 0; i < 400 && last.ok(); ++i) {
        auto const text = body("p", std::to_string(i % 20), R"("Text":")" + std::string(10'000, 'x') + '"');
        auto const key = std::to_string(i % 20);
        call_options soon;
        soon.deadline = std::chrono::steady_clock::now() + std::chrono::milliseconds{100};
        last = s->execute(
            write_entity{"People",
                         {.kind = write_kind::upsert_replace, .partition_key = "p", .row_key = key, .body = text}},
            soon);
    }
    EXPECT_TRUE(refused(last, library_errc::deadline_exceeded));
}

// A checkpoint without the write lock meets the WAL-reset fault of SQLite before 3.51.3.
TEST_F(write_ahead_log, is_not_folded_while_another_program_writes) {
    make_store(0);
    auto o = small();
    o.busy_timeout = std::chrono::milliseconds{1};
    auto s = value_or_throw(open_embedded(o));
    table_client t{*s, "People"};
    sqlite3* other = nullptr;
    ASSERT_EQ(sqlite3_open(path().c_str(), &other), SQLITE_OK);
    auto const at_first = contents(path());
    for (int i = 0; i < 100; ++i) {
        ASSERT_TRUE(carried_out(t.write(write_kind::upsert_replace, row(i))));
        ASSERT_EQ(sqlite3_exec(other, "BEGIN IMMEDIATE", nullptr, nullptr, nullptr), SQLITE_OK);
        auto const before = contents(path());
        EXPECT_TRUE(refused(t.write(write_kind::upsert_replace, row(0)), store_errc::busy));
        EXPECT_TRUE(contents(path()) == before) << i;
        ASSERT_EQ(sqlite3_exec(other, "ROLLBACK", nullptr, nullptr, nullptr), SQLITE_OK);
    }
    EXPECT_FALSE(contents(path()) == at_first) << "never folded";
    EXPECT_EQ(sqlite3_close(other), SQLITE_OK);
}

}  // namespace
}  // namespace tablemap::test

// SPDX-License-Identifier: Apache-2.0
#include "unit/embedded/fixture.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <thread>

namespace tablemap::test {
namespace {

namespace fs = std::filesystem;

class file : public embedded_file {
protected:
    /// Opening fails so, names the path, and leaves the file and its folder as they were.
    void expect_refused(std::string const& at, store_errc code) {
        auto const before = contents(at);
        auto const r = open_embedded({.path = at});
        EXPECT_TRUE(failed_with(r, code));
        if (r) return;
        EXPECT_NE(std::string{r.error().what()}.find(at), std::string::npos) << r.error().what();
        EXPECT_EQ(contents(at), before);
        EXPECT_FALSE(fs::exists(at + "-wal"));
        EXPECT_FALSE(fs::exists(at + "-journal"));
    }

    void run_sqlite(std::string const& at, std::string const& sql) {
        auto const command = "sqlite3 '" + at + "' \"" + sql + "\" > /dev/null";
        if (std::system("command -v sqlite3 > /dev/null") != 0) GTEST_SKIP() << "needs the sqlite3 command";
        ASSERT_EQ(std::system(command.c_str()), 0);
    }

    void patch(std::size_t at, std::string const& bytes) {
        auto all = contents(path());
        ASSERT_LE(at + bytes.size(), all.size());
        write_file(path(), all.replace(at, bytes.size(), bytes));
    }
};

constexpr std::size_t user_version_at = 60;
constexpr std::size_t application_id_at = 68;

// --- files that are refused ------------------------------------------------------------------------------------------

TEST_F(file, that_is_no_database_is_refused) {
    write_file(path(), "these are my notes");
    expect_refused(path(), store_errc::not_a_database);
    write_file(path(), std::string(100'000, 'x'));
    expect_refused(path(), store_errc::not_a_database);
}

TEST_F(file, of_another_program_is_refused) {
    run_sqlite(path(), "CREATE TABLE mine (a); INSERT INTO mine VALUES (1)");
    if (IsSkipped()) return;
    expect_refused(path(), store_errc::foreign_database);
}

TEST_F(file, of_another_program_with_a_write_ahead_log_is_refused) {
    run_sqlite(path(), "PRAGMA journal_mode=WAL; CREATE TABLE mine (a)");
    if (IsSkipped()) return;
    expect_refused(path(), store_errc::foreign_database);
}

TEST_F(file, with_another_application_id_is_refused) {
    make_store(1);
    patch(application_id_at, std::string("\x01\x02\x03\x04", 4));
    expect_refused(path(), store_errc::foreign_database);
}

TEST_F(file, of_a_newer_format_is_refused) {
    make_store(1);
    patch(user_version_at, std::string("\0\0\0\x02", 4));
    expect_refused(path(), store_errc::newer_format);
}

TEST_F(file, that_lost_its_end_is_refused) {
    make_store(100);
    fs::resize_file(path(), fs::file_size(path()) / 2);
    expect_refused(path(), store_errc::damaged);
}

TEST_F(file, in_a_missing_folder_or_below_a_file_cannot_be_opened) {
    expect_refused(folder().file("missing/store.db"), store_errc::cannot_open);
    write_file(folder().file("plain"), "x");
    expect_refused(folder().file("plain/store.db"), store_errc::cannot_open);
}

TEST_F(file, that_is_a_folder_cannot_be_opened) {
    EXPECT_TRUE(failed_with(open_embedded({.path = folder().path().string()}), store_errc::cannot_open));
}

TEST_F(file, that_is_empty_becomes_a_store) {
    write_file(path(), "");
    auto s = open();
    EXPECT_TRUE(carried_out(table_client{*s, "People"}.create()));
}

TEST_F(file, that_may_not_be_written_is_refused) {
    make_store(1);
    fs::permissions(path(), fs::perms::owner_read | fs::perms::group_read | fs::perms::others_read);
    fs::permissions(folder().path(), fs::perms::all);
    // Root may write anything, so a child without rights has to try.
    auto const child = fork();
    if (child == 0) {
        if (geteuid() == 0 && setuid(65534) != 0) _exit(2);
        auto const r = open_embedded({.path = path()});
        _exit(!r && r.error().code() == store_errc::read_only ? 0 : 1);
    }
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_EQ(WEXITSTATUS(status), 0);
}

TEST_F(file, with_damage_in_the_middle_gives_an_error_and_no_wrong_answer) {
    make_store(500);
    auto const size = fs::file_size(path());
    constexpr std::size_t page = 8192;
    for (std::size_t at = 8 * page; at + page <= size; at += 3 * page) patch(at, std::string(page, '\xA5'));
    auto const opened = open_embedded(options());
    if (!opened) {
        EXPECT_EQ(opened.error().code(), store_errc::damaged);
        return;
    }
    table_client t{**opened, "People"};
    int damaged = 0;
    for (int i = 0; i < 500; ++i) {
        auto const r = t.get("p", std::to_string(i));
        if (r.ok()) {
            EXPECT_EQ(entity_in(r).row_key, std::to_string(i));
        } else {
            EXPECT_EQ(r.failure->code(), store_errc::damaged);
            ++damaged;
        }
    }
    EXPECT_GT(damaged, 0);
    EXPECT_TRUE(refused(t.page({}), store_errc::damaged));
}

// --- files that are full ---------------------------------------------------------------------------------------------

class full_file : public embedded_file {
protected:
    store_ptr open_small() const {
        auto o = options();
        o.max_page_count = 40;
        return value_or_throw(open_embedded(o));
    }

    /// Inserts in groups of 10 until the store is full; returns how many entities were acknowledged.
    static int fill(table_client& t) {
        for (int count = 0; count < 10'000; count += 10) {
            std::vector<owned_operation> group;
            for (int i = count; i < count + 10; ++i)
                group.push_back(
                    operation(write_kind::insert, entity("p", std::to_string(i), {{"Text", std::string(1000, 'x')}})));
            if (auto const r = t.transact(group); !r.ok()) {
                EXPECT_TRUE(refused(r, store_errc::full));
                EXPECT_EQ(r.failure->kind(), error_kind::no_space);
                return count;
            }
        }
        ADD_FAILURE() << "never full";
        return 0;
    }
};

TEST_F(full_file, refuses_a_write_and_writes_no_half_of_it) {
    auto s = open_small();
    table_client t{*s, "People"};
    ASSERT_TRUE(carried_out(t.create()));
    auto const count = fill(t);
    EXPECT_GT(count, 0);
    EXPECT_EQ(t.all().size(), static_cast<std::size_t>(count));
}

TEST_F(full_file, still_reads_and_erases_and_then_writes_again) {
    auto s = open_small();
    table_client t{*s, "People"};
    ASSERT_TRUE(carried_out(t.create()));
    auto const count = fill(t);
    for (int i = 0; i < count; ++i) {
        ASSERT_TRUE(carried_out(t.get("p", std::to_string(i))));
        ASSERT_TRUE(carried_out(t.erase("p", std::to_string(i))));
    }
    EXPECT_TRUE(carried_out(t.insert(entity("p", "again", {{"Text", std::string(1000, 'x')}}))));
}

TEST_F(full_file, can_be_reopened_with_more_room) {
    int count = 0;
    {
        auto s = open_small();
        table_client t{*s, "People"};
        ASSERT_TRUE(carried_out(t.create()));
        count = fill(t);
    }
    auto s = open();
    table_client t{*s, "People"};
    EXPECT_EQ(t.all().size(), static_cast<std::size_t>(count));
    EXPECT_TRUE(carried_out(t.insert(entity("p", "more", {{"Text", std::string(5000, 'x')}}))));
}

}  // namespace
}  // namespace tablemap::test

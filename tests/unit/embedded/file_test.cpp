// SPDX-License-Identifier: Apache-2.0
#include "unit/embedded/fixture.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <set>
#include <thread>

namespace tablemap::test {
namespace {

namespace fs = std::filesystem;

class file : public embedded_file {
protected:
    /// Opening fails so, names the path, and leaves the file and its folder as they were.
    void expect_refused(std::string const& at, store_errc code, std::string const& reason = {}) {
        auto const before = contents(at);
        auto const r = open_embedded({.path = at});
        EXPECT_TRUE(failed_with(r, code));
        if (r) return;
        EXPECT_TRUE(says(r.error(), at)) << r.error().what();
        EXPECT_TRUE(says(r.error(), reason)) << r.error().what();
        EXPECT_EQ(contents(at), before);
        EXPECT_FALSE(fs::exists(at + "-wal"));
        EXPECT_FALSE(fs::exists(at + "-journal"));
    }

    static bool says(error const& e, std::string const& text) {
        return std::string{e.what()}.find(text) != std::string::npos;
    }

    /// Root may do anything, so a child without rights has to try.
    template <class F> static bool without_rights(F f) {
        auto const child = fork();
        if (child == 0) _exit(geteuid() == 0 && setuid(65534) != 0 ? 2 : f() ? 0 : 1);
        int status = 0;
        return waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
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
    patch(user_version_at, std::string("\0\0\0\x04", 4));
    expect_refused(path(), store_errc::newer_format);
}

TEST_F(file, with_a_trigger_or_a_view_is_refused_and_the_error_names_it) {
    for (std::string const added :
         {"TRIGGER t AFTER INSERT ON entities BEGIN DELETE FROM entities; END", "VIEW v AS SELECT * FROM entities",
          "INDEX i ON entities (stamp)", "TABLE mine (a)"}) {
        fs::remove(path());
        make_store(1);
        run_sqlite(path(), "CREATE " + added);
        if (IsSkipped()) return;
        auto const r = open_embedded({.path = path()});
        ASSERT_TRUE(failed_with(r, store_errc::foreign_database)) << added;
        EXPECT_TRUE(says(r.error(), ", which tablemap did not create: remove it")) << r.error().what();
    }
}

TEST_F(file, runs_no_trigger_that_was_added_while_it_was_open) {
    auto const s = open();
    table_client t{*s, "People"};
    ASSERT_TRUE(carried_out(t.create()));
    run_sqlite(path(), "CREATE TRIGGER t AFTER INSERT ON entities BEGIN DELETE FROM entities; END");
    if (IsSkipped()) return;
    ASSERT_TRUE(carried_out(t.insert(entity("p", "r"))));
    EXPECT_TRUE(carried_out(t.get("p", "r")));
}

TEST_F(file, that_lost_its_end_is_refused) {
    make_store(100);
    fs::resize_file(path(), fs::file_size(path()) / 2);
    expect_refused(path(), store_errc::corrupt);
}

TEST_F(file, below_a_file_cannot_be_opened_and_the_error_says_so) {
    write_file(folder().file("plain"), "x");
    expect_refused(folder().file("plain/store.db"), store_errc::cannot_open,
                   "'" + folder().file("plain") + "' is no folder");
    expect_refused(folder().file("plain/a/b.db"), store_errc::cannot_open,
                   "'" + folder().file("plain") + "' is no folder");
}

TEST_F(file, in_a_missing_folder_cannot_be_opened_and_the_error_says_so) {
    expect_refused(folder().file("missing/store.db"), store_errc::cannot_open,
                   "the folder '" + folder().file("missing") + "' is missing");
    expect_refused(folder().file("missing/too/store.db"), store_errc::cannot_open,
                   "the folder '" + folder().file("missing/too") + "' is missing");
}

TEST_F(file, in_a_folder_without_permissions_cannot_be_opened_and_the_error_says_so) {
    fs::create_directory(folder().file("closed"));
    fs::permissions(folder().file("closed"), fs::perms::none);
    fs::permissions(folder().path(), fs::perms::all);
    EXPECT_TRUE(without_rights([&] {
        auto const r = open_embedded({.path = folder().file("closed/store.db")});
        return !r && r.error().code() == store_errc::cannot_open && says(r.error(), "may not be entered");
    }));
}

TEST_F(file, in_a_folder_that_may_not_be_written_cannot_be_created_and_the_error_says_so) {
    fs::permissions(folder().path(), fs::perms::all & ~(fs::perms::group_write | fs::perms::others_write));
    EXPECT_TRUE(without_rights([&] {
        auto const r = open_embedded({.path = path()});
        return !r && r.error().code() == store_errc::cannot_open && says(r.error(), "its folder must be writable");
    }));
}

TEST_F(file, that_may_not_be_read_is_refused_and_the_error_says_so) {
    make_store(1);
    fs::permissions(path(), fs::perms::none);
    fs::permissions(folder().path(), fs::perms::all);
    EXPECT_TRUE(without_rights([&] {
        auto const r = open_embedded({.path = path()});
        return !r && r.error().code() == store_errc::cannot_open && says(r.error(), "it may not be read");
    }));
}

TEST_F(file, that_is_a_folder_cannot_be_opened) {
    EXPECT_TRUE(failed_with(open_embedded({.path = folder().path().string()}), store_errc::cannot_open));
}

TEST_F(file, that_is_new_is_for_its_owner_alone_with_its_log) {
    auto const s = open();
    ASSERT_TRUE(carried_out(table_client{*s, "People"}.create()));
    for (auto const* suffix : {"", "-wal", "-shm"})
        EXPECT_EQ(fs::status(path() + suffix).permissions(), fs::perms::owner_read | fs::perms::owner_write) << suffix;
}

TEST_F(file, that_is_there_keeps_its_permissions) {
    auto const shared = fs::perms::owner_read | fs::perms::owner_write | fs::perms::group_read | fs::perms::group_write;
    write_file(path(), "");
    fs::permissions(path(), shared);
    make_store(1);
    EXPECT_EQ(fs::status(path()).permissions(), shared);
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
    EXPECT_TRUE(without_rights([&] {
        auto const r = open_embedded({.path = path()});
        return !r && r.error().code() == store_errc::read_only;
    }));
}

TEST_F(file, with_damage_in_the_middle_gives_an_error_and_no_wrong_answer) {
    make_store(500);
    auto const size = fs::file_size(path());
    constexpr std::size_t page = 8192;
    for (std::size_t at = 8 * page; at + page <= size; at += 3 * page) patch(at, std::string(page, '\xA5'));
    auto const opened = open_embedded(options());
    if (!opened) {
        EXPECT_EQ(opened.error().code(), store_errc::corrupt);
        return;
    }
    table_client t{**opened, "People"};
    int damaged = 0;
    for (int i = 0; i < 500; ++i) {
        auto const r = t.get("p", std::to_string(i));
        if (r.ok()) {
            EXPECT_EQ(entity_in(r).row_key, std::to_string(i));
        } else {
            EXPECT_EQ(r.failure->code(), store_errc::corrupt);
            ++damaged;
        }
    }
    EXPECT_GT(damaged, 0);
    EXPECT_TRUE(refused(t.page({}), store_errc::corrupt));
}

TEST_F(file, that_lost_its_contents_or_itself_beside_its_log_is_refused_and_the_log_is_kept) {
    auto const log = folder().file("store.db-wal");
    make_store(1);
    fs::remove(path());
    write_file(log, std::string(50'000, 'w'));
    for (bool const empty : {false, true}) {
        if (empty) write_file(path(), "");
        auto const r = open_embedded({.path = path()});
        ASSERT_TRUE(failed_with(r, store_errc::corrupt));
        EXPECT_TRUE(says(r.error(), "its log '" + log + "' is there")) << r.error().what();
        EXPECT_EQ(contents(log), std::string(50'000, 'w'));
    }
}

TEST_F(file, that_lacks_a_table_is_damaged) {
    for (auto const* const name : {"tables", "entities", "clock"}) {
        fs::remove(path());
        make_store(1);
        run_sqlite(path(), std::string{"DROP TABLE "} + name);
        if (IsSkipped()) return;
        expect_refused(path(), store_errc::corrupt, "it lacks tables");
    }
}

TEST_F(file, that_loses_a_column_while_it_is_open_is_damaged) {
    auto s = open();
    table_client t{*s, "People"};
    ASSERT_TRUE(carried_out(t.create()));
    run_sqlite(path(), "ALTER TABLE entities DROP COLUMN body");
    if (IsSkipped()) return;
    EXPECT_TRUE(refused(t.insert(entity("p", "r")), store_errc::corrupt));
}

TEST_F(file, with_any_byte_of_its_header_changed_is_told_as_it_is_or_works) {
    make_store(3);
    auto const whole = contents(path());
    std::set<std::error_code> const allowed{store_errc::corrupt, store_errc::not_a_database,
                                            store_errc::foreign_database, store_errc::newer_format};
    for (std::size_t at = 0; at < 100; ++at)
        for (int const change : {0x01, 0xFF}) {
            auto changed = whole;
            changed[at] = static_cast<char>(changed[at] ^ change);
            write_file(path(), changed);
            auto const s = open_embedded(options());
            if (!s) {
                EXPECT_TRUE(allowed.contains(s.error().code())) << at << ": " << s.error().what();
                continue;
            }
            table_client t{**s, "People"};
            for (auto const& r : {t.get("p", "1"), t.insert(entity("p", "new")), t.page({})})
                EXPECT_TRUE(r.ok() || r.failure->code() == store_errc::corrupt) << at << ": " << r.failure->what();
        }
}

// --- paths -----------------------------------------------------------------------------------------------------------

/// Works in a folder of its own for the time of a test.
class file_path : public embedded_file {
protected:
    file_path() : before_(fs::current_path()) { fs::current_path(folder().path()); }
    ~file_path() override { fs::current_path(before_); }

private:
    fs::path before_;
};

TEST_F(file_path, that_is_relative_keeps_its_meaning_when_the_process_changes_its_folder) {
    fs::create_directory("elsewhere");
    auto const make = [](char const* row) {
        auto s = value_or_throw(open_embedded({.path = "store.db"}));
        table_client t{*s, "People"};
        EXPECT_TRUE(carried_out(t.create()));
        EXPECT_TRUE(carried_out(t.insert(entity("p", row))));
        return s;
    };
    auto here = make("here");
    fs::current_path("elsewhere");
    make("there");
    EXPECT_TRUE(carried_out(table_client{*here, "People"}.get("p", "here")));
}

TEST_F(file_path, that_looks_like_a_uri_is_the_name_of_a_file) {
    for (auto const* const name : {"file:foo.db?mode=memory", "file:bar.db", "./:memory:"}) {
        auto s = value_or_throw(open_embedded(value_or_throw(parse_embedded("embedded:" + std::string{name}))));
        EXPECT_TRUE(carried_out(table_client{*s, "People"}.create()));
        EXPECT_TRUE(fs::exists(fs::path{name})) << name;
    }
    EXPECT_FALSE(fs::exists("foo.db"));
}

TEST_F(file_path, that_is_a_link_to_a_store_with_a_log_opens_that_store) {
    auto s = open();
    ASSERT_TRUE(carried_out(table_client{*s, "People"}.create()));
    fs::create_symlink(path(), "link.db");
    auto linked = value_or_throw(open_embedded({.path = "link.db"}));
    EXPECT_TRUE(carried_out(table_client{*linked, "People"}.page({})));
}

// --- files that are full ---------------------------------------------------------------------------------------------

class full_file : public embedded_file {
protected:
    store_ptr open_small(int pages = 40) const {
        auto o = options();
        o.max_page_count = pages;
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

TEST_F(full_file, that_is_larger_than_its_bound_does_not_grow_and_still_reads_and_erases) {
    make_store(100);
    auto const size = std::filesystem::file_size(path());
    {
        auto s = open_small(10);
        table_client t{*s, "People"};
        EXPECT_TRUE(refused(t.insert(entity("p", "big", {{"Text", std::string(30'000, 'x')}})), store_errc::full));
        EXPECT_EQ(t.all().size(), 100u);
        for (int i = 0; i < 100; ++i) ASSERT_TRUE(carried_out(t.erase("p", std::to_string(i))));
        EXPECT_TRUE(carried_out(t.insert(entity("p", "big", {{"Text", std::string(30'000, 'x')}}))));
    }
    EXPECT_EQ(std::filesystem::file_size(path()), size);
}

TEST_F(file, requests_for_one_entity_may_wait_for_the_disk_and_those_in_memory_do_not) {
    EXPECT_FALSE(open()->capabilities().immediate);
    EXPECT_TRUE(value_or_throw(open_embedded({.path = ":memory:"}))->capabilities().immediate);
}

}  // namespace
}  // namespace tablemap::test

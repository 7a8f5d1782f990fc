// SPDX-License-Identifier: Apache-2.0
#include "tablemap/embedded/maintenance.hpp"

#include "tablemap/mapping/dynamic.hpp"
#include "tablemap/table/table.hpp"

#include "support/temp_folder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sqlite3.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <thread>

namespace tablemap::test {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

class embedded_maintenance : public ::testing::Test {
protected:
    static table<dynamic_entity> rows_of(std::string const& path) {
        table<dynamic_entity> t{value_or_throw(open_embedded({.path = path, .synchronous = durability::normal})),
                                "People"};
        static_cast<void>(t.create_if_not_exists());
        return t;
    }

    static void fill(std::string const& path, int rows, std::size_t size = 1'000) {
        std::vector<dynamic_entity> all;
        for (int i = 0; i < rows; ++i) {
            all.emplace_back("p", std::to_string(100'000 + i));
            all.back().set("Text", std::string(size, 'x'));
        }
        rows_of(path).insert_many(all).require_complete();
    }

    static std::size_t count(std::string const& path) { return rows_of(path).scan().count(); }

    template <class T> static std::string refusal(result<T> const& r) { return r ? "" : r.error().what(); }

    std::size_t files() const {
        return static_cast<std::size_t>(std::distance(fs::directory_iterator{folder.path()}, {}));
    }

    temp_folder folder;
    std::string file = folder.file("a.db"), copy = folder.file("b.db");
};

TEST_F(embedded_maintenance, backup_has_every_row_of_a_store_that_is_open) {
    auto const open = rows_of(file);
    fill(file, 500);
    auto const size = back_up_embedded({.path = file}, copy);
    ASSERT_TRUE(size) << size.error().what();
    EXPECT_EQ(*size, fs::file_size(copy));
    EXPECT_EQ(count(copy), 500u);
}

TEST_F(embedded_maintenance, backup_beside_a_writer_is_one_state_of_the_store) {
    fill(file, 2'000);
    std::atomic<bool> stop = false;
    std::thread writer{[&] {
        auto const t = rows_of(file);
        for (int i = 0; !stop; ++i) {
            dynamic_entity const row{"w", std::to_string(100'000 + i)};
            t.insert(row);
        }
    }};
    auto const size = back_up_embedded({.path = file}, copy);
    stop = true;
    writer.join();
    ASSERT_TRUE(size) << size.error().what();
    auto const t = rows_of(copy);
    auto const written = t.query(partition("w")).count();
    EXPECT_EQ(t.query(partition("p")).count(), 2'000u);
    // Rows came one after the other, so the copy has the first ones.
    if (written > 0) {
        EXPECT_TRUE(t.find("w", std::to_string(100'000 + written - 1)));
    }
}

TEST_F(embedded_maintenance, backup_replaces_no_file_unless_it_is_told_to) {
    fill(file, 10);
    std::ofstream{copy} << "something else";
    EXPECT_THAT(refusal(back_up_embedded({.path = file}, copy)), HasSubstr("there already"));
    EXPECT_EQ(fs::file_size(copy), 14u);
    EXPECT_TRUE(back_up_embedded({.path = file}, copy, {.overwrite = true}));
    EXPECT_EQ(count(copy), 10u);
}

TEST_F(embedded_maintenance, backup_replaces_nothing_that_is_no_file) {
    fill(file, 10);
    fs::create_directory(copy);
    EXPECT_THAT(refusal(back_up_embedded({.path = file}, copy, {.overwrite = true})), HasSubstr("no file"));
    EXPECT_TRUE(fs::is_directory(copy));
}

TEST_F(embedded_maintenance, backup_of_no_file_makes_none) {
    EXPECT_THAT(refusal(back_up_embedded({.path = file}, copy)), HasSubstr("missing"));
    EXPECT_THAT(refusal(back_up_embedded({.path = ":memory:"}, copy)), HasSubstr("memory"));
    EXPECT_EQ(files(), 0u);
}

TEST_F(embedded_maintenance, backup_over_itself_is_refused) {
    fill(file, 10);
    EXPECT_THAT(refusal(back_up_embedded({.path = file}, file, {.overwrite = true})), HasSubstr("itself"));
    EXPECT_EQ(count(file), 10u);
}

TEST_F(embedded_maintenance, progress_ends_with_all_pages) {
    fill(file, 100);
    std::uint64_t last = 0, all = 1;
    EXPECT_TRUE(back_up_embedded({.path = file}, copy, {.progress = [&](auto n, auto of) { last = n, all = of; }}));
    EXPECT_EQ(last, all);
}

TEST_F(embedded_maintenance, interrupted_backup_leaves_nothing_behind) {
    fill(file, 100);
    auto const fail = [](auto, auto) { throw std::runtime_error{"stop"}; };
    EXPECT_THROW(static_cast<void>(back_up_embedded({.path = file}, copy, {.progress = fail})), std::runtime_error);
    EXPECT_EQ(files(), 1u);
}

TEST_F(embedded_maintenance, restore_brings_back_the_rows_of_the_backup) {
    fill(file, 20);
    ASSERT_TRUE(back_up_embedded({.path = file}, copy));
    rows_of(file).delete_table();
    EXPECT_THAT(refusal(restore_embedded(copy, {.path = file})), HasSubstr("overwrite"));
    auto const r = restore_embedded(copy, {.path = file}, {.overwrite = true});
    ASSERT_TRUE(r) << r.error().what();
    EXPECT_EQ(count(file), 20u);
}

/// While it lives, the process works in the folder.
class working_folder {
public:
    explicit working_folder(fs::path const& folder) { fs::current_path(folder); }
    ~working_folder() { fs::current_path(before_); }
    working_folder(working_folder const&) = delete;
    working_folder& operator=(working_folder const&) = delete;

private:
    fs::path before_ = fs::current_path();
};

TEST_F(embedded_maintenance, restore_makes_a_file_with_a_bare_name) {
    fill(file, 1);
    working_folder const here{folder.path()};
    auto const r = restore_embedded("a.db", {.path = "new.db"});
    EXPECT_TRUE(r) << r.error().what();
    EXPECT_EQ(count("new.db"), 1u);
}

TEST_F(embedded_maintenance, missing_file_with_a_bare_name_is_called_missing) {
    working_folder const here{folder.path()};
    EXPECT_THAT(refusal(compact_embedded({.path = "none.db"})), HasSubstr("it is missing or empty"));
    EXPECT_THAT(refusal(upgrade_embedded({.path = "none.db"})), HasSubstr("it is missing or empty"));
    EXPECT_THAT(refusal(restore_embedded("none.db", {.path = file})), HasSubstr("it is missing or empty"));
    EXPECT_EQ(files(), 0u);
}

TEST_F(embedded_maintenance, restore_refuses_a_store_that_is_open) {
    fill(file, 20);
    ASSERT_TRUE(back_up_embedded({.path = file}, copy));
    auto const open = rows_of(file);
    open.insert({"q", "1"});
    auto const r =
        restore_embedded(copy, {.path = file, .busy_timeout = std::chrono::milliseconds{20}}, {.overwrite = true});
    ASSERT_FALSE(r);
    EXPECT_EQ(r.error().code(), store_errc::busy);
    EXPECT_TRUE(open.find("q", "1"));
}

TEST_F(embedded_maintenance, restore_refuses_a_damaged_backup_and_keeps_the_store) {
    fill(file, 500);
    ASSERT_TRUE(back_up_embedded({.path = file}, copy));
    {
        std::fstream damaged{copy, std::ios::in | std::ios::out | std::ios::binary};
        damaged.seekp(5 * 8192);
        damaged << std::string(8192, '\x55');
    }
    auto const r = restore_embedded(copy, {.path = file}, {.overwrite = true});
    ASSERT_FALSE(r);
    EXPECT_EQ(r.error().code(), store_errc::corrupt);
    EXPECT_EQ(count(file), 500u);
}

TEST_F(embedded_maintenance, empty_database_is_no_backup_and_is_left_as_it_is) {
    fill(file, 20);
    {
        sqlite3* db = nullptr;
        ASSERT_EQ(sqlite3_open(copy.c_str(), &db), SQLITE_OK);
        ASSERT_EQ(sqlite3_exec(db, "VACUUM", nullptr, nullptr, nullptr), SQLITE_OK);
        sqlite3_close(db);
    }
    auto const size = fs::file_size(copy);
    EXPECT_THAT(refusal(restore_embedded(copy, {.path = file}, {.overwrite = true})), HasSubstr("an empty database"));
    EXPECT_THAT(refusal(upgrade_embedded({.path = copy})), HasSubstr("an empty database"));
    EXPECT_EQ(fs::file_size(copy), size);
    EXPECT_EQ(count(file), 20u);
}

TEST_F(embedded_maintenance, restore_and_backup_replace_the_file_behind_a_link) {
    fill(file, 20);
    ASSERT_TRUE(back_up_embedded({.path = file}, copy));
    auto const store = folder.file("store"), backup = folder.file("backup");
    fs::create_symlink(file, store);
    fs::create_symlink(copy, backup);
    rows_of(file).erase_any("p", "100000");
    ASSERT_TRUE(restore_embedded(backup, {.path = store}, {.overwrite = true}));
    EXPECT_TRUE(fs::is_symlink(store));
    EXPECT_EQ(count(file), 20u);
    ASSERT_TRUE(back_up_embedded({.path = store}, backup, {.overwrite = true}));
    EXPECT_TRUE(fs::is_symlink(backup));
    EXPECT_EQ(files(), 4u);
}

TEST_F(embedded_maintenance, restored_store_has_the_permissions_of_the_one_that_it_replaces) {
    fill(file, 20);
    ASSERT_TRUE(back_up_embedded({.path = file}, copy));
    auto const shared = fs::perms{0660};
    fs::permissions(file, shared);
    ASSERT_TRUE(restore_embedded(copy, {.path = file}, {.overwrite = true}));
    EXPECT_EQ(fs::status(file).permissions(), shared);
}

TEST_F(embedded_maintenance, compaction_gives_back_the_space_of_what_was_erased) {
    fill(file, 1'000);
    {
        auto const t = rows_of(file);
        t.erase_where(t.query(partition("p"), row_range("100010", "200000"))).require_complete();
    }
    auto const sizes = compact_embedded({.path = file});
    ASSERT_TRUE(sizes) << sizes.error().what();
    EXPECT_LT(sizes->after * 10, sizes->before);
    EXPECT_EQ(fs::file_size(file), sizes->after);
    EXPECT_EQ(count(file), 10u);
}

TEST_F(embedded_maintenance, compaction_beside_an_open_store_keeps_its_rows) {
    auto const open = rows_of(file);
    fill(file, 200);
    EXPECT_TRUE(open.find("p", "100000"));
    EXPECT_TRUE(compact_embedded({.path = file}));
    EXPECT_TRUE(open.find("p", "100199"));
    open.insert({"q", "1"});
    EXPECT_EQ(count(file), 201u);
}

TEST_F(embedded_maintenance, compaction_beside_a_writer_loses_no_write) {
    fill(file, 2'000);
    std::atomic<bool> stop = false;
    std::size_t written = 0;
    std::thread writer{[&] {
        auto const t = rows_of(file);
        for (; !stop; ++written) {
            dynamic_entity const row{"w", std::to_string(written)};
            t.insert(row);
        }
    }};
    for (int i = 0; i < 3; ++i) EXPECT_TRUE(compact_embedded({.path = file}));
    stop = true;
    writer.join();
    EXPECT_EQ(count(file), 2'000 + written);
    EXPECT_TRUE(check_embedded({.path = file}));
}

TEST_F(embedded_maintenance, restore_over_a_damaged_store_says_what_to_do_and_keeps_it) {
    fill(file, 10);
    ASSERT_TRUE(back_up_embedded({.path = file}, copy));
    fs::resize_file(file, 8192);
    auto const r = restore_embedded(copy, {.path = file}, {.overwrite = true});
    EXPECT_THAT(refusal(r), HasSubstr("move it"));
    EXPECT_EQ(fs::file_size(file), 8192u);
    fs::remove(file);
    EXPECT_TRUE(restore_embedded(copy, {.path = file}));
    EXPECT_EQ(count(file), 10u);
}

TEST_F(embedded_maintenance, restore_beside_a_log_without_its_file_is_refused) {
    fill(file, 10);
    ASSERT_TRUE(back_up_embedded({.path = file}, copy));
    fs::remove(file);
    std::ofstream{file + "-wal"} << "a log";
    EXPECT_THAT(refusal(restore_embedded(copy, {.path = file})), HasSubstr("-wal"));
    EXPECT_FALSE(fs::exists(file));
}

TEST_F(embedded_maintenance, upgrade_gives_the_latest_format_and_keeps_the_rows) {
    fill(file, 20);
    auto const formats = upgrade_embedded({.path = file});
    ASSERT_TRUE(formats) << formats.error().what();
    EXPECT_EQ(formats->before, 2);
    EXPECT_EQ(formats->after, 3);
    EXPECT_EQ(upgrade_embedded({.path = file})->before, 3);
    EXPECT_EQ(count(file), 20u);
}

TEST_F(embedded_maintenance, check_finds_damage) {
    fill(file, 500);
    EXPECT_TRUE(check_embedded({.path = file}));
    {
        std::fstream damaged{file, std::ios::in | std::ios::out | std::ios::binary};
        damaged.seekp(5 * 8192);
        damaged << std::string(8192, '\x55');
    }
    EXPECT_FALSE(check_embedded({.path = file}));
}

}  // namespace
}  // namespace tablemap::test

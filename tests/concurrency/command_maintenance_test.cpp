// SPDX-License-Identifier: Apache-2.0
#include "concurrency/killed_command.hpp"
#include "unit/command/command_line.hpp"

#include "tablemap/embedded/maintenance.hpp"

#include "support/random.hpp"

#include <gtest/gtest.h>

#include <filesystem>

namespace tablemap::test {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t rows_of_backup = 3'000;
constexpr int kills = 25;

class command_maintenance_process : public ::testing::Test {
protected:
    void SetUp() override {
        std::vector<dynamic_entity> all;
        for (std::size_t i = 0; i < rows_of_backup; ++i) {
            all.emplace_back("p", std::to_string(i));
            all.back().set("Text", std::string(2'000, 'x'));
        }
        tablemap.rows().insert_many(all).require_complete();
    }

    /// Kills the subcommand after some milliseconds.
    std::optional<int> kill_soon(std::vector<std::string> arguments) {
        arguments.insert(arguments.end(), {"--store", tablemap.store});
        return run_for(arguments, std::chrono::milliseconds{1 + random.below(150)});
    }

    command_file const tablemap{};
    std::string backup = tablemap.folder.file("backup.db");
    random_source random;
};

TEST_F(command_maintenance_process, killed_backup_is_whole_or_not_there) {
    int whole = 0;
    for (int i = 0; i < kills; ++i) {
        fs::remove(backup);
        kill_soon({"backup", backup});
        if (!fs::exists(backup)) continue;
        ++whole;
        EXPECT_TRUE(check_embedded({.path = backup}));
        EXPECT_EQ((table<dynamic_entity>{open("embedded:" + backup), "People"}.scan().count()), rows_of_backup);
    }
    RecordProperty("whole", whole);
    EXPECT_EQ(tablemap.rows().scan().count(), rows_of_backup);
}

TEST_F(command_maintenance_process, killed_restore_leaves_the_store_as_it_was_or_as_the_backup_is) {
    ASSERT_EQ(tablemap({"backup", backup}).code, command::done);
    int restored = 0;
    for (int i = 0; i < kills; ++i) {
        static_cast<void>(tablemap.rows().upsert_replace({"q", "1"}));
        kill_soon({"restore", backup, "--overwrite"});
        auto const rows = tablemap.rows();
        bool const old = rows.find("q", "1").has_value();
        restored += old ? 0 : 1;
        EXPECT_EQ(rows.scan().count(), rows_of_backup + (old ? 1 : 0));
    }
    RecordProperty("restored", restored);
    EXPECT_TRUE(check_embedded({.path = tablemap.folder.file("store.db")}));
}

TEST_F(command_maintenance_process, killed_compaction_loses_nothing) {
    for (int i = 0; i < kills; ++i) {
        kill_soon({"compact"});
        EXPECT_EQ(tablemap.rows().scan().count(), rows_of_backup);
    }
    EXPECT_TRUE(check_embedded({.path = tablemap.folder.file("store.db")}));
}

}  // namespace
}  // namespace tablemap::test

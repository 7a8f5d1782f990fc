// SPDX-License-Identifier: Apache-2.0
#include "unit/command/command_line.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tablemap::test {
namespace {

using ::testing::HasSubstr;

class command_maintenance : public ::testing::Test {
protected:
    void SetUp() override { tablemap.rows().insert({"p", "r"}); }

    command_file const tablemap{};
    std::string file = tablemap.folder.file("backup.db");
};

TEST_F(command_maintenance, backup_is_restored) {
    EXPECT_EQ(tablemap({"backup", file}).code, command::done);
    tablemap.rows().erase_any("p", "r");
    auto const refused = tablemap({"restore", file});
    EXPECT_EQ(refused.code, command::usage);
    EXPECT_THAT(refused.error, HasSubstr("store.db is there already; --overwrite replaces it"));
    EXPECT_EQ(tablemap({"backup", file}).code, command::usage);
    EXPECT_EQ(tablemap({"restore", file, "--overwrite"}).code, command::done);
    EXPECT_TRUE(tablemap.rows().find("p", "r"));
}

TEST_F(command_maintenance, compact_and_upgrade_keep_the_rows) {
    EXPECT_THAT(tablemap({"compact"}).error, HasSubstr("compacted from"));
    EXPECT_THAT(tablemap({"upgrade"}).error, HasSubstr("upgraded from format 2 to 3"));
    EXPECT_THAT(tablemap({"upgrade"}).error, HasSubstr("has format 3 already"));
    EXPECT_TRUE(tablemap.rows().find("p", "r"));
}

TEST_F(command_maintenance, only_embedded_stores_are_files) {
    auto const r = run_command({"backup", file, "--store", "UseDevelopmentStorage=true"});
    EXPECT_EQ(r.code, command::usage);
    EXPECT_THAT(r.error, HasSubstr("embedded"));
}

}  // namespace
}  // namespace tablemap::test

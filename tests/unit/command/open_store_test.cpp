// SPDX-License-Identifier: Apache-2.0
#include "command/open_store.hpp"

#include "support/temp_folder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

namespace tablemap::test {
namespace {

using ::testing::HasSubstr;

class command_store : public ::testing::Test {
protected:
    void SetUp() override { unsetenv(command::store_variable); }
    void TearDown() override { unsetenv(command::store_variable); }

    std::string file(std::string const& text) const {
        std::ofstream{folder.file("store.txt")} << text;
        return folder.file("store.txt");
    }

    static std::string refusal(command::store_options const& o) {
        try {
            return command::connection_string_of(o);
        } catch (command::usage_error const& e) {
            return e.what();
        }
    }

    temp_folder folder;
};

TEST_F(command_store, is_that_of_the_option) {
    setenv(command::store_variable, "embedded:b.db", 1);
    EXPECT_EQ(command::connection_string_of({.connection = "embedded:a.db"}), "embedded:a.db");
}

TEST_F(command_store, is_that_of_the_first_line_of_a_file) {
    EXPECT_EQ(command::connection_string_of({.file = file("embedded:a.db\r\nmore\n")}), "embedded:a.db");
}

TEST_F(command_store, is_that_of_the_environment) {
    setenv(command::store_variable, "embedded:b.db", 1);
    EXPECT_EQ(command::connection_string_of({}), "embedded:b.db");
}

TEST_F(command_store, is_demanded) {
    EXPECT_THAT(refusal({}), HasSubstr("TABLEMAP_STORE"));
    EXPECT_THAT(refusal({.connection = "embedded:a.db", .file = "b"}), HasSubstr("not both"));
}

TEST_F(command_store, file_that_cannot_be_read_is_named) {
    EXPECT_THAT(refusal({.file = folder.file("absent")}), HasSubstr("absent"));
    EXPECT_THAT(refusal({.file = file("\nembedded:a.db")}), HasSubstr("first line"));
}

}  // namespace
}  // namespace tablemap::test

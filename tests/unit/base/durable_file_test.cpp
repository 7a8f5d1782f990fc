// SPDX-License-Identifier: Apache-2.0
#include "base/durable_file.hpp"

#include "support/temp_folder.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>

#include <sys/stat.h>

namespace tablemap::test {
namespace {

class durable_file : public ::testing::Test {
protected:
    static std::string contents(std::string const& file) {
        std::ifstream in{file};
        return {std::istreambuf_iterator<char>{in}, {}};
    }

    temp_folder folder;
    std::string a = folder.file("a"), b = folder.file("b");
};

TEST_F(durable_file, is_replaced_as_a_whole) {
    detail::write_durably(a, "first");
    detail::write_durably(a, "second");
    EXPECT_EQ(contents(a), "second");
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator{folder.path()}, {}), 1);
}

TEST_F(durable_file, name_that_is_taken_is_refused_and_nothing_is_lost) {
    detail::write_durably(a, "first");
    detail::write_durably(b, "second");
    try {
        detail::name_durably(a, b);
        FAIL();
    } catch (std::system_error const& e) {
        EXPECT_EQ(e.code(), std::errc::file_exists);
    }
    EXPECT_EQ(contents(a), "first");
    EXPECT_EQ(contents(b), "second");
    detail::rename_durably(a, b);
    EXPECT_EQ(contents(b), "first");
}

TEST_F(durable_file, replaced_file_keeps_its_link_and_its_permissions) {
    detail::write_durably(a, "first");
    std::filesystem::create_symlink(a, b);
    std::filesystem::permissions(a, std::filesystem::perms{0640});
    detail::write_durably(b, "second");
    EXPECT_TRUE(std::filesystem::is_symlink(b));
    EXPECT_EQ(contents(a), "second");
    EXPECT_EQ(std::filesystem::status(a).permissions(), std::filesystem::perms{0640});
}

TEST_F(durable_file, what_is_no_file_is_not_replaced) {
    std::filesystem::create_directory(b);
    ASSERT_EQ(mkfifo(a.c_str(), 0600), 0);
    EXPECT_TRUE(detail::is_no_file(a));
    EXPECT_THROW(detail::write_durably(a, "text"), std::system_error);
    EXPECT_TRUE(std::filesystem::is_fifo(a));
    EXPECT_TRUE(detail::is_no_file(b));
    EXPECT_FALSE(detail::is_no_file(folder.file("absent")));
}

TEST_F(durable_file, folder_that_is_not_there_is_named) {
    try {
        detail::write_durably(folder.file("absent/a"), "text");
        FAIL();
    } catch (std::system_error const& e) {
        EXPECT_NE(std::string{e.what()}.find("absent/a"), std::string::npos);
    }
}

}  // namespace
}  // namespace tablemap::test

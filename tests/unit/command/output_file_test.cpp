// SPDX-License-Identifier: Apache-2.0
#include "command/output_file.hpp"

#include "command/open_store.hpp"
#include "support/temp_folder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>

#include <sys/stat.h>

namespace tablemap::test {
namespace {

namespace fs = std::filesystem;
using command::output_file;
using ::testing::HasSubstr;

class command_output_file : public ::testing::Test {
protected:
    static std::string contents(std::string const& file) {
        std::ifstream in{file};
        return {std::istreambuf_iterator<char>{in}, {}};
    }

    static void write(std::string const& file, std::string const& text) { std::ofstream{file} << text; }

    template <class Call> static std::string refusal(Call call) {
        try {
            call();
            return {};
        } catch (std::exception const& e) {
            return e.what();
        }
    }

    temp_folder folder{};
    std::string file = folder.file("a"), part = folder.file("a.part");
};

TEST_F(command_output_file, has_its_name_once_it_is_whole) {
    output_file out{file, false};
    out.begin(false) << "text" << std::flush;
    EXPECT_FALSE(fs::exists(file));
    out.finish();
    EXPECT_EQ(contents(file), "text");
    EXPECT_FALSE(fs::exists(part));
}

TEST_F(command_output_file, has_one_writer_at_a_time) {
    std::optional<output_file> out{std::in_place, file, false};
    out->begin(false) << "text" << std::flush;
    EXPECT_THAT(refusal([&] { output_file{file, true}; }), HasSubstr("another process writes"));
    EXPECT_EQ(contents(part), "text");
    out.reset();
    EXPECT_EQ(refusal([&] { output_file{file, true}; }), "");
}

TEST_F(command_output_file, part_that_somebody_took_away_is_no_success) {
    output_file out{file, false};
    out.begin(false) << "text";
    fs::rename(part, folder.file("b"));
    write(part, "of another program");
    EXPECT_THAT(refusal([&] { out.finish(); }), HasSubstr("removed or renamed"));
    EXPECT_FALSE(fs::exists(file));
}

TEST_F(command_output_file, file_that_came_up_meanwhile_is_left) {
    output_file out{file, false};
    out.begin(false) << "text";
    write(file, "of another program");
    EXPECT_THAT(refusal([&] { out.finish(); }), HasSubstr("came up meanwhile"));
    EXPECT_EQ(contents(file), "of another program");
    EXPECT_EQ(contents(part), "text");
}

TEST_F(command_output_file, that_replaces_a_private_file_stays_private) {
    write(file, "precious");
    write(part, "of an earlier process");
    fs::permissions(file, fs::perms{0640});
    output_file out{file, true};
    EXPECT_EQ(fs::status(part).permissions(), fs::perms{0600});
    out.begin(false) << "text";
    out.finish();
    EXPECT_EQ(fs::status(file).permissions(), fs::perms{0640});
    EXPECT_EQ(contents(file), "text");
}

TEST_F(command_output_file, replaces_the_file_behind_a_link) {
    write(file, "precious");
    auto const link = folder.file("link");
    fs::create_symlink(file, link);
    output_file out{link, true};
    out.begin(false) << "text";
    out.finish();
    EXPECT_TRUE(fs::is_symlink(link));
    EXPECT_EQ(contents(file), "text");
}

TEST_F(command_output_file, part_that_is_no_file_is_refused) {
    ASSERT_EQ(mkfifo(part.c_str(), 0600), 0);
    EXPECT_THAT(refusal([&] { output_file{file, false}; }), HasSubstr("a.part"));
    fs::remove(part);
    write(folder.file("b"), "precious");
    fs::create_symlink(folder.file("b"), part);
    EXPECT_THAT(refusal([&] { output_file{file, false}; }), HasSubstr("a.part"));
    EXPECT_EQ(contents(folder.file("b")), "precious");
}

TEST_F(command_output_file, what_is_there_must_be_free) {
    write(file, "precious");
    EXPECT_THROW(command::require_free(file, false), command::usage_error);
    EXPECT_THROW(command::require_free(folder.path().string(), true), command::usage_error);
    EXPECT_NO_THROW(command::require_free(file, true));
    EXPECT_NO_THROW(command::require_free(part, false));
}

}  // namespace
}  // namespace tablemap::test

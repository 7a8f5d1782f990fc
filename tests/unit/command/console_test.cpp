// SPDX-License-Identifier: Apache-2.0
#include "command/console.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

namespace tablemap::test {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

TEST(command_console, progress_is_quiet_in_a_pipe) {
    std::ostringstream out, error;
    command::console c{out, error};
    c.progress("10 rows");
    EXPECT_THAT(error.str(), IsEmpty());
}

TEST(command_console, note_replaces_the_line_of_progress) {
    std::ostringstream out, error;
    command::console c{out, error, {.out = true, .error = true}};
    c.progress("10 rows");
    c.progress("11 rows");
    c.note("done");
    EXPECT_EQ(error.str(), "\r\x1b[K10 rows\r\x1b[Kdone\n");
}

TEST(command_console, failure_shows_no_secret_and_no_control_character) {
    std::ostringstream out, error;
    command::console c{out, error};
    EXPECT_EQ(c.fail(command::failed, "bad \x1b[2J AccountKey=c2VjcmV0c2VjcmV0c2VjcmV0"), command::failed);
    EXPECT_THAT(error.str(), HasSubstr("tablemap: bad ?[2J"));
    EXPECT_THAT(error.str(), Not(HasSubstr("c2VjcmV0")));
}

TEST(command_console, bytes_have_a_unit_that_people_read) {
    EXPECT_EQ(command::bytes_for_people(1023), "1023 bytes");
    EXPECT_EQ(command::bytes_for_people(1536), "1.5 KiB");
    EXPECT_EQ(command::bytes_for_people(3ull << 40), "3.0 TiB");
}

TEST(command_console, control_characters_beyond_ascii_are_not_printed) {
    EXPECT_EQ(command::printable("a\xC2\x9B"
                                 "2J\xC2\xA0\xC3\x9B"),
              "a?2J\xC2\xA0\xC3\x9B");
}

TEST(command_console, characters_that_turn_the_direction_of_text_are_not_printed) {
    EXPECT_EQ(command::printable("a\u202Eb\u2066c\u061Cd\u200F"), "a?b?c?d?");
    EXPECT_EQ(command::printable("\u200D\u2070\u0627"), "\u200D\u2070\u0627");
}

}  // namespace
}  // namespace tablemap::test

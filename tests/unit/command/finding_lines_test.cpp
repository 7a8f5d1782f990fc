// SPDX-License-Identifier: Apache-2.0
#include "command/finding_lines.hpp"

#include <gtest/gtest.h>

#include <sstream>

namespace tablemap::test {
namespace {

std::string line_of(command::line_format form, command::finding_line const& f) {
    std::ostringstream out;
    command::write_line(out, form, f);
    return out.str();
}

command::finding_line const hostile{.table = "People",
                                    .level = "error",
                                    .rule = "keys",
                                    .text = "a\x1b[2J",
                                    .partition_key = "p\nPeople: error: forged",
                                    .row_key = "\t\x7f"};

TEST(command_finding_lines, text_stays_one_line_without_control_characters) {
    EXPECT_EQ(line_of(command::line_format::text, hostile),
              "People: error: a?[2J (partition 'p?People: error: forged', row '?\?')\n");
}

TEST(command_finding_lines, json_escapes_what_text_leaves_out) {
    EXPECT_EQ(line_of(command::line_format::jsonl, hostile),
              "{\"table\":\"People\",\"level\":\"error\",\"rule\":\"keys\",\"text\":\"a\\u001b[2J\","
              "\"partition_key\":\"p\\nPeople: error: forged\",\"row_key\":\"\\t\x7f\"}\n");
}

TEST(command_finding_lines, row_of_several_is_called_the_first) {
    command::finding_line f{.table = "T", .level = "note", .rule = "r", .rows = 2, .text = "x", .partition_key = ""};
    EXPECT_EQ(line_of(command::line_format::text, f), "T: note: x (first: partition '')\n");
    f.rows = 1;
    EXPECT_EQ(line_of(command::line_format::text, f), "T: note: x (partition '')\n");
}

}  // namespace
}  // namespace tablemap::test

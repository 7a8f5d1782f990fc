// SPDX-License-Identifier: Apache-2.0
#include "unit/command/command_line.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tablemap::test {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

TEST(command_options, name_that_no_property_can_have_is_not_selected) {
    EXPECT_THAT(refusal_of({"query", "People", "--select", "Age,a b"}),
                StartsWith("tablemap: --select: 'a b' cannot be the name of a property: use letters, digits and"));
}

TEST(command_options, word_that_is_no_choice_is_refused_with_those_that_there_are) {
    EXPECT_THAT(refusal_of({"query", "People", "--output", "xml"}),
                StartsWith("tablemap: --output: 'xml' is none of table, jsonl, csv; "));
    EXPECT_THAT(refusal_of({"export", "People", "--format", "1"}), HasSubstr("--format: '1' is none of csv, jsonl; "));
    EXPECT_THAT(refusal_of({"lint", "--output", "2"}), HasSubstr("--output: '2' is none of text, jsonl; "));
}

TEST(command_options, number_beyond_its_range_is_refused_with_the_range) {
    EXPECT_THAT(refusal_of({"query", "People", "--top", "-1"}),
                StartsWith("tablemap: --top: '-1' is no whole number from 0 to 9223372036854775807; "));
    EXPECT_THAT(refusal_of({"stats", "People", "--sample", "0"}), HasSubstr("'0' is no whole number from 1 to "));
    EXPECT_THAT(refusal_of({"poison", "work", "--top", "33"}), HasSubstr("'33' is no whole number from 1 to 32; "));
    EXPECT_THAT(refusal_of({"report", "--rows", "1e3"}), HasSubstr("'1e3' is no whole number from 1 to 10000000; "));
    EXPECT_THAT(refusal_of({"sweep", "People", "--container", "abc", "--per-second", "nan"}),
                HasSubstr("--per-second: 'nan' is no number of 0 or more; "));
}

TEST(command_options, name_that_no_queue_or_container_can_have_is_refused_as_such) {
    EXPECT_THAT(refusal_of({"poison", "B Q"}),
                StartsWith("tablemap: QUEUE: 'B Q' cannot be the name of a queue: the name of a queue has 3 to 56"));
    EXPECT_THAT(refusal_of({"relay", "People", "--put-back", "--queue", "B Q"}), HasSubstr("--queue: 'B Q' cannot"));
    EXPECT_THAT(refusal_of({"sweep", "People", "--container", "C C"}),
                HasSubstr("--container: 'C C' cannot be the name of a container: use 3 to 63"));
}

TEST(command_options, help_names_choices_and_ranges) {
    EXPECT_THAT(run_command({"query", "--help"}).out, HasSubstr(":table|jsonl|csv"));
    EXPECT_THAT(run_command({"poison", "--help"}).out, HasSubstr(":1..32=32"));
}

}  // namespace
}  // namespace tablemap::test

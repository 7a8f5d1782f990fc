// SPDX-License-Identifier: Apache-2.0
#include "unit/command/command_line.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tablemap::test {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

TEST(command_arguments, help_goes_to_the_standard_output) {
    auto const r = run_command({"--help"});
    EXPECT_EQ(r.code, command::done);
    EXPECT_THAT(r.out, HasSubstr("tables"));
    EXPECT_THAT(r.error, IsEmpty());
}

TEST(command_arguments, every_subcommand_has_help) {
    auto const r = run_command({"tables", "--help"});
    EXPECT_EQ(r.code, command::done);
    EXPECT_THAT(r.out, HasSubstr("TABLEMAP_STORE"));
}

TEST(command_arguments, version_is_that_of_the_library) {
    EXPECT_THAT(run_command({"--version"}).out, StartsWith("tablemap 0."));
}

TEST(command_arguments, line_without_subcommand_is_refused) {
    auto const r = run_command({});
    EXPECT_EQ(r.code, command::usage);
    EXPECT_THAT(r.error, HasSubstr("--help"));
}

TEST(command_arguments, unknown_subcommand_is_named) {
    auto const r = run_command({"frobnicate"});
    EXPECT_EQ(r.code, command::usage);
    EXPECT_THAT(r.error, HasSubstr("frobnicate"));
}

TEST(command_arguments, unknown_option_is_named_and_secrets_in_it_are_not) {
    auto const r = run_command({"tables", "--sotre", "AccountName=a;AccountKey=c2VjcmV0c2VjcmV0c2VjcmV0;"});
    EXPECT_EQ(r.code, command::usage);
    EXPECT_THAT(r.error, HasSubstr("--sotre"));
    EXPECT_THAT(r.error, Not(HasSubstr("c2VjcmV0")));
}

TEST(command_arguments, empty_text_is_not_the_same_as_no_option) {
    for (std::vector<std::string> const& line :
         std::initializer_list<std::vector<std::string>>{{"tables", "--store", ""},
                                                         {"tables", "--store-file", ""},
                                                         {"tables", "--drop", "", "--yes"},
                                                         {"copy", "--from", "", "--to", "embedded:a.db", "People"},
                                                         {"copy", "--from", "embedded:a.db", "--to-file", "", "People"},
                                                         {"export", "People", "--output", ""},
                                                         {"export", "People", "--filter", ""},
                                                         {"query", "People", "--select", ""},
                                                         {"tables", "--prefix", ""},
                                                         {"infer", "People", "--name", ""},
                                                         {"lint", "--type-property", ""},
                                                         {"report", "--title", ""},
                                                         {"relay", "People", "--put-back", "--queue", ""},
                                                         {"sweep", "People", "--container", ""},
                                                         {"import", "People", "a.csv", "--ledger", ""}}) {
        auto const r = run_command(line);
        EXPECT_EQ(r.code, command::usage);
        EXPECT_THAT(r.error, HasSubstr(": the text is empty; is a variable of the shell not set?")) << line[1];
    }
}

TEST(command_arguments, option_without_a_value_or_with_two_is_told_in_words) {
    EXPECT_THAT(refusal_of({"query", "People", "--top"}), StartsWith("tablemap: --top: the value is missing; "));
    EXPECT_THAT(refusal_of({"query", "People", "--top", "1", "--top", "2"}),
                StartsWith("tablemap: --top: the option is given more than once; "));
}

TEST(command_arguments, connection_string_that_cannot_be_read_is_a_usage_error) {
    auto const r = run_command({"tables", "--store", "nonsense"});
    EXPECT_EQ(r.code, command::usage);
    EXPECT_THAT(r.error, StartsWith("tablemap: "));
}

TEST(command_arguments, file_that_is_no_store_fails) {
    auto const r = run_command({"tables", "--store", "embedded:/dev/null/x.db"});
    EXPECT_EQ(r.code, command::failed);
    EXPECT_THAT(r.error, HasSubstr("/dev/null"));
}

}  // namespace
}  // namespace tablemap::test

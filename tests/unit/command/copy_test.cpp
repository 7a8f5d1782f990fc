// SPDX-License-Identifier: Apache-2.0
#include "command/open_store.hpp"
#include "command/table_comparison.hpp"
#include "unit/command/command_line.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <iostream>

namespace tablemap::test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class command_copy : public ::testing::Test {
protected:
    static dynamic_entity row(std::string const& key, std::int32_t value) {
        dynamic_entity e{"p", key};
        e.set("Value", value);
        return e;
    }

    void SetUp() override {
        for (int i = 0; i < 5; ++i) people.insert(row(std::to_string(i), i));
    }

    command_result copy(std::vector<std::string> more = {}) const {
        more.insert(more.begin(), {"copy", "--from", from.store, "--to", to.store, "People"});
        return run_command(more);
    }

    command_file const from{}, to{};
    table<dynamic_entity> people = from.rows();
};

TEST_F(command_copy, copies_and_compares_tables) {
    from.rows("Events").insert(row("1", 1));
    auto const r = copy({"Events"});
    EXPECT_EQ(r.code, command::done) << r.error;
    EXPECT_THAT(r.error, HasSubstr("People: 5 rows copied, 0 there before, 0 failed\n"
                                   "People: verified, 5 rows are equal\n"));
    EXPECT_EQ(to({"query", "Events"}).out, from({"query", "Events"}).out);
}

TEST_F(command_copy, says_how_many_rows_name_blobs) {
    EXPECT_THAT(copy().error, Not(HasSubstr("blobs")));
    auto named = row("8", 8);
    named.set("Text", "@" + std::string(32, 'a') + "-000 17000 " + std::string(64, '0'));
    people.insert(named);
    auto const r = copy();
    EXPECT_EQ(r.code, command::done);
    EXPECT_THAT(r.error, HasSubstr("People: 1 row names blobs of large members, which are not copied; copy their"));
    EXPECT_THAT(from({"export", "People"}).error, HasSubstr("People: 1 row names blobs"));
}

TEST_F(command_copy, repeated_copy_goes_on) {
    copy();
    people.insert(row("9", 9));
    EXPECT_THAT(copy().error, HasSubstr("1 row copied, 5 there before"));
}

TEST_F(command_copy, row_that_differs_is_left_and_reported) {
    to.rows().insert(row("3", 33));
    auto const r = copy();
    EXPECT_EQ(r.code, command::failed);
    EXPECT_THAT(r.error, HasSubstr("People 'p' '3': the table has another row of these keys, which differs in Value"));
    EXPECT_EQ(copy({"--replace"}).code, command::done);
}

TEST_F(command_copy, row_that_another_client_changes_meanwhile_is_a_difference) {
    copy();
    auto changed = people.find("p", "3");
    changed->value.set("Value", std::int32_t{33});
    people.replace(*changed);
    command::console quiet{std::cout, std::cerr};
    auto const d = command::compare_tables(people, to.rows(), quiet);
    EXPECT_EQ(d.rows, 5u);
    EXPECT_EQ(d.different, 1u);
    EXPECT_EQ(d.missing + d.extra, 0u);
    EXPECT_EQ(d.first->row_key, "3");
}

TEST_F(command_copy, rows_that_only_the_copy_has_are_differences) {
    to.rows().insert(row("7", 7));
    auto const r = copy();
    EXPECT_EQ(r.code, command::no);
    EXPECT_THAT(r.error, HasSubstr("the copy has 1 more. The first one is 'p' '7'"));
    EXPECT_EQ(copy({"--no-verify"}).code, command::done);
}

TEST_F(command_copy, store_that_is_missing_is_named_by_its_option) {
    auto const r = run_command({"copy", "--from", from.store, "People"});
    EXPECT_EQ(r.code, command::usage);
    EXPECT_THAT(r.error, HasSubstr("--to-file"));
}

TEST_F(command_copy, copy_onto_itself_is_refused) {
    std::string const emulator = "UseDevelopmentStorage=true";
    auto const same = run_command({"copy", "--from", emulator, "--to", emulator + ";transport=beast", "People"});
    EXPECT_EQ(same.code, command::usage);
    EXPECT_THAT(same.error, HasSubstr("both stores are the same"));
    auto const link = from.folder.file("link.db");
    std::filesystem::create_symlink(from.folder.file("store.db"), link);
    auto const r = run_command({"copy", "--from", from.store, "--to", "embedded:" + link, "People"});
    EXPECT_EQ(r.code, command::usage);
    EXPECT_THAT(r.error, HasSubstr("both stores are the same"));
}

TEST_F(command_copy, store_of_the_environment_is_one_of_the_two) {
    setenv(command::store_variable, from.store.c_str(), 1);
    auto const none = run_command({"copy", "People"});
    auto const both = run_command({"copy", "--from", from.store, "People"});
    auto const one = run_command({"copy", "--to", to.store, "People"});
    unsetenv(command::store_variable);
    EXPECT_EQ(none.code, command::usage);
    EXPECT_THAT(none.error, HasSubstr("give --from, --to or both"));
    EXPECT_EQ(both.code, command::usage);
    EXPECT_EQ(one.code, command::done) << one.error;
}

TEST_F(command_copy, table_that_is_not_there_fails) {
    EXPECT_EQ(run_command({"copy", "--from", from.store, "--to", to.store, "Absent"}).code, command::failed);
}

TEST_F(command_copy, table_that_is_not_there_is_not_created_in_the_target) {
    run_command({"copy", "--from", from.store, "--to", to.store, "Absent"});
    EXPECT_EQ(to({"tables"}).out, "");
}

TEST_F(command_copy, empty_table_is_created_in_the_target) {
    from.rows("Empty");
    EXPECT_EQ(copy({"Empty"}).code, command::done);
    EXPECT_EQ(to({"tables"}).out, "Empty\nPeople\n");
}

}  // namespace
}  // namespace tablemap::test

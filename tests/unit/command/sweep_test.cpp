// SPDX-License-Identifier: Apache-2.0
#include "unit/command/command_line.hpp"

#include "support/large_samples.hpp"
#include "tablemap/patterns/large_collector.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tablemap::test {
namespace {

using ::testing::HasSubstr;

class command_sweep : public ::testing::Test {
protected:
    /// A row whose blobs are named, and a blob of its text before.
    void write() const {
        large_table<document> const all{open(tablemap.store), "Documents", "values"};
        all.rows().create();
        all.blobs().create();
        auto e = all.insert(sample_document(1));
        e.value.text = sample_text(1);
        all.replace(e);
    }

    command_result sweep(std::vector<std::string> const& more = {}) const {
        std::vector<std::string> arguments{"sweep", "Documents", "--container", "values"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return tablemap(arguments);
    }

    command_file const tablemap{};
};

TEST_F(command_sweep, deletes_the_blobs_that_no_row_names) {
    write();
    auto const r = sweep();
    EXPECT_EQ(r.code, command::done) << r.error;
    EXPECT_THAT(r.out, HasSubstr("blobs: 3\nin use: 2\nyoung: 0\ndeleted: 1\n"));
    EXPECT_THAT(sweep().out, HasSubstr("blobs: 2\nin use: 2\nyoung: 0\ndeleted: 0\n"));
    large_table<document> const all{open(tablemap.store), "Documents", "values"};
    EXPECT_EQ(all.find("plans", 1)->value.text, sample_text(1));
}

TEST_F(command_sweep, names_what_is_not_there) {
    auto const r = sweep();
    EXPECT_EQ(r.code, command::failed);
    EXPECT_THAT(r.error, HasSubstr("in container 'values': the container does not exist: name the container that"));
}

TEST_F(command_sweep, leaves_the_blobs_of_other_tables_alone) {
    write();
    tablemap.rows("Others");
    auto const r = tablemap({"sweep", "Others", "--container", "values"});
    EXPECT_EQ(r.code, command::done) << r.error;
    EXPECT_THAT(r.out, HasSubstr("blobs: 0\n"));
}

TEST_F(command_sweep, refuses_a_cursor_of_something_else) {
    write();
    auto const r = sweep({"--from", "elsewhere"});
    EXPECT_EQ(r.code, command::failed);
    EXPECT_THAT(r.error, HasSubstr("cursor"));
    EXPECT_EQ(sweep({"--grace", "0"}).code, command::usage);
    EXPECT_EQ(sweep({"--per-second", "-1"}).code, command::usage);
}

TEST_F(command_sweep, that_ends_early_among_the_permits_says_where_to_go_on) {
    write();
    std::string cursor;
    large_collector const collector{open(tablemap.store),
                                    "Documents",
                                    "values",
                                    {.progress = [&](large_report const& r) { cursor = r.cursor.value_or(cursor); }}};
    ASSERT_TRUE(collector.sweep().complete());
    tablemap.rows("Documents").delete_table();
    auto const r = sweep({"--from", cursor});
    EXPECT_EQ(r.code, command::failed);
    EXPECT_THAT(r.error, HasSubstr("--from " + cursor + " goes on there"));
}

}  // namespace
}  // namespace tablemap::test

// SPDX-License-Identifier: Apache-2.0
#include "unit/command/command_line.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tablemap::test {
namespace {

using ::testing::HasSubstr;

class command_stats : public ::testing::Test {
protected:
    void SetUp() override {
        auto const t = tablemap.rows();
        for (int p = 0; p < 20; ++p)
            for (int r = 0; r <= p % 3; ++r) t.insert({"p" + std::to_string(p), std::to_string(r)});
    }

    command_file const tablemap{};
};

TEST_F(command_stats, exact_numbers_name_the_partitions_with_the_most_rows) {
    auto const r = tablemap({"stats", "People", "--exact"});
    EXPECT_EQ(r.code, command::done);
    EXPECT_THAT(r.out, HasSubstr("partitions: 20\nrows: 39\nbytes: "));
    EXPECT_THAT(r.out, HasSubstr("partition 'p11': 3 rows, "));
    EXPECT_THAT(r.out, ::testing::Not(HasSubstr("partition 'p0':")));
}

TEST_F(command_stats, sample_names_the_keys_of_its_partitions) {
    auto const r = tablemap({"stats", "People"});
    EXPECT_EQ(r.code, command::done);
    EXPECT_THAT(r.out, HasSubstr("39 rows in 20 partitions"));
    EXPECT_THAT(r.out, HasSubstr("partition 1 has the key 'p"));
}

TEST_F(command_stats, one_row_is_no_plural) {
    tablemap.rows("One").insert({"p", "r"});
    EXPECT_THAT(tablemap({"stats", "One", "--exact"}).out, HasSubstr("partition 'p': 1 row, "));
    EXPECT_THAT(tablemap({"stats", "One"}).out, HasSubstr("1 row in 1 partition, from 1 place, all of the table\n"));
    EXPECT_THAT(tablemap({"stats", "One"}).out, HasSubstr("partition 1: 1 row, "));
}

TEST_F(command_stats, empty_table_has_no_rows) {
    static_cast<void>(tablemap.rows("Empty"));
    EXPECT_THAT(tablemap({"stats", "Empty", "--exact"}).out, HasSubstr("partitions: 0\nrows: 0\n"));
    EXPECT_EQ(tablemap({"stats", "Empty"}).code, command::done);
}

}  // namespace
}  // namespace tablemap::test

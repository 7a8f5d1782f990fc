// SPDX-License-Identifier: Apache-2.0
#include "unit/command/command_line.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tablemap::test {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST(command_get, prints_the_row_with_its_etag) {
    command_file const tablemap{};
    dynamic_entity e{"p", "r"};
    e.set("Age", std::int64_t{5});
    tablemap.rows().insert(e);
    auto const r = tablemap({"get", "People", "p", "r"});
    EXPECT_EQ(r.code, command::done);
    EXPECT_THAT(r.out, HasSubstr("\"odata.etag\":"));
    EXPECT_THAT(r.out, HasSubstr("\"Age@odata.type\":\"Edm.Int64\",\"Age\":\"5\"}\n"));
}

TEST(command_get, row_that_is_not_there_answers_no) {
    command_file const tablemap{};
    static_cast<void>(tablemap.rows());
    auto const r = tablemap({"get", "People", "p", "r"});
    EXPECT_EQ(r.code, command::no);
    EXPECT_THAT(r.out, IsEmpty());
    EXPECT_THAT(r.error, HasSubstr("People"));
}

TEST(command_get, missing_table_fails) {
    command_file const tablemap{};
    EXPECT_EQ(tablemap({"get", "People", "p", "r"}).code, command::failed);
}

}  // namespace
}  // namespace tablemap::test

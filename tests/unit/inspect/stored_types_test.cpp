// SPDX-License-Identifier: Apache-2.0
#include "inspect/stored_types.hpp"

#include <gtest/gtest.h>

namespace tablemap::test {
namespace {

TEST(stored_types, of_32_bits_are_read_as_wider_numbers) {
    EXPECT_TRUE(inspect::is_read_as(edm_type::int32, edm_type::int64));
    EXPECT_TRUE(inspect::is_read_as(edm_type::int32, edm_type::real));
    EXPECT_TRUE(inspect::is_read_as(edm_type::guid, edm_type::guid));
    EXPECT_FALSE(inspect::is_read_as(edm_type::int64, edm_type::int32));
    EXPECT_FALSE(inspect::is_read_as(edm_type::int64, edm_type::real));
}

TEST(stored_types, are_listed_with_their_rows) {
    EXPECT_EQ(inspect::text_of({1, 0, 2'600}), "Edm.String in 1 row, Edm.Int32 in 2,600 rows");
    EXPECT_EQ(inspect::text_of({}), "");
}

}  // namespace
}  // namespace tablemap::test

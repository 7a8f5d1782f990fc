// SPDX-License-Identifier: Apache-2.0
#include "tablemap/store/request.hpp"

#include <gtest/gtest.h>

namespace tablemap {
namespace {

TEST(requests, know_their_table_and_whether_they_write) {
    write_entity const w{"T", {.kind = write_kind::merge, .partition_key = {}, .row_key = {}}};
    EXPECT_EQ(table_of(w), "T");
    EXPECT_EQ(action_of(request{w}), "merge");
    EXPECT_TRUE(is_write(w));
    EXPECT_TRUE(is_write(create_table{"T"}));
    EXPECT_TRUE(is_write(transact{"T", {}}));
    EXPECT_FALSE(is_write(get_entity{"T", "p", "r"}));
    EXPECT_FALSE(is_write(query_page{.table = "T"}));
    EXPECT_FALSE(is_write(list_tables{}));
    EXPECT_EQ(table_of(list_tables{}), "");
}

TEST(requests, tell_writes_of_rows_from_others) {
    EXPECT_TRUE(writes_rows(write_entity{"T", {.kind = write_kind::merge, .partition_key = {}, .row_key = {}}}));
    EXPECT_TRUE(writes_rows(transact{"T", {}}));
    EXPECT_FALSE(writes_rows(delete_table{"T"}));
    EXPECT_FALSE(writes_rows(get_entity{"T", "p", "r"}));
}

TEST(requests, need_an_etag_exactly_for_conditional_writes) {
    EXPECT_TRUE(is_conditional(write_kind::replace));
    EXPECT_TRUE(is_conditional(write_kind::merge));
    EXPECT_TRUE(is_conditional(write_kind::erase));
    EXPECT_FALSE(is_conditional(write_kind::insert));
    EXPECT_FALSE(is_conditional(write_kind::upsert_replace));
    EXPECT_FALSE(is_conditional(write_kind::upsert_merge));
}

TEST(key_bounds, are_exact_only_with_one_value_included_at_both_ends) {
    EXPECT_TRUE(key_bounds::exactly("a").is_exact());
    EXPECT_FALSE((key_bounds{.from = "a", .to = "a"}).is_exact());
    EXPECT_FALSE((key_bounds{.from = "a", .to = "b", .to_inclusive = true}).is_exact());
    EXPECT_FALSE(key_bounds{}.is_exact());
}

}  // namespace
}  // namespace tablemap

// SPDX-License-Identifier: Apache-2.0
#include "tablemap/open.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace {

using namespace tablemap;
using ::testing::HasSubstr;

TEST(open_account, says_that_cosmos_has_neither_queues_nor_blobs) {
    auto const all = open("AccountName=abc;AccountKey=AQID;TableEndpoint=https://abc.table.cosmos.azure.com");
    for (request const& r : {request{create_queue{"jobs"}}, request{create_container{"files"}}}) {
        auto const answer = all->execute(r, {});
        ASSERT_TRUE(answer.failure);
        EXPECT_EQ(answer.failure->code(), library_errc::unsupported);
        EXPECT_THAT(answer.failure->what(), HasSubstr("a Cosmos DB account has neither queues nor blobs"));
    }
}

}  // namespace

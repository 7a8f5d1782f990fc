// SPDX-License-Identifier: Apache-2.0
#include "serve/target.hpp"

#include <gtest/gtest.h>

#include <string>
#include <utility>

namespace tablemap::test {
namespace {

using namespace detail::serve;

target named(std::string host, std::string path, std::string_view account = "hrdb") {
    return read_target(
        {.message = {.method = "GET", .target = std::move(path), .headers = {{"Host", std::move(host)}}}}, account);
}

TEST(serve_target, the_account_is_in_the_path_or_in_the_host) {
    for (auto const& t : {named("localhost:1", "/hrdb/People()"), named("hrdb.table.example", "/People()")}) {
        EXPECT_EQ(t.what, resource::rows);
        EXPECT_EQ(t.table, "People");
        EXPECT_FALSE(t.secondary);
    }
    EXPECT_TRUE(named("localhost", "/hrdb-secondary/People()").secondary);
    EXPECT_TRUE(named("hrdb-secondary.table.example", "/People()").secondary);
}

TEST(serve_target, a_machine_may_have_the_name_of_its_account) {
    auto const t = named("hrdb.corp.example:10002", "/hrdb/Tables");
    EXPECT_EQ(t.what, resource::tables);
    EXPECT_EQ(t.base, "http://hrdb.corp.example:10002/hrdb");
    EXPECT_EQ(named("hrdb.corp.example", "/hrdb/?restype=service").what, resource::service);
    EXPECT_EQ(named("hrdb.corp.example", "/hrdb").table, "hrdb");  // a table of that name at the account's host
    EXPECT_TRUE(named("hrdb.corp.example", "/hrdb-secondary/Tables").secondary);
}

TEST(serve_target, the_numbers_of_an_address_are_no_account) {
    auto const t = named("127.0.0.1:10002", "/127/Tables", "127");
    EXPECT_EQ(t.what, resource::tables);
    EXPECT_EQ(t.base, "http://127.0.0.1:10002/127");
    EXPECT_THROW(named("127.0.0.1:10002", "/Tables", "127"), std::exception);
}

}  // namespace
}  // namespace tablemap::test

// SPDX-License-Identifier: Apache-2.0
#include "serve/page_guard.hpp"
#include "unit/serve/served.hpp"

#include <gmock/gmock.h>

namespace tablemap::test {
namespace {

using detail::serve::names_this_machine;
using ::testing::HasSubstr;

TEST(page_guard, names_that_no_stranger_has_are_of_this_machine) {
    for (auto const* host : {"localhost", "LOCALHOST:1", "devstoreaccount1.localhost:10002", "127.0.0.1", "[::1]:80"})
        EXPECT_TRUE(names_this_machine(host)) << host;
    for (auto const* host : {"evil.example", "localhost.evil.example:1", "notlocalhost", "127.0.0.1.evil.example",
                             "0.0.0.0:1", "", ":1", "10.0.0.1", "evil:127.0.0.1"})
        EXPECT_FALSE(names_this_machine(host)) << host;
}

/// A server that only this machine reaches.
class serve_page_guard : public served {
protected:
    http_response ask(http_request r) const {
        return local.handle({.message = signed_at(noon, std::move(r)), .peer = "127.0.0.1"});
    }
    static http_request from(std::string origin, http_request r) {
        return with(std::move(r), "Origin", std::move(origin));
    }
    void allow(std::string const& origin, std::string const& method) const {
        auto r = message("PUT", "/?restype=service&comp=properties",
                         "<StorageServiceProperties><Cors><CorsRule><AllowedOrigins>" + origin +
                             "</AllowedOrigins><AllowedMethods>" + method +
                             "</AllowedMethods><MaxAgeInSeconds>1</MaxAgeInSeconds></CorsRule></Cors>"
                             "</StorageServiceProperties>");
        r.headers.back().second = "application/xml";
        ASSERT_EQ(ask(std::move(r)).status, 202);
    }
    static http_request new_table() { return message("POST", "/Tables", R"({"TableName":"Planted"})"); }
    bool is_planted() const { return owner("GET", "/Tables('Planted')").status == 200; }

    table_service const local{store,
                              {.account = std::string{served_account},
                               .key = account_key{served_key()},
                               .now = [] { return noon; },
                               .local = true}};
};

TEST_F(serve_page_guard, a_name_that_a_stranger_lets_point_here_is_refused) {
    auto r = new_table();
    r.headers[0].second = "evil.example:10002";
    auto const answer = ask(r);
    EXPECT_TRUE(refused_with(answer, 403, "AuthorizationFailure"));
    EXPECT_THAT(answer.body, HasSubstr("the header Host names another one: use localhost"));
    EXPECT_TRUE(local.refuse_early({.message = signed_at(noon, r)}));
    EXPECT_FALSE(is_planted());
    EXPECT_EQ(owner(r).status, 201);  // at an address that others reach it may have any name
}

TEST_F(serve_page_guard, pages_of_other_origins_are_refused) {
    for (auto const* origin : {"https://a.org", "null", "http://localhost:2", "https://localhost:1"}) {
        EXPECT_TRUE(refused_with(ask(from(origin, new_table())), 403, "AuthorizationFailure")) << origin;
        EXPECT_TRUE(local.refuse_early({.message = signed_at(noon, from(origin, new_table()))})) << origin;
    }
    for (auto const* site : {"cross-site", "same-site"})
        EXPECT_TRUE(
            refused_with(ask(with(message("GET", "/Tables"), "Sec-Fetch-Site", site)), 403, "AuthorizationFailure"));
    EXPECT_FALSE(is_planted());
}

TEST_F(serve_page_guard, clients_without_pages_and_pages_of_this_server_are_not) {
    for (auto const* site : {"none", "same-origin"})
        EXPECT_EQ(ask(with(message("GET", "/Tables"), "Sec-Fetch-Site", site)).status, 200) << site;
    EXPECT_EQ(ask(from("http://localhost:1", message("GET", "/Tables"))).status, 200);
    EXPECT_EQ(ask(new_table()).status, 201);
}

TEST_F(serve_page_guard, pages_that_a_rule_of_cors_allows_work) {
    allow("https://a.org", "GET");
    auto const get = with(message("GET", "/Tables"), "Sec-Fetch-Site", "cross-site");
    auto const r = ask(from("https://a.org", get));
    EXPECT_EQ(r.status, 200);
    EXPECT_EQ(*r.header("Access-Control-Allow-Origin"), "https://a.org");
    EXPECT_EQ(ask(from("https://b.org", get)).status, 403);
    EXPECT_EQ(ask(get).status, 403);
    EXPECT_EQ(ask(from("https://a.org", new_table())).status, 403);
    allow("https://a.org", "POST");
    EXPECT_EQ(ask(from("https://a.org", new_table())).status, 201);
}

TEST_F(serve_page_guard, preflights_are_answered_by_the_rules) {
    allow("https://a.org", "GET");
    auto const r = with(message("OPTIONS", "/Tables"), "Access-Control-Request-Method", "GET");
    EXPECT_EQ(ask(with(from("https://a.org", r), "Sec-Fetch-Site", "cross-site")).status, 200);
    EXPECT_TRUE(refused_with(ask(from("https://b.org", r)), 403, "CorsPreflightFailure"));
}

}  // namespace
}  // namespace tablemap::test

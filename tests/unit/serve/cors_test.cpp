// SPDX-License-Identifier: Apache-2.0
#include "unit/serve/served.hpp"

#include <gmock/gmock.h>

namespace tablemap::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

class serve_cors : public served {
protected:
    static std::string rule(std::string_view origins, std::string_view methods, std::string_view headers = {},
                            std::string_view exposed = {}) {
        auto const element = [](std::string const& name, std::string_view text) {
            return "<" + name + ">" + std::string{text} + "</" + name + ">";
        };
        return "<CorsRule>" + element("AllowedOrigins", origins) + element("AllowedMethods", methods) +
               element("AllowedHeaders", headers) + element("ExposedHeaders", exposed) +
               element("MaxAgeInSeconds", "88") + "</CorsRule>";
    }
    http_response set(std::string const& rules) const {
        auto r = message("PUT", "/?restype=service&comp=properties",
                         "<StorageServiceProperties><Cors>" + rules + "</Cors></StorageServiceProperties>");
        r.headers.back().second = "application/xml";
        return owner(std::move(r));
    }
    http_response preflight(std::string origin, std::string method, std::string headers = {}) const {
        auto r = with(with(message("OPTIONS", "/Absent(PartitionKey='',RowKey='')"), "Origin", std::move(origin)),
                      "Access-Control-Request-Method", std::move(method));
        return send(headers.empty() ? r : with(r, "Access-Control-Request-Headers", std::move(headers)));
    }
    http_response get_from(std::string origin) const {
        return owner(with(message("GET", "/Tables"), "Origin", std::move(origin)));
    }
    static std::string header(http_response const& r, char const* name) {
        auto const* const value = r.header(name);
        return value ? *value : "none";
    }
};

TEST_F(serve_cors, preflights_that_a_rule_allows_are_told_so) {
    ASSERT_EQ(set(rule("https://a.org", "GET,PUT", "x-ms-*")).status, 202);
    auto const r = preflight("https://a.org", "PUT", "x-ms-date, X-MS-Version");
    EXPECT_EQ(r.status, 200);
    EXPECT_EQ(header(r, "Access-Control-Allow-Origin"), "https://a.org");
    EXPECT_EQ(header(r, "Access-Control-Allow-Methods"), "PUT");
    EXPECT_EQ(header(r, "Access-Control-Allow-Headers"), "x-ms-date, X-MS-Version");
    EXPECT_EQ(header(r, "Access-Control-Max-Age"), "88");
}

TEST_F(serve_cors, preflights_that_no_rule_allows_are_refused) {
    EXPECT_TRUE(refused_with(preflight("https://a.org", "GET"), 403, "CorsPreflightFailure"));
    set(rule("https://a.org", "GET", "x-ms-date"));
    for (auto const& r : {preflight("https://A.org", "GET"), preflight("https://a.org", "PUT"),
                          preflight("https://a.org", "GET", "x-ms-date,authorization")})
        EXPECT_TRUE(refused_with(r, 403, "CorsPreflightFailure"));
}

TEST_F(serve_cors, preflights_without_their_headers_are_refused) {
    set(rule("*", "GET", "*"));
    for (auto const* missing : {"Origin", "Access-Control-Request-Method"}) {
        auto r = with(with(message("OPTIONS", "/T"), "Origin", "a"), "Access-Control-Request-Method", "GET");
        std::erase_if(r.headers, [&](auto& h) { return h.first == missing; });
        EXPECT_TRUE(refused_with(send(r), 400, "InvalidHeaderValue")) << missing;
    }
    std::string many;
    for (int i = 0; i < 1000; ++i) many += "a,";
    EXPECT_TRUE(refused_with(preflight("a", "GET", many), 400, "InvalidHeaderValue"));
}

TEST_F(serve_cors, a_star_stands_for_a_subdomain) {
    set(rule("https://*.a.org", "GET"));
    EXPECT_EQ(preflight("https://x.a.org", "GET").status, 200);
    for (auto const* other : {"https://a.org", "http://x.a.org", "https://x.a.org.b.org", "https://.a.or"})
        EXPECT_EQ(preflight(other, "GET").status, 403) << other;
}

TEST_F(serve_cors, the_first_rule_that_matches_decides) {
    set(rule("https://a.org", "GET", {}, "ETag") + rule("*", "GET", {}, "Date"));
    EXPECT_EQ(header(get_from("https://a.org"), "Access-Control-Expose-Headers"), "ETag");
    EXPECT_EQ(header(get_from("https://b.org"), "Access-Control-Expose-Headers"), "Date");
}

TEST_F(serve_cors, responses_tell_a_browser_which_page_may_read_them) {
    set(rule("https://a.org", "GET", {}, "x-ms-*,ETag"));
    auto const r = get_from("https://a.org");
    EXPECT_EQ(header(r, "Access-Control-Allow-Origin"), "https://a.org");
    EXPECT_EQ(header(r, "Vary"), "Origin");
    EXPECT_THAT(header(r, "Access-Control-Expose-Headers"),
                AllOf(HasSubstr("x-ms-request-id"), HasSubstr("ETag"), Not(HasSubstr("*"))));
    auto const other = get_from("https://b.org");
    EXPECT_EQ(header(other, "Access-Control-Allow-Origin"), "none");
    EXPECT_EQ(header(other, "Vary"), "Origin");
}

TEST_F(serve_cors, responses_for_all_origins_are_the_same_for_each) {
    set(rule("*", "GET"));
    auto const r = get_from("https://a.org");
    EXPECT_EQ(header(r, "Access-Control-Allow-Origin"), "*");
    EXPECT_EQ(header(r, "Vary"), "none");
    EXPECT_EQ(header(owner("GET", "/Tables"), "Access-Control-Allow-Origin"), "none");
}

TEST_F(serve_cors, refusals_can_be_read_by_pages_too) {
    set(rule("https://a.org", "GET"));
    auto const r = send(with(message("GET", "/Tables"), "Origin", "https://a.org"));
    EXPECT_EQ(r.status, 401);
    EXPECT_EQ(header(r, "Access-Control-Allow-Origin"), "https://a.org");
}

TEST_F(serve_cors, an_account_has_few_rules) {
    std::string rules;
    for (int i = 0; i < 6; ++i) rules += rule("*", "GET");
    EXPECT_EQ(set(rules).status, 400);
}

}  // namespace
}  // namespace tablemap::test

// SPDX-License-Identifier: Apache-2.0
#include "serve/page_call.hpp"
#include "unit/serve/served.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace tablemap::test {
namespace {

using detail::serve::incoming;
using detail::serve::is_for_pages;

incoming asked(std::string target, std::string host, std::string method = "GET") {
    return {
        .message = {.method = std::move(method), .target = std::move(target), .headers = {{"Host", std::move(host)}}}};
}

TEST(page_call, own_names_of_the_machine_are_for_pages) {
    for (auto const* host : {"localhost", "LOCALHOST:1", "127.0.0.1:10002", "127.1.2.3", "[::1]", "[::1]:80"})
        EXPECT_TRUE(is_for_pages(asked("/", host))) << host;
    EXPECT_TRUE(is_for_pages(asked("/-/rows?table=T", "localhost:1")));
    EXPECT_TRUE(is_for_pages(asked("/", "localhost", "HEAD")));
}

TEST(page_call, names_that_a_stranger_may_let_point_here_are_not) {
    for (auto const* host : {"evil.example", "127.evil.example", "localhost.evil.example:1", "127.0.0.1.evil.example",
                             "", "[::2]", "10.0.0.1", "evil:127.0.0.1"})
        EXPECT_FALSE(is_for_pages(asked("/", host))) << host;
    EXPECT_FALSE(is_for_pages({.message = {.method = "GET", .target = "/"}}));
}

TEST(page_call, links_of_other_sites_are_not) {
    auto in = asked("/", "localhost");
    for (auto const* site : {"cross-site", "same-site"}) {
        in.message.headers.resize(1);
        in.message.headers.emplace_back("Sec-Fetch-Site", site);
        EXPECT_FALSE(is_for_pages(in)) << site;
    }
    in.message.headers.back().second = "none";
    EXPECT_TRUE(is_for_pages(in));
}

TEST(page_call, writes_and_paths_of_accounts_are_not) {
    for (auto const* method : {"POST", "PUT", "DELETE", "MERGE", "PATCH", "OPTIONS"})
        EXPECT_FALSE(is_for_pages(asked("/", "localhost", method))) << method;
    for (auto const* target : {"/served1", "/Tables", "/-", "/served1/-/rows", "*", "//-/"})
        EXPECT_FALSE(is_for_pages(asked(target, "localhost"))) << target;
}

class served_pages : public served {
protected:
    static http_response show(http_request const& r) { return {.status = 200, .body = "page of " + r.target}; }

    store_ptr const pages_of = store_in_memory();
    table_service const with_pages{pages_of,
                                   {.account = std::string{served_account},
                                    .key = account_key{served_key()},
                                    .now = [] { return noon; },
                                    .pages = show}};
};

TEST_F(served_pages, page_needs_no_signature_and_cannot_be_framed) {
    auto const r = with_pages.handle(asked("/-/x", "127.0.0.1:1"));
    EXPECT_EQ(r.body, "page of /-/x");
    ASSERT_TRUE(r.header("X-Frame-Options"));
    EXPECT_EQ(*r.header("Cache-Control"), "no-store");
}

TEST_F(served_pages, all_else_needs_one_as_before) {
    EXPECT_EQ(with_pages.handle(asked("/-/x", "evil.example")).status, 403);
    EXPECT_EQ(with_pages.handle(asked("/served1/Tables", "localhost")).status, 401);
    EXPECT_EQ(service.handle(asked("/", "localhost")).status, 403);
}

TEST_F(served_pages, whatever_a_page_throws_is_an_answer) {
    table_service const throwing{pages_of,
                                 {.account = std::string{served_account},
                                  .key = account_key{served_key()},
                                  .now = [] { return noon; },
                                  .pages = [](http_request const&) -> http_response { throw 1; }}};
    EXPECT_TRUE(refused_with(throwing.handle(asked("/", "localhost")), 500, "InternalError"));
}

TEST_F(served_pages, rules_of_cors_open_no_page_to_other_sites) {
    service_properties open;
    open.cors = {{.allowed_origins = {"*"}, .allowed_methods = {"GET"}}};
    ASSERT_TRUE(pages_of->execute(set_service_properties{&open}, {}).ok());
    auto in = asked("/", "localhost");
    in.message.headers.emplace_back("Origin", "https://a.org");
    EXPECT_FALSE(with_pages.handle(in).header("Access-Control-Allow-Origin"));
}

TEST(server_pages, are_refused_on_an_address_that_others_reach) {
    auto o = served_options();
    o.address = "0.0.0.0";
    o.pages = [](http_request const&) { return http_response{.status = 200}; };
    try {
        server const s{store_in_memory(), o};
        FAIL() << "it serves";
    } catch (error const& e) {
        EXPECT_EQ(e.code(), library_errc::value_out_of_range);
        EXPECT_EQ(e.member(), "pages");
    }
}

}  // namespace
}  // namespace tablemap::test

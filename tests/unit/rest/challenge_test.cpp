// SPDX-License-Identifier: Apache-2.0
#include "tablemap/detail/rest/token_cache.hpp"

#include <gtest/gtest.h>

#include <string>

namespace {

using namespace tablemap;
using detail::challenge;
using detail::parse_challenge;

challenge const expected{.tenant = "72f988bf-86f1-41af", .resource = "https://storage.azure.com"};

TEST(challenge, is_read_as_the_service_writes_it) {
    EXPECT_EQ(parse_challenge(
                  "Bearer authorization_uri=https://login.microsoftonline.com/72f988bf-86f1-41af/oauth2/authorize "
                  "resource_id=https://storage.azure.com"),
              expected);
}

TEST(challenge, is_read_with_quotes_and_commas) {
    EXPECT_EQ(parse_challenge("bearer authorization_uri=\"https://login.example/72f988bf-86f1-41af\", "
                              "resource_id=\"https://storage.azure.com\""),
              expected);
    EXPECT_EQ(parse_challenge("Bearer authorization = https://login.example/72f988bf-86f1-41af,,"
                              "RESOURCE=https://storage.azure.com,"),
              expected);
}

TEST(challenge, is_found_beside_others) {
    EXPECT_EQ(parse_challenge("Basic realm=\"Bearer x\", Bearer authorization_uri=https://l/72f988bf-86f1-41af "
                              "resource_id=https://storage.azure.com, Digest resource_id=other"),
              expected);
}

TEST(challenge, may_ask_for_claims) {
    EXPECT_EQ(parse_challenge("Bearer error=\"insufficient_claims\", claims=\"ey\\\"J9\"")->claims, "ey\"J9");
}

TEST(challenge, of_another_scheme_is_none) {
    EXPECT_FALSE(parse_challenge(""));
    EXPECT_FALSE(parse_challenge("Basic realm=x"));
    EXPECT_FALSE(parse_challenge("resource_id=x"));
}

TEST(challenge, that_makes_no_sense_says_nothing) {
    for (auto const* text :
         {"Bearer", "Bearer authorization_uri", "Bearer authorization_uri=", "Bearer authorization_uri=\"",
          "Bearer authorization_uri=https://host", "Bearer authorization_uri=https://host/a%20b/c",
          "Bearer authorization_uri=tenant", "Bearer authorization_uri=https://host/.",
          "Bearer authorization_uri=https://host/../x", "Bearer authorization_uri=https://host/.../x"})
        EXPECT_EQ(parse_challenge(text), challenge{}) << text;
}

TEST(challenge, names_a_tenant_by_its_id_or_its_domain) {
    auto const tenant = [](std::string const& path) {
        return parse_challenge("Bearer authorization_uri=https://login.example/" + path)->tenant;
    };
    EXPECT_EQ(tenant("contoso.onmicrosoft.com/oauth2"), "contoso.onmicrosoft.com");
    EXPECT_EQ(tenant(std::string(253, 'x')), std::string(253, 'x'));
    EXPECT_EQ(tenant(std::string(254, 'x')), "");
}

}  // namespace

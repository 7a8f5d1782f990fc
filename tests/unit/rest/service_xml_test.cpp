// SPDX-License-Identifier: Apache-2.0
#include "rest/service_xml.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace tablemap::detail {
namespace {

constexpr auto declaration = R"(<?xml version="1.0" encoding="utf-8"?>)";
constexpr auto mark = "\xEF\xBB\xBF";
using p = table_permission;

ticks at(char const* text) { return *ticks::parse(text); }

std::vector<access_policy> policies_in(std::string const& xml) {
    auto const read = read_access_policies(xml);
    EXPECT_TRUE(read) << read.error().what();
    return read ? *read : std::vector<access_policy>{};
}

service_properties properties_in(std::string const& xml) {
    auto const read = read_service_properties(xml);
    EXPECT_TRUE(read) << read.error().what();
    return read ? *read : service_properties{};
}

template <class T> void expect_malformed(result<T> const& read) {
    ASSERT_FALSE(read);
    EXPECT_EQ(read.error().code(), library_errc::malformed_response);
}

// --- access policies -------------------------------------------------------------------------------------------------

TEST(policies_xml, is_written_as_the_service_shows_it) {
    access_policy const one{.id = "readers",
                            .start = at("2025-01-01T00:00:00Z"),
                            .expiry = at("2025-02-01T12:30:00.5Z"),
                            .permissions = table_permissions::all()};
    EXPECT_EQ(write_access_policies(std::vector{one}),
              std::string{declaration} +
                  "<SignedIdentifiers><SignedIdentifier><Id>readers</Id><AccessPolicy>"
                  "<Start>2025-01-01T00:00:00Z</Start><Expiry>2025-02-01T12:30:00.5Z</Expiry>"
                  "<Permission>raud</Permission></AccessPolicy></SignedIdentifier></SignedIdentifiers>");
}

TEST(policies_xml, leaves_out_what_a_policy_does_not_say) {
    EXPECT_EQ(write_access_policies(std::vector<access_policy>{{.id = "a<&>\"b"}}),
              std::string{declaration} +
                  "<SignedIdentifiers><SignedIdentifier><Id>a&lt;&amp;&gt;\"b</Id><AccessPolicy/></SignedIdentifier>"
                  "</SignedIdentifiers>");
    EXPECT_EQ(write_access_policies({}), std::string{declaration} + "<SignedIdentifiers/>");
}

TEST(policies_xml, is_read_with_a_mark_and_seven_digits) {
    auto const read = policies_in(std::string{mark} + declaration +
                                  "<SignedIdentifiers><SignedIdentifier><Id>a &amp; b</Id><AccessPolicy>"
                                  "<Start>2025-01-01T00:00:00.0000000Z</Start>"
                                  "<Expiry>2025-02-01T00:00:00.1234567Z</Expiry><Permission>ra</Permission>"
                                  "</AccessPolicy></SignedIdentifier></SignedIdentifiers>");
    EXPECT_EQ(read, (std::vector<access_policy>{{.id = "a & b",
                                                 .start = at("2025-01-01T00:00:00Z"),
                                                 .expiry = at("2025-02-01T00:00:00.1234567Z"),
                                                 .permissions = p::query | p::add}}));
}

TEST(policies_xml, is_read_with_missing_and_empty_elements) {
    auto const read = policies_in(
        "<SignedIdentifiers>\n <SignedIdentifier><Id>a</Id></SignedIdentifier>\n"
        " <SignedIdentifier><Id>b</Id><AccessPolicy /></SignedIdentifier>"
        "<SignedIdentifier><Id>c</Id><AccessPolicy><Start/><Expiry></Expiry><Permission> </Permission></AccessPolicy>"
        "</SignedIdentifier></SignedIdentifiers>");
    EXPECT_EQ(read, (std::vector<access_policy>{{.id = "a"}, {.id = "b"}, {.id = "c"}}));
    EXPECT_TRUE(policies_in("<SignedIdentifiers />").empty());
}

TEST(policies_xml, is_read_with_the_shorter_times_that_policies_may_have) {
    auto const read =
        policies_in("<SignedIdentifiers><SignedIdentifier><Id>a</Id><AccessPolicy><Start>2025-01-02</Start>"
                    "<Expiry>2025-01-03T04:05Z</Expiry></AccessPolicy></SignedIdentifier></SignedIdentifiers>");
    ASSERT_EQ(read.size(), 1u);
    EXPECT_EQ(read[0].start, at("2025-01-02T00:00:00Z"));
    EXPECT_EQ(read[0].expiry, at("2025-01-03T04:05:00Z"));
}

TEST(policies_xml, that_cannot_be_understood_is_an_error_and_no_guess) {
    auto const with = [](std::string const& terms) {
        return "<SignedIdentifiers><SignedIdentifier><Id>a</Id><AccessPolicy>" + terms +
               "</AccessPolicy></SignedIdentifier></SignedIdentifiers>";
    };
    for (auto const& xml : {std::string{}, std::string{"<SignedIdentifiers><SignedIdentifier>"}, std::string{"<html/>"},
                            std::string{"{}"}, with("<Permission>rw</Permission>"), with("<Start>yesterday</Start>")})
        expect_malformed(read_access_policies(xml));
}

TEST(policies_xml, carries_every_id_that_is_let_through) {
    std::vector<access_policy> const policies{
        {.id = " "}, {.id = " a  b "}, {.id = "\xC3\xA4\xF0\x9F\x98\x80"}, {.id = "]]>"}};
    ASSERT_TRUE(check_access_policies(policies));
    EXPECT_EQ(policies_in(write_access_policies(policies)), policies);
}

// --- properties ------------------------------------------------------------------------------------------------------

service_properties every_setting() {
    return {.logging = {{.deletes = true, .writes = true, .retention_days = 7}},
            .hour_metrics = {{.enabled = true, .include_apis = true, .retention_days = 365}},
            .minute_metrics = {{}},
            .cors = {{{.allowed_origins = {"https://contoso.com", "https://*.fabrikam.com"},
                       .allowed_methods = {"GET", "PUT"},
                       .allowed_headers = {"x-ms-meta-*"},
                       .exposed_headers = {},
                       .max_age = std::chrono::seconds{300}}}}};
}

TEST(properties_xml, is_written_as_the_service_shows_it) {
    EXPECT_EQ(write_service_properties(every_setting()),
              std::string{declaration} +
                  "<StorageServiceProperties>"
                  "<Logging><Version>1.0</Version><Delete>true</Delete><Read>false</Read><Write>true</Write>"
                  "<RetentionPolicy><Enabled>true</Enabled><Days>7</Days></RetentionPolicy></Logging>"
                  "<HourMetrics><Version>1.0</Version><Enabled>true</Enabled><IncludeAPIs>true</IncludeAPIs>"
                  "<RetentionPolicy><Enabled>true</Enabled><Days>365</Days></RetentionPolicy></HourMetrics>"
                  "<MinuteMetrics><Version>1.0</Version><Enabled>false</Enabled>"
                  "<RetentionPolicy><Enabled>false</Enabled></RetentionPolicy></MinuteMetrics>"
                  "<Cors><CorsRule><AllowedOrigins>https://contoso.com,https://*.fabrikam.com</AllowedOrigins>"
                  "<AllowedMethods>GET,PUT</AllowedMethods><AllowedHeaders>x-ms-meta-*</AllowedHeaders>"
                  "<ExposedHeaders></ExposedHeaders><MaxAgeInSeconds>300</MaxAgeInSeconds></CorsRule></Cors>"
                  "</StorageServiceProperties>");
}

TEST(properties_xml, leaves_out_what_is_to_stay_and_sends_an_empty_list_of_rules) {
    EXPECT_EQ(write_service_properties({}), std::string{declaration} + "<StorageServiceProperties/>");
    EXPECT_EQ(write_service_properties({.cors = std::vector<cors_rule>{}}),
              std::string{declaration} + "<StorageServiceProperties><Cors/></StorageServiceProperties>");
}

TEST(properties_xml, is_read_back_as_it_was_written) {
    EXPECT_EQ(properties_in(mark + write_service_properties(every_setting())), every_setting());
    EXPECT_EQ(properties_in("<StorageServiceProperties/>"), service_properties{});
}

TEST(properties_xml, is_read_with_missing_empty_and_unknown_elements) {
    auto const read =
        properties_in("<StorageServiceProperties><Logging/><HourMetrics><Enabled>True</Enabled></HourMetrics>"
                      "<Cors><CorsRule><AllowedOrigins> a , b </AllowedOrigins></CorsRule></Cors>"
                      "<DefaultServiceVersion>2019-02-02</DefaultServiceVersion></StorageServiceProperties>");
    EXPECT_EQ(read, (service_properties{.logging = logging_settings{},
                                        .hour_metrics = {{.enabled = true}},
                                        .cors = {{{.allowed_origins = {"a", "b"}}}}}));
}

TEST(properties_xml, that_cannot_be_understood_is_an_error_and_no_guess) {
    for (auto const* xml :
         {"", "<StorageServiceStats/>", "<StorageServiceProperties>",
          "<StorageServiceProperties><Logging><Read>maybe</Read></Logging></StorageServiceProperties>",
          "<StorageServiceProperties><Cors><CorsRule><MaxAgeInSeconds>1e9</MaxAgeInSeconds></CorsRule>"
          "</Cors></StorageServiceProperties>"})
        expect_malformed(read_service_properties(xml));
}

// --- statistics ------------------------------------------------------------------------------------------------------

std::string statistics(std::string const& inner) {
    return mark + std::string{declaration} + "<StorageServiceStats><GeoReplication>" + inner +
           "</GeoReplication></StorageServiceStats>";
}

TEST(statistics_xml, is_read) {
    auto const read = read_service_statistics(
        statistics("<Status>live</Status><LastSyncTime>Fri, 20 Nov 2026 00:00:00 GMT</LastSyncTime>"));
    ASSERT_TRUE(read);
    EXPECT_EQ(*read, (service_statistics{replication_status::live, at("2026-11-20T00:00:00Z")}));
}

TEST(statistics_xml, is_read_without_a_time_where_there_was_no_synchronization) {
    EXPECT_EQ(*read_service_statistics(statistics("<Status>bootstrap</Status><LastSyncTime/>")),
              (service_statistics{.status = replication_status::bootstrap}));
    EXPECT_EQ(*read_service_statistics(statistics("<Status>unavailable</Status>")),
              (service_statistics{.status = replication_status::unavailable}));
}

TEST(statistics_xml, with_a_status_that_is_not_known_is_an_error) {
    expect_malformed(read_service_statistics(statistics("<Status>asleep</Status>")));
    expect_malformed(read_service_statistics("<StorageServiceStats/>"));
}

}  // namespace
}  // namespace tablemap::detail

// SPDX-License-Identifier: Apache-2.0
#include "wire/service_error.hpp"

#include <gtest/gtest.h>

#include <string>

namespace {

using namespace tablemap::detail;

std::string read(std::string_view body) {
    auto const said = read_service_message(body);
    return said.code + "|" + said.text;
}

TEST(service_message, is_read_from_json) {
    EXPECT_EQ(
        read(
            R"({"odata.error":{"code":"EntityAlreadyExists","message":{"lang":"en-US","value":"It exists.\nRequestId:1"}}})"),
        "EntityAlreadyExists|It exists.\nRequestId:1");
}

TEST(service_message, is_read_whatever_the_order_and_whatever_else_there_is) {
    EXPECT_EQ(
        read(
            R"({"x":[1,{}],"odata.error":{"message":{"value":"text","lang":"en-us"},"innererror":{},"code":"InvalidInput"}})"),
        "InvalidInput|text");
    EXPECT_EQ(read(R"({"odata.error":{"code":"InvalidInput","message":"plain"}})"), "InvalidInput|plain");
    EXPECT_EQ(read(R"({"odata.error":{"code":"InvalidInput"}})"), "InvalidInput|");
}

TEST(service_message, is_read_from_the_xml_of_authentication) {
    EXPECT_EQ(read("<?xml version=\"1.0\" encoding=\"utf-8\" standalone=\"yes\"?>\r\n"
                   "<m:error xmlns:m=\"http://schemas.microsoft.com/ado/2007/08/dataservices/metadata\">"
                   "<m:code>AuthenticationFailed</m:code><m:message xml:lang=\"en-US\">Server failed &lt;1&gt;.\n"
                   "Time:2026</m:message></m:error>"),
              "AuthenticationFailed|Server failed <1>.\nTime:2026");
}

TEST(service_message, is_read_from_the_xml_of_the_other_services) {
    EXPECT_EQ(read("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<Error>\n  <Code>AuthorizationFailure</Code>\n  "
                   "<Message>Not &amp; authorised</Message><HeaderName>x</HeaderName></Error>"),
              "AuthorizationFailure|Not & authorised");
}

TEST(service_message, is_read_behind_a_byte_order_mark) {
    EXPECT_EQ(read("\xEF\xBB\xBF<?xml?><Error><Code>C</Code><Message>m</Message></Error>"), "C|m");
    EXPECT_EQ(read("\xEF\xBB\xBF \r\n{\"odata.error\":{\"code\":\"C\",\"message\":{\"value\":\"m\"}}}"), "C|m");
}

TEST(service_message, of_an_empty_body_is_empty) {
    for (auto const* body : {"", " \r\n", "\xEF\xBB\xBF"}) EXPECT_EQ(read(body), "|") << body;
}

TEST(service_message, of_anything_else_is_its_text) {
    EXPECT_EQ(read("Bad Gateway\n"), "|Bad Gateway");
    EXPECT_EQ(read("<html><body>503</body></html>"), "|<html><body>503</body></html>");
    EXPECT_EQ(read(R"({"error":"busy"})"), R"(|{"error":"busy"})");
    EXPECT_EQ(read(R"({"odata.error":{"code":"Inv)"), R"(|{"odata.error":{"code":"Inv)");
    EXPECT_EQ(read("<Codec>x</Codec>"), "|<Codec>x</Codec>");
}

TEST(service_message, keeps_only_the_beginning_of_a_long_text) {
    EXPECT_EQ(read_service_message(std::string(100'000, 'x')).text.size(), 4096u);
    EXPECT_EQ(read_service_message("<html>" + std::string(100'000, 'x')).text.size(), 4096u);
}

TEST(service_message, of_cut_off_xml_is_what_is_there) {
    EXPECT_EQ(read("<Error><Code>ServerBusy</Code><Message>try la"), "ServerBusy|try la");
    EXPECT_EQ(read("<Error><Code"), "|<Error><Code");
}

}  // namespace

// SPDX-License-Identifier: Apache-2.0
#include "rest/shared_key.hpp"

#include "unit/rest/fixture.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>

namespace {

using namespace tablemap;
using namespace tablemap::test;
using ::testing::HasSubstr;

constexpr auto date = "Fri, 20 Nov 2026 00:00:00 GMT";

http_request message(std::string method, std::string target, std::string content_type = {}) {
    http_request r{std::move(method), std::move(target), {{"x-ms-version", "2019-02-02"}, {"x-ms-date", date}}};
    if (!content_type.empty()) r.headers.emplace_back("Content-Type", content_type);
    return r;
}

std::string signature_of(http_request r, std::string name = "devstoreaccount1") {
    auto account = emulator_account();
    account.name = name;
    detail::authorize(r, account);
    auto const value = header_of(r, "Authorization");
    auto const start = "SharedKey " + name + ":";
    EXPECT_EQ(value.substr(0, start.size()), start);
    return value.substr(start.size());
}

std::string lite_signature_of(http_request r) {
    detail::authorize(r, *parse_storage_account("UseDevelopmentStorage=true;authentication=SharedKeyLite"));
    return header_of(r, "Authorization");
}

// Each of these signatures but the last was accepted by a server.
TEST(shared_key, signs_a_read) {
    EXPECT_EQ(signature_of(message("GET", "/devstoreaccount1/Tables")), "tceyiqJPtOKFRzD8xVx5OCfsZSejhK6DUJZUpb5LlbM=");
}

TEST(shared_key, signs_the_content_type) {
    EXPECT_EQ(signature_of(message("POST", "/devstoreaccount1/Tables", "application/json")),
              "sqjO5v/BzpuG30zewCo0wWeyBy3K0RYAqvwSNdDjiy0=");
}

TEST(shared_key, signs_the_encoded_path) {
    EXPECT_EQ(signature_of(message("GET", "/devstoreaccount1/people(PartitionKey='a%20b',RowKey='%C3%A9%27%27x')")),
              "lhYqvt4VtlLD0AwSpIxRNZ/WaXob71jH4aEufvYn3/I=");
}

TEST(shared_key, signs_comp_of_all_query_parameters) {
    auto const signature = "J9V88N5gYZwUVEvBSZiQOz8n9PVNYuMVd3KjKTgvEfc=";
    EXPECT_EQ(signature_of(message("PUT", "/devstoreaccount1/people?comp=acl", "application/xml")), signature);
    EXPECT_EQ(signature_of(message("PUT", "/devstoreaccount1/people?timeout=5&comp=%61cl", "application/xml")),
              signature);
}

TEST(shared_key, signs_no_other_query_parameter) {
    EXPECT_EQ(signature_of(message("GET", "/devstoreaccount1/Tables?$top=5&NextTableName=comp%3Dx")),
              "tceyiqJPtOKFRzD8xVx5OCfsZSejhK6DUJZUpb5LlbM=");
}

TEST(shared_key, of_a_host_that_is_the_accounts_own_names_the_account_once) {
    EXPECT_EQ(detail::string_to_sign(message("GET", "/Tables"), "myaccount"),
              std::string{"GET\n\n\n"} + date + "\n/myaccount/Tables");
    EXPECT_EQ(signature_of(message("GET", "/Tables"), "myaccount"), "WJLixagl5LfcPAVW9nCZX5RTe5uIH1p4Ggib92ukfX0=");
}

TEST(shared_key, signs_the_content_md5_that_is_sent) {
    auto r = message("PUT", "/T", "application/json");
    r.headers.emplace_back("Content-MD5", "abc==");
    EXPECT_EQ(detail::string_to_sign(r, "acc"), std::string{"PUT\nabc==\napplication/json\n"} + date + "\n/acc/T");
}

TEST(shared_key_lite, signs_the_date_and_the_resource) {
    EXPECT_EQ(lite_signature_of(message("GET", "/devstoreaccount1/Tables")),
              "SharedKeyLite devstoreaccount1:NTWM9AHcuJLsNOhIePi9w4Yl7U0d7HGq2O/vu2oEXGA=");
    EXPECT_EQ(lite_signature_of(message("PUT", "/devstoreaccount1/Tables?$top=1", "application/json")),
              lite_signature_of(message("GET", "/devstoreaccount1/Tables")));
    EXPECT_EQ(detail::string_to_sign(message("PUT", "/T?comp=acl"), "acc", detail::shared_key_form::lite),
              std::string{date} + "\n/acc/T?comp=acl");
}

// --- credentials that sign nothing -----------------------------------------------------------------------------------

// --- queues and blobs ------------------------------------------------------------------------------------------------

constexpr auto account = "devstoreaccount1";
auto const headers_of_all = std::string{"x-ms-date:"} + date + "\nx-ms-version:2020-10-02\n";

http_request blob_request_of(std::string method, std::string target) {
    return {std::move(method), std::move(target), {{"x-ms-version", "2020-10-02"}, {"x-ms-date", date}}};
}

TEST(shared_key_for_blobs, signs_an_empty_length_as_nothing) {
    EXPECT_EQ(
        detail::string_to_sign_for_blobs(blob_request_of("PUT", "/devstoreaccount1/cont?restype=container"), account),
        "PUT\n\n\n\n\n\n\n\n\n\n\n\n" + headers_of_all + "/devstoreaccount1/devstoreaccount1/cont\nrestype:container");
}

TEST(shared_key_for_blobs, signs_every_header_of_the_service_in_order) {
    auto r = blob_request_of("PUT", "/devstoreaccount1/cont/dir/a%20b.txt");
    r.headers.insert(
        r.headers.end(),
        {{"X-Ms-Meta-K", "v"}, {"x-ms-blob-type", "BlockBlob"}, {"Content-Type", "text/plain; charset=utf-8"}});
    r.body = "hello";
    EXPECT_EQ(detail::string_to_sign_for_blobs(r, account),
              std::string{"PUT\n\n\n5\n\ntext/plain; charset=utf-8\n\n\n\n\n\n\nx-ms-blob-type:BlockBlob\nx-ms-date:"} +
                  date +
                  "\nx-ms-meta-k:v\nx-ms-version:2020-10-02\n/devstoreaccount1/devstoreaccount1/cont/dir/a%20b.txt");
}

TEST(shared_key_for_blobs, signs_values_without_the_blanks_around_them) {
    auto r = blob_request_of("PUT", "/devstoreaccount1/cont?restype=container");
    r.headers.emplace_back("x-ms-client-request-id", " job 17 \t");
    r.headers.emplace_back("x-ms-blank", "  ");
    EXPECT_THAT(detail::string_to_sign_for_blobs(r, account),
                HasSubstr("\nx-ms-blank:\nx-ms-client-request-id:job 17\nx-ms-date:"));
}

TEST(shared_key_for_blobs, signs_every_parameter_in_order) {
    auto r = blob_request_of("POST", "/devstoreaccount1/myq/messages?visibilitytimeout=0&messagettl=604800");
    r.headers.emplace_back("Content-Type", "application/xml");
    r.body = std::string(102, 'x');
    EXPECT_EQ(detail::string_to_sign_for_blobs(r, account),
              "POST\n\n\n102\n\napplication/xml\n\n\n\n\n\n\n" + headers_of_all +
                  "/devstoreaccount1/devstoreaccount1/myq/messages\nmessagettl:604800\nvisibilitytimeout:0");
}

TEST(shared_key_for_blobs, signs_the_decoded_value_of_a_parameter) {
    EXPECT_THAT(detail::string_to_sign_for_blobs(
                    blob_request_of("DELETE", "/devstoreaccount1/myq/messages/id?popreceipt=a%2B%2F%3D%3D"), account),
                ::testing::EndsWith("/messages/id\npopreceipt:a+/=="));
}

TEST(shared_key_lite_for_blobs, signs_little_but_comp) {
    auto r = blob_request_of("GET", "/devstoreaccount1/myq?comp=metadata&timeout=5");
    EXPECT_EQ(detail::string_to_sign_for_blobs(r, account, detail::shared_key_form::lite),
              "GET\n\n\n\n" + headers_of_all + "/devstoreaccount1/devstoreaccount1/myq?comp=metadata");
}

TEST(shared_access_signature, goes_into_the_query_of_the_request_as_it_is) {
    storage_account const a{.name = "abc", .credential = sas_credential{"?sv=2019-02-02&sig=a%2Fb&"}};
    auto plain = message("GET", "/T()"), filtered = message("GET", "/T()?$top=1");
    detail::authorize(plain, a);
    detail::authorize(filtered, a);
    EXPECT_EQ(plain.target, "/T()?sv=2019-02-02&sig=a%2Fb");
    EXPECT_EQ(filtered.target, "/T()?$top=1&sv=2019-02-02&sig=a%2Fb");
    EXPECT_EQ(header_of(plain, "Authorization"), "(absent)");
}

TEST(account_key, is_valid_if_it_is_base64) {
    EXPECT_TRUE(account_key{"AQID"}.valid());
    EXPECT_EQ(account_key{"AQID"}.sign("x"), account_key{std::as_bytes(std::span{"\1\2\3", 3})}.sign("x"));
    for (auto const* text : {"", "AQI", "AQI!", "AQID "}) EXPECT_FALSE(account_key{text}.valid()) << text;
    EXPECT_FALSE(account_key{}.valid());
}

}  // namespace

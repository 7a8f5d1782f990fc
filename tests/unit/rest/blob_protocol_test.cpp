// SPDX-License-Identifier: Apache-2.0
#include "rest/blob_protocol.hpp"

#include "rest/blob_xml.hpp"
#include "rest/request_builder.hpp"
#include "rest/response_reader.hpp"
#include "unit/rest/fixture.hpp"

#include "tablemap/store/service_response.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace {

using namespace tablemap;
using namespace tablemap::test;
using ::testing::HasSubstr;
using ::testing::StartsWith;
using headers = std::vector<std::pair<std::string, std::string>>;

constexpr auto an_etag = "\"0x8DCB\"";

// --- requests --------------------------------------------------------------------------------------------------------

http_request built(blob_request const& r) {
    auto const account = emulator_account();
    auto m = detail::build_request(r, {.endpoint = *account.blobs, .client_request_id = "an-id", .date = a_date()});
    EXPECT_TRUE(m);
    return m ? *std::move(m) : http_request{};
}

std::string line_of(blob_request const& r) {
    auto const m = built(r);
    return m.method + " " + m.target;
}

std::string const common_headers = "Accept: application/xml\n"
                                   "User-Agent: tablemap\n"
                                   "x-ms-client-request-id: an-id\n"
                                   "x-ms-version: 2020-10-02\n"
                                   "x-ms-date: Fri, 20 Nov 2026 00:00:00 GMT\n";

TEST(blob_message, about_a_container_says_so) {
    EXPECT_EQ(text_of(built(create_container{"files"})),
              "PUT /devstoreaccount1/files?restype=container\n" + common_headers + "\n");
    EXPECT_EQ(line_of(delete_container{"files"}), "DELETE /devstoreaccount1/files?restype=container");
}

TEST(blob_message, stores_a_blob) {
    EXPECT_EQ(text_of(built(put_blob{"files", "a/b c", "hello", "text/plain", {.if_match = an_etag}})),
              "PUT /devstoreaccount1/files/a/b%20c\n" + common_headers +
                  "x-ms-blob-type: BlockBlob\n"
                  "x-ms-blob-content-type: text/plain\n"
                  "If-Match: \"0x8DCB\"\n"
                  "Content-Type: application/octet-stream\n\n"
                  "hello");
    auto const m = built(put_blob{"files", "b", "", {}, {.if_absent = true}});
    EXPECT_EQ(header_of(m, "If-None-Match"), "*");
    EXPECT_EQ(header_of(m, "x-ms-blob-content-type"), "application/octet-stream");
}

TEST(blob_message, encodes_all_of_a_name_but_its_slashes) {
    EXPECT_EQ(line_of(head_blob{"files", "/a//b?c#d%e+f&\xC3\xA4"}),
              "HEAD /devstoreaccount1/files//a//b%3Fc%23d%25e%2Bf%26%C3%A4");
}

TEST(blob_message, asks_for_a_range) {
    EXPECT_EQ(header_of(built(get_blob{"files", "b"}), "x-ms-range"), "(absent)");
    EXPECT_EQ(header_of(built(get_blob{"files", "b", blob_range{5, 10}}), "x-ms-range"), "bytes=5-14");
    EXPECT_EQ(header_of(built(get_blob{"files", "b", blob_range{5, {}}}), "x-ms-range"), "bytes=5-");
    EXPECT_EQ(header_of(built(get_blob{"files", "b", {}, {.if_match = an_etag}}), "If-Match"), an_etag);
}

TEST(blob_message, erases_a_blob) {
    auto const m = built(delete_blob{"files", "b", {.if_match = an_etag}});
    EXPECT_EQ(m.method, "DELETE");
    EXPECT_EQ(header_of(m, "If-Match"), an_etag);
}

TEST(blob_message, lists_blobs) {
    EXPECT_EQ(line_of(list_blobs{.container = "files"}), "GET /devstoreaccount1/files?restype=container&comp=list");
    EXPECT_EQ(line_of(list_blobs{"files", "a b", "2!4", 7}),
              "GET /devstoreaccount1/files?restype=container&comp=list&prefix=a%20b&marker=2%214&maxresults=7");
}

TEST(blob_message, appends) {
    auto const made = built(create_append_blob{"files", "log"});
    EXPECT_EQ(header_of(made, "x-ms-blob-type"), "AppendBlob");
    EXPECT_EQ(made.body, "");
    auto const m = built(append_block{"files", "log", "line", 7, an_etag});
    EXPECT_THAT(text_of(m), StartsWith("PUT /devstoreaccount1/files/log?comp=appendblock\n"));
    EXPECT_EQ(header_of(m, "x-ms-blob-condition-appendpos"), "7");
    EXPECT_EQ(header_of(m, "If-Match"), an_etag);
    EXPECT_EQ(m.body, "line");
}

TEST(blob_message, stages_and_commits_blocks) {
    EXPECT_EQ(line_of(stage_block{"files", "b", "id?", "x"}),
              "PUT /devstoreaccount1/files/b?comp=block&blockid=aWQ%2F");
    std::vector<std::string_view> const ids{"1", "<&>"};
    auto const m = built(commit_blocks{"files", "b", ids, "text/plain", {.if_absent = true}});
    EXPECT_THAT(text_of(m), StartsWith("PUT /devstoreaccount1/files/b?comp=blocklist\n"));
    EXPECT_EQ(m.body, R"(<?xml version="1.0" encoding="utf-8"?><BlockList><Latest>MQ==</Latest><Latest>PCY+</Latest>)"
                      "</BlockList>");
    EXPECT_EQ(header_of(m, "x-ms-blob-content-type"), "text/plain");
    EXPECT_EQ(header_of(m, "If-None-Match"), "*");
}

// --- responses -------------------------------------------------------------------------------------------------------

response read(blob_request const& r, int status, headers h = {}, std::string body = {}) {
    return detail::read_response(r, {status, std::move(h), std::move(body)}, a_date());
}

::testing::AssertionResult failed(response const& r, std::error_code code, outcome o = outcome::not_applied) {
    if (r.ok()) return ::testing::AssertionFailure() << "carried out";
    if (r.failure->code() != code) return ::testing::AssertionFailure() << r.failure->what();
    if (r.outcome() != o) return ::testing::AssertionFailure() << "outcome " << static_cast<int>(r.outcome());
    return ::testing::AssertionSuccess();
}

headers properties(headers more = {}) {
    headers h{{"ETag", an_etag},
              {"Last-Modified", "Fri, 20 Nov 2026 00:00:00 GMT"},
              {"Content-Type", "text/plain"},
              {"x-ms-blob-type", "BlockBlob"}};
    h.insert(h.end(), more.begin(), more.end());
    return h;
}

response part(blob_range asked, std::string const& content_range, std::string body) {
    return read(get_blob{"files", "b", asked}, 206, properties({{"Content-Range", content_range}}), std::move(body));
}

TEST(blob_response, gives_the_etag_of_every_write) {
    for (blob_request const& r :
         {blob_request{put_blob{"files", "b", ""}}, blob_request{create_append_blob{"files", "b"}},
          blob_request{commit_blocks{"files", "b", {}}}}) {
        EXPECT_EQ(read(r, 201, {{"ETag", an_etag}}).etag.text(), an_etag);
        EXPECT_TRUE(failed(read(r, 201), library_errc::malformed_response, outcome::applied));
        EXPECT_TRUE(failed(read(r, 200, {{"ETag", an_etag}}), library_errc::malformed_response, outcome::in_doubt));
    }
    EXPECT_TRUE(read(stage_block{"files", "b", "1", "x"}, 201).ok());
    EXPECT_TRUE(read(delete_blob{"files", "b"}, 202).ok());
    EXPECT_TRUE(read(create_container{"files"}, 201).ok());
    EXPECT_TRUE(read(delete_container{"files"}, 202).ok());
}

TEST(blob_response, tells_where_an_append_ended) {
    headers const h{{"ETag", an_etag}, {"x-ms-blob-append-offset", "7"}, {"x-ms-blob-committed-block-count", "3"}};
    auto const r = read(append_block{"files", "log", "line", 7}, 201, h);
    EXPECT_EQ(r.etag.text(), an_etag);
    EXPECT_EQ(r.service->blob.size, 11u);
    EXPECT_EQ(r.service->blob.appended_blocks, 3u);
    EXPECT_TRUE(failed(read(append_block{"files", "log", "line", 8}, 201, h), library_errc::malformed_response,
                       outcome::applied));
    EXPECT_TRUE(failed(read(append_block{"files", "log", "line"}, 201, {{"ETag", an_etag}}),
                       library_errc::malformed_response, outcome::applied));
}

TEST(blob_response, holds_the_properties_of_the_blob) {
    auto const r = read(get_blob{"files", "b"}, 200, properties(), "hello");
    EXPECT_EQ(r.body, "hello");
    EXPECT_EQ(r.service->blob,
              (blob_properties{
                  .name = "b", .etag = etag{an_etag}, .modified = a_date(), .size = 5, .content_type = "text/plain"}));
    auto const head = read(head_blob{"files", "b"}, 200, properties({{"Content-Length", "9000000000"}}));
    EXPECT_EQ(head.service->blob.size, 9'000'000'000u);
    EXPECT_EQ(head.etag.text(), an_etag);
}

TEST(blob_response, without_the_properties_of_a_blob_is_refused) {
    for (std::size_t const i : {0u, 1u, 3u}) {
        auto h = properties({{"Content-Length", "5"}});
        h.erase(h.begin() + static_cast<std::ptrdiff_t>(i));
        EXPECT_TRUE(failed(read(head_blob{"files", "b"}, 200, h), library_errc::malformed_response)) << i;
        EXPECT_TRUE(failed(read(get_blob{"files", "b"}, 200, h, "hello"), library_errc::malformed_response)) << i;
    }
    EXPECT_TRUE(failed(read(head_blob{"files", "b"}, 200, properties()), library_errc::malformed_response));
    EXPECT_TRUE(failed(read(head_blob{"files", "b"}, 200, properties({{"Content-Length", "-5"}})),
                       library_errc::malformed_response));
}

TEST(blob_response, holds_the_part_that_was_asked_for) {
    auto const r = part({2, 3}, "bytes 2-4/10", "llo");
    EXPECT_EQ(r.body, "llo");
    EXPECT_EQ(r.service->blob.size, 10u);
    EXPECT_EQ(part({2, 100}, "bytes 2-4/5", "llo").body, "llo");
    EXPECT_EQ(part({2, {}}, "bytes 2-4/5", "llo").body, "llo");
}

TEST(blob_response, with_another_part_is_refused) {
    for (auto const* range : {"bytes 1-3/10", "bytes 2-3/10", "bytes 2-5/10", "bytes 2-4/4", "bytes 2-4/*", "2-4/10",
                              "bytes 4-2/10", "bytes 2-4/10x", "bytes -4/10", "", "bytes 2-18446744073709551615/10"})
        EXPECT_TRUE(failed(part({2, 3}, range, "llo"), library_errc::malformed_response)) << range;
    EXPECT_TRUE(failed(part({2, 3}, "bytes 2-4/10", "ll"), library_errc::malformed_response));
    EXPECT_TRUE(failed(part({2, 3}, "bytes 2-4/10", "lloo"), library_errc::malformed_response));
    EXPECT_TRUE(failed(part({2, {}}, "bytes 2-4/10", "llo"), library_errc::malformed_response));
    EXPECT_TRUE(failed(read(get_blob{"files", "b"}, 206, properties({{"Content-Range", "bytes 0-4/9"}}), "hello"),
                       library_errc::malformed_response));
}

TEST(blob_response, without_bytes_is_one_of_a_range_behind_the_end) {
    EXPECT_TRUE(failed(part({10, 1}, "bytes 10-9/10", ""), service_errc::invalid_range));
    EXPECT_TRUE(failed(part({10, 1}, "bytes 10-10/10", ""), service_errc::invalid_range));
    EXPECT_TRUE(failed(part({9, 1}, "bytes 9-9/10", ""), library_errc::malformed_response));
    EXPECT_TRUE(failed(part({10, 1}, "", ""), library_errc::malformed_response));
}

TEST(blob_response, with_all_of_a_blob_holds_the_part_of_it) {
    auto const whole = [](blob_range asked) { return read(get_blob{"files", "b", asked}, 200, properties(), "hello"); };
    EXPECT_EQ(whole({2, 2}).body, "ll");
    EXPECT_EQ(whole({2, {}}).body, "llo");
    EXPECT_EQ(whole({4, 100}).service->blob.size, 5u);
    EXPECT_TRUE(failed(whole({5, 1}), service_errc::invalid_range));
}

std::string listed(std::string const& blobs, std::string const& marker = {}) {
    return R"(<?xml version="1.0" encoding="utf-8"?><EnumerationResults ContainerName="files"><Blobs>)" + blobs +
           "</Blobs><NextMarker>" + marker + "</NextMarker></EnumerationResults>";
}

std::string one(std::string const& name, std::string const& size = "5", std::string const& kind = "BlockBlob") {
    return "<Blob><Name>" + name +
           "</Name><Properties><Last-Modified>Fri, 20 Nov 2026 00:00:00 GMT</Last-Modified><Etag>0x8DCB</Etag>"
           "<Content-Length>" +
           size + "</Content-Length><Content-Type>text/plain</Content-Type><BlobType>" + kind +
           "</BlobType></Properties></Blob>";
}

TEST(blob_response, lists_blobs) {
    list_blobs const asked{.container = "files", .top = 3};
    auto const r =
        read(asked, 200, {}, listed(one("a&amp;b") + one(" c ", "0", "AppendBlob") + one("d", "1", "PageBlob"), "2!4"));
    ASSERT_TRUE(r.ok()) << r.failure->what();
    auto const& blobs = r.service->blobs;
    ASSERT_EQ(blobs.size(), 3u);
    EXPECT_EQ(
        blobs[0],
        (blob_properties{
            .name = "a&b", .etag = etag{an_etag}, .modified = a_date(), .size = 5, .content_type = "text/plain"}));
    EXPECT_EQ(blobs[1].name, " c ");
    EXPECT_EQ(blobs[1].kind, blob_kind::append);
    EXPECT_EQ(blobs[2].kind, blob_kind::other);
    EXPECT_EQ(r.service->next_blob, "2!4");
    EXPECT_EQ(read(asked, 200, {}, listed("")).service->next_blob, std::nullopt);
}

TEST(blob_response, refuses_a_list_that_is_none) {
    for (auto const& body : {std::string{}, std::string{"<html/>"}, listed(one("")), listed(one("a", "-1")),
                             listed(one("a", "x")), listed("<Blob/>"), listed(one("a")).substr(0, 300)})
        EXPECT_TRUE(failed(read(list_blobs{.container = "files"}, 200, {}, body), library_errc::malformed_response))
            << body;
}

TEST(blob_response, refuses_a_list_that_is_not_the_one_that_was_asked_for) {
    list_blobs const asked{"files", "a", "2!4", 1};
    EXPECT_TRUE(read(asked, 200, {}, listed(one("a"), "2!5")).ok());
    EXPECT_TRUE(failed(read(asked, 200, {}, listed(one("a") + one("ab"))), library_errc::malformed_response));
    EXPECT_TRUE(failed(read(asked, 200, {}, listed(one("b"))), library_errc::malformed_response));
    EXPECT_TRUE(failed(read(asked, 200, {}, listed(one("a"), "2!4")), library_errc::malformed_response));
}

// --- refusals --------------------------------------------------------------------------------------------------------

response refusal(blob_request const& r, int status, std::string const& code) {
    return read(r, status, {{"x-ms-request-id", "1"}}, "<Error><Code>" + code + "</Code></Error>");
}

TEST(blob_refusal, has_the_code_of_the_service) {
    EXPECT_TRUE(
        failed(refusal(put_blob{"files", "b", ""}, 409, "BlobAlreadyExists"), service_errc::blob_already_exists));
    EXPECT_TRUE(failed(refusal(put_blob{"files", "b", ""}, 412, "ConditionNotMet"),
                       service_errc::update_condition_not_satisfied));
    EXPECT_TRUE(failed(refusal(append_block{"files", "b", "x", 1}, 412, "AppendPositionConditionNotMet"),
                       service_errc::append_position_condition_not_met));
    EXPECT_TRUE(failed(refusal(get_blob{"files", "b"}, 416, "InvalidRange"), service_errc::invalid_range));
    EXPECT_TRUE(failed(refusal(create_container{"files"}, 409, "ContainerBeingDeleted"),
                       service_errc::container_being_deleted));
}

TEST(blob_refusal, of_head_has_its_code_in_the_head) {
    auto const read_head = [](int status, std::string const& code) {
        return read(head_blob{"files", "b"}, status, {{"x-ms-error-code", code}});
    };
    EXPECT_TRUE(failed(read_head(404, "BlobNotFound"), service_errc::blob_not_found));
    EXPECT_TRUE(failed(read_head(404, "ContainerNotFound"), service_errc::container_not_found));
    EXPECT_TRUE(failed(read(head_blob{"files", "b"}, 404, {{"x-ms-request-id", "1"}}), service_errc::blob_not_found));
    EXPECT_TRUE(failed(read(head_blob{"files", "b"}, 404), library_errc::malformed_response));
}

TEST(blob_refusal, without_a_code_has_that_of_its_status) {
    headers const of_service{{"x-ms-request-id", "1"}};
    EXPECT_TRUE(failed(read(get_blob{"files", "b"}, 416, of_service), service_errc::invalid_range));
    EXPECT_TRUE(failed(read(list_blobs{.container = "files"}, 404, of_service), service_errc::container_not_found));
    EXPECT_TRUE(
        failed(read(put_blob{"files", "b", ""}, 412, of_service), service_errc::update_condition_not_satisfied));
    EXPECT_TRUE(failed(read(put_blob{"files", "b", ""}, 503), service_errc::server_busy, outcome::in_doubt));
    EXPECT_TRUE(failed(read(get_blob{"files", "b"}, 304), library_errc::malformed_response));
}

TEST(blob_refusal, speaks_of_blobs) {
    EXPECT_THAT(refusal(put_blob{"files", "b", ""}, 412, "ConditionNotMet").failure->what(),
                HasSubstr("put blob into container 'files': the entity or blob was changed since it was read"));
    EXPECT_THAT(refusal(put_blob{"files", "b", ""}, 413, "RequestBodyTooLarge").failure->what(),
                HasSubstr("in blocks"));
}

}  // namespace

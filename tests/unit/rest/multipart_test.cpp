// SPDX-License-Identifier: Apache-2.0
#include "rest/multipart.hpp"

#include "unit/rest/fixture.hpp"

#include <gtest/gtest.h>

#include <string>

namespace {

using namespace tablemap;
using namespace tablemap::test;

constexpr std::string_view mixed = "multipart/mixed; boundary=batchresponse_G";

std::string const two_parts = R"(--batchresponse_G
Content-Type: multipart/mixed; boundary=changesetresponse_H

--changesetresponse_H
Content-Type: application/http
Content-Transfer-Encoding: binary

HTTP/1.1 204 No Content
X-Content-Type-Options: nosniff
DataServiceVersion: 3.0;
ETag: W/"datetime'1'"


--changesetresponse_H
Content-Type: application/http
Content-Transfer-Encoding: binary

HTTP/1.1 204 No Content
DataServiceVersion: 1.0;


--changesetresponse_H--
--batchresponse_G--
)";

/// Status, etag and body of each part, one line each.
std::string read(std::string_view type, std::string_view body) {
    std::string text;
    for (auto const& p : detail::read_batch(type, body, 100))
        text += std::to_string(p.status) + " " + std::string{detail::header_in(p.head, "etag").value_or("-")} + " " +
                std::string{p.body} + "\n";
    return text;
}

std::string replaced(std::string text, std::string_view from, std::string_view to) {
    for (auto at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
        text.replace(at, from.size(), to);
    return text;
}

std::string const expected = "204 W/\"datetime'1'\" \n204 - \n";

TEST(batch_answer, is_read_with_either_line_end_and_with_both) {
    EXPECT_EQ(read(mixed, with_crlf(two_parts)), expected);
    EXPECT_EQ(read(mixed, two_parts), expected);
    EXPECT_EQ(read(mixed, replaced(two_parts, "binary\n", "binary\r\n")), expected);
}

TEST(batch_answer, is_read_with_a_quoted_boundary_and_other_parameters) {
    EXPECT_EQ(read("Multipart/Mixed; charset=utf-8; Boundary=\"batchresponse_G\"", two_parts), expected);
    EXPECT_EQ(read(mixed, replaced(two_parts, "changesetresponse_H\n\n--", "\"changesetresponse_H\"\n\n--")), expected);
}

TEST(batch_answer, is_read_without_its_last_delimiters) {
    auto const cut = two_parts.substr(0, two_parts.find("--changesetresponse_H--"));
    EXPECT_EQ(read(mixed, cut), expected);
    EXPECT_EQ(read(mixed, with_crlf(cut)), expected);
}

TEST(batch_answer, is_read_with_preamble_and_epilogue) {
    EXPECT_EQ(read(mixed, "This is a multipart message.\r\n" + two_parts + "\r\nbye\r\n"), expected);
}

TEST(batch_answer, is_read_whatever_boundary_the_header_names) {
    EXPECT_EQ(read("multipart/mixed; boundary=other", two_parts), expected);
    EXPECT_EQ(read("", two_parts), expected);
}

TEST(batch_answer, is_read_where_headers_run_into_the_body) {
    EXPECT_EQ(read(mixed, "--batchresponse_G\nContent-Type: application/http\n\nHTTP/1.1 200 OK\n"
                          "Content-Type: application/json\n{\"a\":1}\n--batchresponse_G--\n"),
              "200 - {\"a\":1}\n");
}

TEST(batch_answer, is_read_past_stray_lines_before_the_status_line) {
    EXPECT_EQ(read(mixed, replaced(two_parts, "HTTP/1.1", "changesetresponse_H text\nHTTP/1.1")), expected);
    EXPECT_EQ(read(mixed, replaced(two_parts, "binary\n\n", "binary\nContent-ID: 1\n")), expected);
}

TEST(batch_answer, is_read_past_lines_that_begin_like_a_delimiter_and_go_on) {
    EXPECT_EQ(
        read(mixed, replaced(two_parts, "DataService", "--changesetresponse_HI\n--changesetresponse_H x\nDataService")),
        expected);
}

TEST(batch_answer, leaves_out_a_part_without_a_status_line) {
    auto const second = two_parts.rfind("HTTP/1.1 204 No Content\n");
    auto const without = std::string{two_parts}.erase(second, std::string_view{"HTTP/1.1 204 No Content\n"}.size());
    EXPECT_EQ(read(mixed, without), "204 W/\"datetime'1'\" \n");
}

// Azurite answers to an operation at fault with a Content-ID among the headers of the response.
TEST(batch_answer, is_read_with_a_content_id_in_an_error) {
    EXPECT_EQ(read(mixed, "--batchresponse_G\nContent-Type: multipart/mixed; boundary=changesetresponse_H\n\n"
                          "--changesetresponse_H\nContent-Type: application/http\nContent-Transfer-Encoding: binary\n\n"
                          "HTTP/1.1 409 Conflict\nX-Content-Type-Options: nosniff\nContent-ID: 1\n"
                          "Content-Type: application/json;odata=minimalmetadata;charset=utf-8\n\n"
                          "{\"odata.error\":{}}\n\n--changesetresponse_H--\n--batchresponse_G--\n"),
              "409 - {\"odata.error\":{}}\n");
}

TEST(batch_answer, keeps_a_body_with_an_error) {
    EXPECT_EQ(
        read(mixed, with_crlf("--batchresponse_G\nContent-Type: multipart/mixed; boundary=c\n\n--c\n"
                              "Content-Type: application/http\n\nHTTP/1.1 409 Conflict\n"
                              "Content-Type: application/json\n\n{\"odata.error\":{}}\n--c--\n--batchresponse_G--\n")),
        "409 - {\"odata.error\":{}}\n");
}

TEST(batch_answer, that_is_none_has_no_parts) {
    for (auto const* body : {"", "--", "--batchresponse_G", "--batchresponse_G--", "{\"odata.error\":{}}", "\r\n\r\n"})
        EXPECT_EQ(read(mixed, body), "") << body;
    EXPECT_EQ(read(mixed, replaced(two_parts, "HTTP/1.1 204", "HTTP/1.1 99999")), "");
    EXPECT_EQ(read(mixed, replaced(two_parts, "HTTP/1.1 204", "HTTP/1.1 x")), "");
}

TEST(batch_answer, does_not_nest_without_end) {
    std::string nested;
    for (int i = 0; i < 1000; ++i) nested += "--b\nContent-Type: multipart/mixed; boundary=b\n\n";
    EXPECT_EQ(read("multipart/mixed; boundary=b", nested), "");
}

// Whatever is cut off, nothing is read that was not said: parts are a prefix of the whole response's.
TEST(batch_answer, that_was_cut_off_anywhere_has_no_part_of_another_status) {
    for (std::size_t n = 0; n <= two_parts.size(); ++n)
        for (auto const& p : detail::read_batch(mixed, std::string_view{two_parts}.substr(0, n), 100))
            EXPECT_EQ(p.status, 204) << n;
}

// A response may be as large as a transport takes.
TEST(multipart, reads_no_more_parts_and_headers_than_it_is_asked_for) {
    std::string many = "--b\n", headers = "--b\n\nHTTP/1.1 204 No Content\n";
    for (int i = 0; i < 100'000; ++i) {
        many += "HTTP/1.1 204\n--b\n";
        headers += "a:\n";
    }
    EXPECT_EQ(detail::read_batch("multipart/mixed; boundary=b", many, 4).size(), 4u);
    EXPECT_EQ(detail::read_batch("", many, 4).size(), 4u);
    auto const parts = detail::read_batch("multipart/mixed; boundary=b", headers, 4);
    ASSERT_EQ(parts.size(), 1u);
    EXPECT_EQ(detail::headers_in(parts[0].head).size(), 100u);
}

}  // namespace

// SPDX-License-Identifier: Apache-2.0
#include "serve/response_head.hpp"

#include <gtest/gtest.h>

namespace tablemap::test {
namespace {

using detail::serve::head_of;

TEST(response_head, has_a_status_line_the_headers_and_the_length_of_the_body) {
    http_response const r{.status = 200, .headers = {{"Server", "tablemap"}, {"ETag", "W/\"1\""}}, .body = "{}"};
    EXPECT_EQ(head_of(r, false), "HTTP/1.1 200 OK\r\nServer: tablemap\r\nETag: W/\"1\"\r\nContent-Length: 2\r\n\r\n");
}

TEST(response_head, says_that_a_connection_ends) {
    EXPECT_EQ(head_of({.status = 400}, true),
              "HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n");
}

TEST(response_head, has_each_header_about_its_end_once) {
    http_response const r{
        .status = 200,
        .headers = {{"content-length", "9"}, {"CONNECTION", "close"}, {"Transfer-Encoding", "chunked"}},
        .body = "{}"};
    EXPECT_EQ(head_of(r, false), "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n");
}

TEST(response_head, has_no_length_where_no_body_may_be) {
    EXPECT_EQ(head_of({.status = 204}, false), "HTTP/1.1 204 No Content\r\n\r\n");
}

}  // namespace
}  // namespace tablemap::test

// SPDX-License-Identifier: Apache-2.0
#include "unit/rest/transport_fixture.hpp"

#include "support/sanitizers.hpp"
#include "support/socket_server.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>
#include <limits>
#include <string>
#include <thread>
#include <utility>

namespace {

using namespace tablemap;
using namespace tablemap::test;
using namespace std::chrono_literals;

class transport_answers : public scripted_transport {};

INSTANTIATE_TEST_SUITE_P(, transport_answers, ::testing::ValuesIn(ways_to_send()),
                         [](auto const& instance) { return instance.param.name(); });

TEST_P(transport_answers, takes_answers_that_come_in_chunks) {
    http_server other{[](auto const&) {
        return reply{
            .bytes =
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n7;x=y\r\n, world\r\n0\r\n\r\n"};
    }};
    auto const t = connect_to(origin_of(other.port()));
    for (int i = 0; i < 3; ++i) EXPECT_EQ(call(*t, http_message("GET")).response.body, "hello, world");
    EXPECT_EQ(other.accepted(), 1u);
}

TEST_P(transport_answers, takes_answers_that_end_with_their_connection) {
    http_server other{[](seen_request const& r) -> reply {
        if (r.target == "/to-the-end") return {.bytes = "HTTP/1.1 200 OK\r\n\r\nall of it", .close = true};
        return {.bytes = "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 5\r\n\r\nthere", .close = true};
    }};
    auto const t = connect_to(origin_of(other.port()));
    for (std::size_t i = 1; i <= 5; ++i) {
        EXPECT_EQ(call(*t, http_message("PUT", "/to-the-end", "{}")).response.body, "all of it");
        EXPECT_EQ(call(*t, http_message("PUT", "/close", "{}")).response.body, "there");
    }
    EXPECT_EQ(other.seen().size(), 10u);
}

TEST_P(transport_answers, takes_heads_without_a_body) {
    http_server other{[](auto const&) { return reply{.bytes = "HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n"}; }};
    auto const t = connect_to(origin_of(other.port()));
    for (int i = 0; i < 3; ++i) {
        auto const result = call(*t, http_message("HEAD"));
        ASSERT_TRUE(answered(result, 200));
        EXPECT_EQ(result.response.body, "");
    }
}

TEST_P(transport_answers, passes_over_interim_answers) {
    if (is("cpprest")) GTEST_SKIP() << "cpprestsdk takes them for the response, which is then refused";
    http_server other{[](seen_request const& r) -> reply {
        auto const interim = "HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n";
        if (r.target == "/endless") return {.bytes = interim, .repeat = 1000};
        return {.bytes = "HTTP/1.1 100 Continue\r\n\r\n" + (interim + reply::answer(201, "body").bytes)};
    }};
    auto const t = connect_to(origin_of(other.port()));
    for (int i = 0; i < 3; ++i) {
        auto const result = call(*t, http_message("PUT", "/T", "{}"));
        ASSERT_TRUE(answered(result, 201));
        EXPECT_EQ(result.response.body, "body");
        EXPECT_FALSE(result.response.header("Link"));
    }
    EXPECT_EQ(other.accepted(), 1u);
    EXPECT_TRUE(failed(call(*t, http_message("PUT", "/endless")), transport_errc::malformed_http, outcome::in_doubt));
}

TEST_P(transport_answers, does_not_use_a_connection_again_on_which_too_much_was_said) {
    http_server other{[](auto const&) {
        return reply{.bytes = reply::answer(200, "first").bytes + reply::answer(200, "stray").bytes};
    }};
    auto const t = connect_to(origin_of(other.port()));
    for (int i = 0; i < 5; ++i) EXPECT_EQ(call(*t, http_message("PUT", "/T", "{}")).response.body, "first");
}

TEST_P(transport_answers, keeps_status_headers_and_body_of_a_refusal) {
    http_server other{[](auto const&) {
        return reply::answer(409, "{\"odata.error\":{}}", "x-ms-error-code: EntityAlreadyExists\r\n");
    }};
    auto const t = connect_to(origin_of(other.port()));
    auto const result = call(*t, http_message("POST", "/T", "{}"));
    ASSERT_TRUE(answered(result, 409));
    EXPECT_EQ(*result.response.header("X-Ms-Error-Code"), "EntityAlreadyExists");
    EXPECT_EQ(result.response.body, "{\"odata.error\":{}}");
}

TEST_P(transport_answers, follows_no_redirection) {
    http_server other{[](auto const&) { return reply::answer(303, "", "Location: /elsewhere\r\n"); }};
    auto const t = connect_to(origin_of(other.port()));
    EXPECT_TRUE(answered(call(*t, http_message("POST", "/T", "{}")), 303));
    EXPECT_EQ(other.seen().size(), 1u);
}

TEST_P(transport_answers, take_no_header_from_behind_the_body) {
    http_server other{[](auto const&) {
        return reply{.bytes =
                         "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: ETag\r\n\r\n5\r\nhello\r\n0\r\n"
                         "ETag: late\r\n\r\n"};
    }};
    auto const t = connect_to(origin_of(other.port()));
    for (int i = 0; i < 3; ++i) {
        auto const result = call(*t, http_message("GET"));
        EXPECT_EQ(result.response.body, "hello");
        EXPECT_FALSE(result.response.header("ETag"));
    }
}

TEST_P(transport_answers, are_refused_when_their_tag_or_their_end_is_in_doubt) {
    for (std::string const headers :
         {"ETag: \"1\"\r\nETag: \"2\"\r\nContent-Length: 5", "ETag: \"1\rx\"\r\nContent-Length: 5",
          "ETag: W/\"1\r\nContent-Length: 5", "ETag: \"1\", \"2\"\r\nContent-Length: 5", "Content-Length: -5",
          "Content-Length: 5, 6", "Content-Length: 5\r\nContent-Length: 6",
          "Content-Length: 5\r\nTransfer-Encoding: chunked"}) {
        http_server other{[&](auto const&) {
            return reply{.bytes = "HTTP/1.1 200 OK\r\n" + headers + "\r\n\r\nhello", .stall = true};
        }};
        auto const t = connect_to(origin_of(other.port()));
        EXPECT_TRUE(failed(call(*t, http_message("PUT", "/T", "{}"), deadline_in(20s)), transport_errc::malformed_http,
                           outcome::in_doubt))
            << headers;
    }
}

TEST_P(transport_answers, keep_an_etag_of_any_kind) {
    for (std::string const etag :
         {"W/\"datetime'2026-11-20T00%3A00%3A00.0000000Z'\"", "\"0x8D\"", "late", "*", "\"\""}) {
        http_server other{[&](auto const&) { return reply::answer(200, "", "ETag: " + etag + "\r\n"); }};
        auto const result = call(*connect_to(origin_of(other.port())), http_message("GET"));
        ASSERT_TRUE(answered(result, 200));
        ASSERT_TRUE(result.response.header("etag"));
        EXPECT_EQ(*result.response.header("etag"), etag);
    }
}

TEST_P(transport_answers, that_will_be_too_large_are_refused_at_once) {
    constexpr auto no_limit = std::numeric_limits<std::size_t>::max();
    // That for sanitizers is longer than any string: they end the program at requests for less.
    constexpr bool is_sanitized = has_address_sanitizer || has_thread_sanitizer;
    constexpr auto* beyond_memory = is_sanitized ? "9300000000000000000" : "1000000000000000000";
    for (auto const& [length, limit] :
         {std::pair{"40000000000", transport_options{}.largest_response}, {beyond_memory, no_limit}}) {
        http_server other{[&, length = length](auto const&) {
            return reply{.bytes = "HTTP/1.1 200 OK\r\nContent-Length: " + std::string{length} + "\r\n\r\nx",
                         .stall = true};
        }};
        auto const t = connect_to(origin_of(other.port()), {.largest_response = limit});
        EXPECT_TRUE(failed(call(*t, http_message("PUT", "/T", "{}"), deadline_in(20s)),
                           transport_errc::response_too_large, outcome::in_doubt))
            << length;
    }
}

TEST_P(transport_answers, are_heard_while_the_request_is_still_written) {
    if (is("cpprest")) GTEST_SKIP() << "cpprestsdk reads nothing before all is written";
    socket_server const refusing{[](served_socket s) {
        s.read_to("\r\n\r\n");
        s.send("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 413 Too Large\r\nContent-Length: 7\r\n\r\n");
        s.send("too big");
    }};
    auto const t = connect_to(origin_of(refusing.port()));
    for (int i = 0; i < 2; ++i) {
        auto const result = call(*t, http_message("PUT", "/T", std::string(64 << 20, 'x')), deadline_in(20s));
        ASSERT_TRUE(answered(result, 413));
        EXPECT_EQ(result.response.body, "too big");
    }
}

/// Sends chunks of one byte, each with a long remark, for as long as it is heard.
void talk_without_end(served_socket s) {
    std::string chunks;
    while (chunks.size() < 1'000'000) chunks += "1;x=" + std::string(30'000, 'x') + "\r\na\r\n";
    s.read_to("\r\n\r\n");
    s.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
    while (s.send(chunks)) {
    }
}

TEST_P(transport_answers, are_bounded_in_what_surrounds_the_body) {
    socket_server const endless{talk_without_end};
    auto const t = connect_to(origin_of(endless.port()), {.largest_response = 1'000'000});
    EXPECT_TRUE(
        failed(call(*t, http_message("PUT", "/T", "{}")), transport_errc::response_too_large, outcome::in_doubt));
}

TEST_P(transport_answers, that_never_pause_end_at_the_deadline_too) {
    socket_server const endless{talk_without_end};
    auto const t = connect_to(origin_of(endless.port()), {.largest_response = std::size_t{1} << 40});
    EXPECT_TRUE(failed(call(*t, http_message("PUT", "/T", "{}"), deadline_in(300ms)), library_errc::deadline_exceeded,
                       outcome::in_doubt));
}

TEST_P(transport_answers, that_trickle_end_at_the_deadline_too) {
    socket_server const slow{[](served_socket s) {
        s.read_to("\r\n\r\n");
        s.send("HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n");
        while (s.send("x")) std::this_thread::sleep_for(20ms);
    }};
    auto const t = connect_to(origin_of(slow.port()));
    auto const begin = std::chrono::steady_clock::now();
    EXPECT_TRUE(failed(call(*t, http_message("PUT", "/T", "{}"), deadline_in(300ms)), library_errc::deadline_exceeded,
                       outcome::in_doubt));
    EXPECT_LT(std::chrono::steady_clock::now() - begin, 10s);
}

}  // namespace

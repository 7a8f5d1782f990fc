// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/rest/transport.hpp"

#include "support/http_call.hpp"
#include "support/http_server.hpp"
#include "support/ways_to_send.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <string>
#include <string_view>

namespace tablemap::test {

inline call_options deadline_in(std::chrono::milliseconds d) { return {.deadline = within(d)}; }

/// A server whose target says what it does.
class scripted_server {
protected:
    static reply by_target(seen_request const& r) {
        auto const& t = r.target;
        if (t == "/hang-up") return reply::hang_up();
        if (t == "/silence") return reply::silence();
        if (t == "/garbage") return {.bytes = "this is no HTTP at all\r\n\r\n", .close = true};
        if (t == "/half-a-head") return {.bytes = "HTTP/1.1 200 OK\r\nContent-Le", .close = true};
        if (t == "/half-a-body")
            return {.bytes = "HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nonly this", .close = true};
        if (t == "/half-a-chunk")
            return {.bytes = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n40\r\nonly this", .close = true};
        if (t == "/bad-chunk")
            return {.bytes = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nno number\r\n", .stall = true};
        if (t == "/switch") return {.bytes = "HTTP/1.1 101 Switching Protocols\r\n\r\n"};
        if (t == "/trickle")
            return {.bytes = "HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n" + std::string(100'000, 'x'),
                    .between_bytes = std::chrono::milliseconds{5}};
        if (t == "/slow") {
            auto slow = reply::answer(200);
            slow.between_bytes = std::chrono::milliseconds{2};
            return slow;
        }
        if (t == "/echo") return reply::answer(200, r.body, "ETag: \"1\"\r\nx-ms-request-id: abc\r\n");
        return reply::answer(r.method == "GET" ? 200 : 204, r.method == "GET" ? "here" : "");
    }

    http_server server{by_target};
};

/// A transport that speaks with such a server.
class scripted_transport : public scripted_server, public ::testing::TestWithParam<way_to_send> {
protected:
    std::shared_ptr<transport> connect(transport_options const& o = {}) const {
        return connect_to(origin_of(server.port()), o);
    }
    std::shared_ptr<transport> connect_to(http_origin const& origin, transport_options const& o = {}) const {
        return GetParam().connect(origin, o);
    }
    bool is(std::string_view transport) const { return GetParam().transport == transport; }
};

}  // namespace tablemap::test

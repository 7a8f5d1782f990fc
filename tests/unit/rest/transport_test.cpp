// SPDX-License-Identifier: Apache-2.0
#include "tablemap/rest/transport.hpp"

#include "unit/rest/transport_fixture.hpp"

#include "support/azurite.hpp"
#include "support/dead_ports.hpp"
#include "support/http_call.hpp"
#include "support/http_server.hpp"
#include "support/ways_to_send.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <ostream>
#include <thread>

namespace {

using namespace tablemap;
using namespace tablemap::test;
using namespace std::chrono_literals;

/// A request with a method that the service knows, with a body or without.
struct kind_of_request {
    char const* method;
    bool body;
};

/// A new connection, or one that has carried a request before.
struct kind_of_call {
    way_to_send way;
    kind_of_request request;
    bool reused;
};

constexpr kind_of_request kinds[] = {{"GET", false},  {"PUT", true},     {"POST", true},  {"MERGE", true},
                                     {"PATCH", true}, {"DELETE", false}, {"POST", false}, {"PUT", false}};

std::vector<kind_of_call> all_calls() {
    std::vector<kind_of_call> all;
    for (auto const& way : ways_to_send())
        for (auto const& k : kinds)
            for (bool const reused : {false, true}) all.push_back({way, k, reused});
    return all;
}

std::string name_of(kind_of_call const& c) {
    auto const& [way, r, reused] = c;
    return way.name() + "_" + r.method + (r.body ? "_with_body" : "_without_body") + (reused ? "_reused" : "_new");
}

void PrintTo(kind_of_call const& c, std::ostream* out) { *out << name_of(c); }

class every_transport : public scripted_transport {};

class every_call : public scripted_server, public ::testing::TestWithParam<kind_of_call> {
protected:
    bool is_write() const { return request("/").changes_state(); }
    outcome if_sent() const { return is_write() ? outcome::in_doubt : outcome::not_applied; }

    http_request request(std::string target) const {
        auto const& r = GetParam().request;
        return http_message(r.method, std::move(target), r.body ? std::string(860, 'x') : std::string{});
    }

    /// With a connection in its pool if the parameter says so.
    std::shared_ptr<transport> connect(transport_options const& o = {}) const { return connect_to(server, o); }
    std::shared_ptr<transport> connect_to(http_server const& to, transport_options const& o) const {
        auto t = GetParam().way.connect(origin_of(to.port()), o);
        if (GetParam().reused) {
            EXPECT_TRUE(answered(call(*t, http_message("GET", "/warm")), 200));
        }
        return t;
    }
};

INSTANTIATE_TEST_SUITE_P(, every_call, ::testing::ValuesIn(all_calls()),
                         [](auto const& instance) { return name_of(instance.param); });
INSTANTIATE_TEST_SUITE_P(, every_transport, ::testing::ValuesIn(ways_to_send()),
                         [](auto const& instance) { return instance.param.name(); });

// ---- requests and answers -------------------------------------------------------------------------------------------

TEST_P(every_call, arrives_once_as_it_was_given) {
    auto const t = connect();
    auto const r = request("/echo");
    auto const result = call(*t, r);
    ASSERT_TRUE(answered(result, 200));
    EXPECT_EQ(result.response.body, r.body);
    ASSERT_TRUE(result.response.header("etag"));
    EXPECT_EQ(*result.response.header("etag"), "\"1\"");

    ASSERT_EQ(server.times_seen(r.method, "/echo"), 1u);
    auto const seen = server.seen().back();
    EXPECT_EQ(seen.body, r.body);
    EXPECT_EQ(seen.header("x-ms-date"), "Fri, 20 Nov 2026 00:00:00 GMT");
    EXPECT_EQ(seen.header("content-type"), r.body.empty() ? "" : "application/json");
    EXPECT_EQ(seen.header("content-length"), is_write() ? std::to_string(r.body.size()) : "");
    EXPECT_EQ(seen.header("transfer-encoding"), "");
    EXPECT_EQ(seen.header("host"), "127.0.0.1:" + std::to_string(server.port()));
    EXPECT_EQ(server.accepted(), 1u);
}

TEST_P(every_transport, sends_targets_byte_for_byte) {
    auto const t = connect();
    for (std::string const target :
         {"/T(PartitionKey='a%20b',RowKey='%C3%A9%27%27x')", "/T()?$filter=PartitionKey%20eq%20'a%2Bb'&$top=5", "/",
          "/T()?$filter=a+b&NextPartitionKey=1!8!YQ--&NextRowKey=%2f%2F", "/devstoreaccount1/$batch",
          "/a//b/../c/./d;e,f:g@h!i*j~k_l-m.n", "/T()?a=b?c/d", "/T(PartitionKey='%25%3F%23%5B',RowKey='')",
          "/T()?$select=&x=%E4%BD%A0%00&&y="}) {
        EXPECT_TRUE(answered(call(*t, http_message("GET", target)), 200)) << target;
        EXPECT_EQ(server.seen().back().target, target);
        EXPECT_TRUE(answered(call(*t, http_message("PUT", target, "{}")), 204)) << target;
        EXPECT_EQ(server.seen().back().target, target);
    }
    EXPECT_EQ(server.accepted(), 1u);
}

TEST_P(every_transport, refuses_targets_and_headers_that_it_would_change) {
    auto const t = connect();
    for (std::string const target : {"", "T", "//T", "/a b", "/T#x", "/T#", "/\xC3\xA9", "http://other/T", "/T?x=[1]"})
        EXPECT_TRUE(
            failed(call(*t, http_message("PUT", target)), transport_errc::invalid_request, outcome::not_applied))
            << target;
    auto r = http_message("PUT");
    r.headers.emplace_back("x-ms-version", "1\r\nx-evil: 1");
    EXPECT_TRUE(failed(call(*t, r), transport_errc::invalid_request, outcome::not_applied));
    if (!is("cpprest")) {
        for (auto const* own : {"host", "Content-Length", "TRANSFER-ENCODING"}) {
            r.headers.back() = {own, "7"};
            EXPECT_TRUE(failed(call(*t, r), transport_errc::invalid_request, outcome::not_applied)) << own;
        }
    }
    EXPECT_EQ(server.accepted(), 0u);
    EXPECT_TRUE(answered(call(*t, http_message("GET")), 200));
}

TEST_P(every_transport, carries_large_bodies_both_ways) {
    auto const t = connect();
    std::string body(5'000'000, 'x');
    for (std::size_t i = 0; i < body.size(); i += 7) body[i] = static_cast<char>('a' + i % 26);
    auto const result = call(*t, http_message("POST", "/echo", body));
    ASSERT_TRUE(answered(result, 200));
    EXPECT_TRUE(result.response.body == body);
}

TEST_P(every_transport, reaches_servers_by_name) {
    auto const t = connect_to({"http", "localhost", std::to_string(server.port())});
    for (int i = 0; i < 3; ++i) EXPECT_TRUE(answered(call(*t, http_message("GET")), 200));
    EXPECT_EQ(server.seen().back().header("host"), "localhost:" + std::to_string(server.port()));
}

TEST_P(every_transport, reaches_addresses_of_ipv6) {
    if (is("cpprest")) GTEST_SKIP() << "cpprestsdk cannot, and says so";
    closed_port const port;
    auto const t = connect_to({"http", "::1", std::to_string(port.number)});
    auto const result = call(*t, http_message("GET"), deadline_in(20s));
    EXPECT_TRUE(failed(result, transport_errc::cannot_connect, outcome::not_applied));
}

TEST_P(every_transport, understands_the_emulator) {
    if (!azurite::program()) GTEST_SKIP() << "Azurite is not installed: run scripts/setup";
    auto const t = connect_to(origin_of(azurite::shared().port()));
    for (int i = 0; i < 3; ++i) {
        auto const result = call(*t, http_message("GET", "/devstoreaccount1/Tables"));
        ASSERT_TRUE(answered(result, 403));  // it was not signed
        ASSERT_TRUE(result.response.header("x-ms-error-code"));
        EXPECT_EQ(*result.response.header("x-ms-error-code"), "AuthorizationFailure");
    }
}

// ---- lost connections -----------------------------------------------------------------------------------------------

TEST_P(every_call, whose_answer_is_lost_is_sent_once_and_in_doubt_if_it_writes) {
    auto const t = connect();
    for (std::size_t i = 1; i <= 5; ++i) {
        EXPECT_TRUE(failed(call(*t, request("/hang-up")), transport_errc::connection_lost, if_sent()));
        if (is_write()) {
            EXPECT_EQ(server.times_seen(request("/").method, "/hang-up"), i);
        }
        EXPECT_TRUE(answered(call(*t, request("/next")), is_write() ? 204 : 200));
        EXPECT_EQ(server.times_seen(request("/").method, "/next"), i);
    }
}

TEST_P(every_call, works_after_the_server_closed_idle_connections) {
    auto const t = connect();
    for (std::size_t i = 1; i <= 20; ++i) {
        server.close_connections();
        EXPECT_TRUE(answered(call(*t, request("/next")), is_write() ? 204 : 200));
        EXPECT_EQ(server.times_seen(request("/").method, "/next"), i);
    }
}

TEST_P(every_call, whose_answer_is_malformed_fails_with_what_was_wrong) {
    auto const t = connect();
    struct {
        char const* target;
        transport_errc code;
    } const cases[] = {
        {"/garbage", transport_errc::malformed_http},         {"/half-a-head", transport_errc::connection_lost},
        {"/half-a-body", transport_errc::response_cut_short}, {"/half-a-chunk", transport_errc::response_cut_short},
        {"/bad-chunk", transport_errc::malformed_http},       {"/switch", transport_errc::malformed_http},
    };
    for (auto const& [target, code] : cases) {
        EXPECT_TRUE(failed(call(*t, request(target)), code, if_sent())) << target;
        if (is_write()) {
            EXPECT_EQ(server.times_seen(request("/").method, target), 1u) << target;
        }
        EXPECT_TRUE(answered(call(*t, request("/next")), is_write() ? 204 : 200)) << target;
    }
}

TEST_P(every_call, whose_answer_is_too_large_fails) {
    http_server large{[](seen_request const& r) -> reply {
        if (r.target == "/with-length")  // what follows the first head is the body, later heads too
            return {.bytes = "HTTP/1.1 200 OK\r\nContent-Length: 67108864\r\n\r\n" + std::string(100'000, 'x'),
                    .repeat = 700};
        if (r.target == "/chunked")
            return {.bytes = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n40000\r\n" +
                             std::string(0x40000, 'x') + "\r\n",
                    .repeat = 1,
                    .stall = true};
        return reply::answer(200, std::string(100'000, 'x'));
    }};
    auto const t = GetParam().way.connect(origin_of(large.port()), {.largest_response = 100'000});
    if (GetParam().reused) {
        EXPECT_TRUE(answered(call(*t, request("/allowed")), 200));
    }
    for (auto const* target : {"/with-length", "/chunked"})
        EXPECT_TRUE(failed(call(*t, request(target)), transport_errc::response_too_large, if_sent())) << target;
    EXPECT_EQ(call(*t, request("/allowed")).response.body.size(), 100'000u);
}

// ---- time and stops -------------------------------------------------------------------------------------------------

TEST_P(every_call, ends_at_its_deadline_whatever_the_server_does) {
    auto const t = connect();
    for (auto const* target : {"/silence", "/trickle"}) {
        auto const begin = std::chrono::steady_clock::now();
        EXPECT_TRUE(failed(call(*t, request(target), deadline_in(200ms)), library_errc::deadline_exceeded, if_sent()))
            << target;
        EXPECT_LT(std::chrono::steady_clock::now() - begin, 20s);
        EXPECT_GE(std::chrono::steady_clock::now() - begin, 150ms);
        EXPECT_EQ(server.times_seen(request("/").method, target), 1u);
        EXPECT_TRUE(answered(call(*t, request("/next")), is_write() ? 204 : 200)) << target;
    }
}

TEST_P(every_call, ends_after_the_longest_time_without_a_deadline) {
    auto const t = connect({.longest_request = 600ms});
    EXPECT_TRUE(failed(call(*t, request("/silence")), transport_errc::timed_out, if_sent()));
    EXPECT_TRUE(answered(call(*t, request("/next")), is_write() ? 204 : 200));
}

TEST_P(every_call, ends_when_a_stop_is_requested) {
    auto const t = connect();
    std::stop_source stop;
    auto const r = request("/silence");
    call_options const o{.stop = stop.get_token()};
    http_answer a;
    t->send(r, o, a);
    while (server.times_seen(r.method, "/silence") == 0) std::this_thread::sleep_for(1ms);
    EXPECT_FALSE(a.is_there());
    stop.request_stop();
    EXPECT_TRUE(failed(a.wait(), library_errc::cancelled, if_sent()));
    EXPECT_TRUE(answered(call(*t, request("/next")), is_write() ? 204 : 200));
}

TEST_P(every_transport, never_says_that_a_write_whose_answer_came_was_not_applied) {
    auto const t = connect();
    auto const stop_when_it_was_seen = [&](std::string const& target) {
        auto const r = http_message("PUT", target, "{}");
        for (std::size_t i = 0; i < 60; ++i) {
            std::stop_source stop;
            call_options const o{.stop = stop.get_token()};
            http_answer a;
            t->send(r, o, a);
            while (server.times_seen("PUT", target) == i && !a.is_there()) std::this_thread::sleep_for(50us);
            stop.request_stop();
            auto const& failure = a.wait().failure;
            EXPECT_TRUE(!failure || failure->outcome() == outcome::in_doubt) << target << ", stopped for time " << i;
        }
    };
    std::vector<std::jthread> callers;
    for (int i = 0; i < 16; ++i) callers.emplace_back(stop_when_it_was_seen, "/T" + std::to_string(i));
}

TEST_P(every_transport, sends_nothing_after_the_deadline_or_a_stop) {
    auto const t = connect();
    EXPECT_TRUE(
        failed(call(*t, http_message("PUT"), deadline_in(0ms)), library_errc::deadline_exceeded, outcome::not_applied));
    std::stop_source stop;
    stop.request_stop();
    EXPECT_TRUE(failed(call(*t, http_message("PUT"), {.stop = stop.get_token()}), library_errc::cancelled,
                       outcome::not_applied));
    EXPECT_EQ(server.accepted(), 0u);
}

TEST_P(every_transport, asks_the_clock_of_the_call_how_much_time_is_left) {
    struct late final : tablemap::clock {
        time_point now() noexcept override { return std::chrono::steady_clock::now() + 1h; }
        std::uint64_t random() noexcept override { return 4; }
        void sleep_until(time_point, std::stop_token const&) override {}
    } clock;
    auto const t = connect();
    EXPECT_TRUE(failed(call(*t, http_message("PUT"), {.deadline = within(30min), .clock = &clock}),
                       library_errc::deadline_exceeded, outcome::not_applied));
    EXPECT_TRUE(answered(call(*t, http_message("PUT"), {.deadline = within(2h), .clock = &clock}), 204));
}

TEST_P(every_transport, drops_what_waits_for_a_connection_at_its_deadline_or_stop) {
    auto const t = connect({.connections = 1});
    auto const blocking = http_message("PUT", "/silence");
    auto const waiting = http_message("PUT", "/waiting");
    auto const long_wait = deadline_in(1500ms);
    http_answer first, second, third;
    std::stop_source stop;
    call_options const stoppable{.stop = stop.get_token()};
    auto const short_wait = deadline_in(200ms);
    t->send(blocking, long_wait, first);
    while (server.times_seen("PUT", "/silence") == 0) std::this_thread::sleep_for(1ms);
    t->send(waiting, short_wait, second);
    t->send(waiting, stoppable, third);
    EXPECT_TRUE(failed(second.wait(), library_errc::deadline_exceeded, outcome::not_applied));
    stop.request_stop();
    EXPECT_TRUE(failed(third.wait(), library_errc::cancelled, outcome::not_applied));
    EXPECT_TRUE(failed(first.wait(), library_errc::deadline_exceeded, outcome::in_doubt));
    EXPECT_EQ(server.times_seen("PUT", "/waiting"), 0u);
    EXPECT_TRUE(answered(call(*t, http_message("PUT")), 204));
}

// ---- no server ------------------------------------------------------------------------------------------------------

TEST_P(every_transport, says_without_a_server_that_nothing_was_applied) {
    closed_port const port;
    auto const refused = connect_to(origin_of(port.number));
    auto const nameless = connect_to({.scheme = "http", .host = "no-such-host.invalid", .port = "80"});
    for (auto const& k : kinds) {
        auto const r = http_message(k.method, "/T", k.body ? "{}" : "");
        EXPECT_TRUE(failed(call(*refused, r), transport_errc::cannot_connect, outcome::not_applied)) << k.method;
        EXPECT_TRUE(failed(call(*nameless, r), transport_errc::name_not_found, outcome::not_applied)) << k.method;
    }
}

TEST_P(every_transport, is_not_in_doubt_when_the_connection_is_never_made) {
    deaf_listener const nobody;
    auto const t = connect_to(origin_of(nobody.number));
    auto const result =
        ended_soon(300ms, [&] { return call(*t, http_message("PUT", "/T", "{}"), deadline_in(300ms)); });
    EXPECT_TRUE(failed(result, library_errc::deadline_exceeded, outcome::not_applied));
}

TEST_P(every_transport, refuses_options_that_cannot_be_used) {
    if (is("cpprest")) {
        EXPECT_THROW(connect_to({"http", "::1", "80"}), error);
    }
    for (auto const* scheme : {"http", "https"})
        EXPECT_THROW(connect_to({scheme, "localhost", "443"}, {.ca_file = "/no/such/file"}), error);
}

TEST_P(every_transport, refuses_origins_that_are_none) {
    for (http_origin const& bad : std::vector<http_origin>{{"HTTPS", "localhost", "443"},
                                                           {"", "localhost", "443"},
                                                           {"https ", "localhost", "443"},
                                                           {"http", "", "80"},
                                                           {"http", "a b", "80"},
                                                           {"http", "a\r\nX: y", "80"},
                                                           {"http", "a/b", "80"},
                                                           {"http", "me@a", "80"},
                                                           {"http", "a:b", "80"},
                                                           {"http", std::string(254, 'a'), "80"},
                                                           {"http", "localhost", ""},
                                                           {"http", "localhost", "0"},
                                                           {"http", "localhost", "65536"},
                                                           {"http", "localhost", "80 "},
                                                           {"http", "localhost", "80\r\n"}})
        try {
            connect_to(bad);
            ADD_FAILURE() << bad.scheme << "://" << bad.host << ':' << bad.port << " was taken";
        } catch (error const& e) {
            EXPECT_EQ(e.code(), library_errc::invalid_connection_string);
        }
}

}  // namespace

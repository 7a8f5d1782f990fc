// SPDX-License-Identifier: Apache-2.0
#include "tablemap/rest/transport.hpp"

#include "support/azurite.hpp"
#include "support/http_call.hpp"
#include "support/http_server.hpp"
#include "support/ways_to_send.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <deque>
#include <filesystem>
#include <future>
#include <optional>
#include <ostream>
#include <set>
#include <thread>

namespace {

using namespace tablemap;
using namespace tablemap::test;
using namespace std::chrono_literals;
using ::testing::HasSubstr;
using ::testing::Not;

call_options deadline_in(std::chrono::milliseconds d) { return {.deadline = within(d)}; }

/// A port on which nobody listens: bound for as long as this lives.
class closed_port {
public:
    closed_port() : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        socklen_t size = sizeof address;
        auto* const any = reinterpret_cast<sockaddr*>(&address);
        EXPECT_EQ(::bind(socket_, any, size), 0);
        EXPECT_EQ(::getsockname(socket_, any, &size), 0);
        number = ntohs(address.sin_port);
    }
    ~closed_port() { ::close(socket_); }
    closed_port(closed_port const&) = delete;
    closed_port& operator=(closed_port const&) = delete;

    std::uint16_t number = 0;

private:
    int socket_;
};

/// What a method that the service knows looks like: with a body or without.
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
                    .between_bytes = 5ms};
        if (t == "/slow") {
            auto slow = reply::answer(200);
            slow.between_bytes = 2ms;
            return slow;
        }
        if (t == "/echo") return reply::answer(200, r.body, "ETag: \"1\"\r\nx-ms-request-id: abc\r\n");
        return reply::answer(r.method == "GET" ? 200 : 204, r.method == "GET" ? "here" : "");
    }

    http_server server{by_target};
};

/// A transport that speaks with such a server.
class every_transport : public scripted_server, public ::testing::TestWithParam<way_to_send> {
protected:
    std::shared_ptr<transport> connect(transport_options const& o = {}) const {
        return connect_to(origin_of(server.port()), o);
    }
    std::shared_ptr<transport> connect_to(http_origin const& origin, transport_options const& o = {}) const {
        return GetParam().connect(origin, o);
    }
    bool is(std::string_view transport) const { return GetParam().transport == transport; }
};

/// The same, by `transport::send` alone.
class every_asynchronous_transport : public every_transport {};

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
INSTANTIATE_TEST_SUITE_P(, every_asynchronous_transport, ::testing::ValuesIn(asynchronous_ways_to_send()),
                         [](auto const& instance) { return instance.param.name(); });

// ---- what is sent, what comes back ----------------------------------------------------------------------------------

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

TEST_P(every_transport, takes_answers_that_come_in_chunks) {
    http_server other{[](auto const&) {
        return reply{
            .bytes =
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n7;x=y\r\n, world\r\n0\r\n\r\n"};
    }};
    auto const t = connect_to(origin_of(other.port()));
    for (int i = 0; i < 3; ++i) EXPECT_EQ(call(*t, http_message("GET")).response.body, "hello, world");
    EXPECT_EQ(other.accepted(), 1u);
}

TEST_P(every_transport, takes_answers_that_end_with_their_connection) {
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

TEST_P(every_transport, takes_heads_without_a_body) {
    http_server other{[](auto const&) { return reply{.bytes = "HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n"}; }};
    auto const t = connect_to(origin_of(other.port()));
    for (int i = 0; i < 3; ++i) {
        auto const result = call(*t, http_message("HEAD"));
        ASSERT_TRUE(answered(result, 200));
        EXPECT_EQ(result.response.body, "");
    }
}

TEST_P(every_transport, passes_over_interim_answers) {
    if (is("cpprest")) GTEST_SKIP() << "cpprestsdk takes them for the answer, which is then refused";
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

TEST_P(every_transport, does_not_use_a_connection_again_on_which_too_much_was_said) {
    http_server other{[](auto const&) {
        return reply{.bytes = reply::answer(200, "first").bytes + reply::answer(200, "stray").bytes};
    }};
    auto const t = connect_to(origin_of(other.port()));
    for (int i = 0; i < 5; ++i) EXPECT_EQ(call(*t, http_message("PUT", "/T", "{}")).response.body, "first");
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

TEST_P(every_transport, keeps_status_headers_and_body_of_a_refusal) {
    http_server other{[](auto const&) {
        return reply::answer(409, "{\"odata.error\":{}}", "x-ms-error-code: EntityAlreadyExists\r\n");
    }};
    auto const t = connect_to(origin_of(other.port()));
    auto const result = call(*t, http_message("POST", "/T", "{}"));
    ASSERT_TRUE(answered(result, 409));
    EXPECT_EQ(*result.response.header("X-Ms-Error-Code"), "EntityAlreadyExists");
    EXPECT_EQ(result.response.body, "{\"odata.error\":{}}");
}

TEST_P(every_transport, follows_no_redirection) {
    http_server other{[](auto const&) { return reply::answer(303, "", "Location: /elsewhere\r\n"); }};
    auto const t = connect_to(origin_of(other.port()));
    EXPECT_TRUE(answered(call(*t, http_message("POST", "/T", "{}")), 303));
    EXPECT_EQ(other.seen().size(), 1u);
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
        {"/garbage", transport_errc::malformed_http},       {"/half-a-head", transport_errc::connection_lost},
        {"/half-a-body", transport_errc::answer_cut_short}, {"/half-a-chunk", transport_errc::answer_cut_short},
        {"/bad-chunk", transport_errc::malformed_http},     {"/switch", transport_errc::malformed_http},
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
        auto const length = std::to_string(64u * 1024 * 1024);
        if (r.target == "/with-length")
            return {.bytes = "HTTP/1.1 200 OK\r\nContent-Length: " + length + "\r\n\r\n" + std::string(64 << 20, 'x')};
        if (r.target == "/chunked")
            return {.bytes = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n40000\r\n" +
                             std::string(0x40000, 'x') + "\r\n",
                    .repeat = 1,
                    .stall = true};
        return reply::answer(200, std::string(100'000, 'x'));
    }};
    auto const t = GetParam().way.connect(origin_of(large.port()), {.largest_answer = 100'000});
    if (GetParam().reused) {
        EXPECT_TRUE(answered(call(*t, request("/allowed")), 200));
    }
    for (auto const* target : {"/with-length", "/chunked"})
        EXPECT_TRUE(failed(call(*t, request(target)), transport_errc::answer_too_large, if_sent())) << target;
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
    auto const t = connect({.longest_request = 200ms});
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
    // A listener whose queue is full leaves further attempts to connect unanswered.
    int const listener = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    auto* const any = reinterpret_cast<sockaddr*>(&address);
    ASSERT_EQ(::bind(listener, any, size), 0);
    ASSERT_EQ(::listen(listener, 0), 0);
    ASSERT_EQ(::getsockname(listener, any, &size), 0);
    std::vector<int> fill;
    for (int i = 0; i < 8; ++i) {
        fill.push_back(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
        (void)::connect(fill.back(), any, size);
    }
    auto const t = connect_to(origin_of(ntohs(address.sin_port)));
    EXPECT_TRUE(failed(call(*t, http_message("PUT", "/T", "{}"), deadline_in(300ms)), library_errc::deadline_exceeded,
                       outcome::not_applied));
    for (int const s : fill) ::close(s);
    ::close(listener);
}

TEST_P(every_transport, refuses_options_that_cannot_be_used) {
    if (is("cpprest")) {
        EXPECT_THROW(connect_to({"http", "::1", "80"}), error);
        EXPECT_THROW(connect_to({"http", "a b", "80"}), error);
    }
    EXPECT_THROW(connect_to({"https", "localhost", "443"}, {.ca_file = "/no/such/file"}), error);
}

// ---- many at once, and the end --------------------------------------------------------------------------------------

TEST_P(every_asynchronous_transport, takes_ten_thousand_requests_from_one_thread) {
    auto const t = connect();
    constexpr std::size_t n = 10'000;
    std::deque<http_request> requests;
    std::deque<http_answer> answers(n);
    call_options const o = deadline_in(100s);
    for (std::size_t i = 0; i < n; ++i) requests.push_back(http_message("PUT", "/" + std::to_string(i), "{}"));
    for (std::size_t i = 0; i < n; ++i) t->send(requests[i], o, answers[i]);
    for (auto& a : answers) ASSERT_TRUE(answered(a.wait(), 204));

    std::set<std::string> targets;
    for (auto const& r : server.seen()) EXPECT_TRUE(targets.insert(r.target).second) << "seen twice: " << r.target;
    EXPECT_EQ(targets.size(), n);
    EXPECT_LE(server.accepted(), 32u);
    EXPECT_LE(server.most_open(), 32u);
}

TEST_P(every_transport, may_be_used_by_many_threads_while_connections_break) {
    auto const t = connect({.connections = 8});
    std::atomic<int> lost{0}, done{0};
    std::vector<std::thread> threads;
    for (int k = 0; k < 8; ++k)
        threads.emplace_back([&, k] {
            for (int i = 0; i < 250; ++i) {
                auto const target =
                    i % 10 == 3 ? std::string{"/hang-up"} : "/" + std::to_string(k) + "-" + std::to_string(i);
                auto const result = call(*t, http_message("POST", target, "{}"));
                if (target == "/hang-up") {
                    EXPECT_TRUE(failed(result, transport_errc::connection_lost, outcome::in_doubt));
                    ++lost;
                } else {
                    EXPECT_TRUE(answered(result, 204));
                    ++done;
                }
            }
        });
    for (auto& thread : threads) thread.join();
    EXPECT_EQ(lost, 8 * 25);
    EXPECT_EQ(server.seen().size(), static_cast<std::size_t>(lost + done));
    EXPECT_LE(server.most_open(), 8u + 8u);  // closing and opening overlap at the server
}

TEST_P(every_transport, uses_one_connection_for_one_request_after_another) {
    auto const t = connect();
    for (int i = 0; i < 200; ++i) ASSERT_TRUE(answered(call(*t, http_message("PUT", "/T", "{}")), 204));
    EXPECT_EQ(server.accepted(), 1u);
}

TEST_P(every_asynchronous_transport, completes_outstanding_requests_at_its_end) {
    auto t = connect({.connections = 4});
    std::deque<http_answer> answers(20);
    auto const write = http_message("PUT", "/silence");
    auto const read = http_message("GET", "/silence");
    call_options const o;
    for (std::size_t i = 0; i < answers.size(); ++i) t->send(i % 2 ? write : read, o, answers[i]);
    while (server.seen().size() < 4) std::this_thread::sleep_for(1ms);
    t.reset();
    for (std::size_t i = 0; i < answers.size(); ++i) {
        ASSERT_TRUE(answers[i].is_there());
        bool const in_doubt = i < 4 && i % 2;
        EXPECT_TRUE(
            failed(answers[i].wait(), library_errc::cancelled, in_doubt ? outcome::in_doubt : outcome::not_applied))
            << i;
    }
}

TEST_P(every_asynchronous_transport, may_end_within_a_receiver) {
    struct last final : http_receiver {
        std::shared_ptr<transport> t;
        std::promise<int> status;
        void complete(http_result&& r) noexcept override {
            t.reset();
            status.set_value(r.response.status);
        }
    } receiver;
    receiver.t = connect();
    auto const r = http_message("GET");
    call_options const o;
    auto status = receiver.status.get_future();
    receiver.t->send(r, o, receiver);
    ASSERT_EQ(status.wait_for(20s), std::future_status::ready);
    EXPECT_EQ(status.get(), 200);
}

TEST_P(every_asynchronous_transport, may_be_asked_again_within_a_receiver) {
    struct chain final : http_receiver {
        transport* t = nullptr;
        http_request r = http_message("GET");
        call_options o{};
        int left = 500;
        std::promise<void> done;
        void complete(http_result&& result) noexcept override {
            EXPECT_TRUE(answered(result, 200));
            --left == 0 ? done.set_value() : t->send(r, o, *this);
        }
    } chain;
    auto const t = connect();
    chain.t = t.get();
    auto done = chain.done.get_future();
    t->send(chain.r, chain.o, chain);
    ASSERT_EQ(done.wait_for(60s), std::future_status::ready);
    EXPECT_EQ(server.accepted(), 1u);
}

TEST_P(every_asynchronous_transport, starts_no_thread_before_it_is_used) {
    // In a process of its own that begins anew: other tests have used the pool.
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    auto const threads = [] {
        auto n = 0;
        for ([[maybe_unused]] auto const& task : std::filesystem::directory_iterator{"/proc/self/task"}) ++n;
        return n;
    };
    EXPECT_EXIT(
        {
            auto const before = threads();
            auto const t = connect_to(origin_of(1));
            auto const made = threads();
            call(*t, http_message("GET"));
            auto const used = threads();
            // One more may look up names.
            bool const few = is("cpprest") ? used >= before + 2 && used <= before + 5 : used == before + 1;
            std::exit(made == before && few ? 0 : 1);
        },
        ::testing::ExitedWithCode(0), "");
}

}  // namespace

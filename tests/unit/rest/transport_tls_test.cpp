// SPDX-License-Identifier: Apache-2.0
#include "tablemap/rest/transport.hpp"

#include "support/child_process.hpp"
#include "support/http_call.hpp"
#include "support/http_server.hpp"
#include "support/socket_server.hpp"
#include "support/temp_folder.hpp"
#include "support/ways_to_send.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace {

using namespace tablemap;
using namespace tablemap::test;
using namespace std::chrono_literals;

/// A server behind TLS, whose certificate names localhost and no address, and is signed by an authority of its own.
class transport_tls : public ::testing::TestWithParam<way_to_send> {
protected:
    void SetUp() override {
        openssl({"req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
                 "-subj", "/CN=authority", "-keyout", folder.file("ca-key.pem"), "-out", authority});
        request_certificate({"-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"});
        serve("2");
    }

    /// With a certificate that is valid for so many days.
    void serve(std::string const& days) {
        openssl({"x509", "-req", "-in", folder.file("request.pem"), "-copy_extensions", "copy", "-CA", authority,
                 "-CAkey", folder.file("ca-key.pem"), "-CAcreateserial", "-days", days, "-out", certificate});
        start_front();
    }

    void start_front(std::string const& newest_tls = "TLSv1_3") {
        front = std::make_unique<child_process>(
            std::vector<std::string>{"python3", TABLEMAP_TEST_SUPPORT_FOLDER "/tls_front.py", certificate, key,
                                     std::to_string(server.port()), newest_tls});
        port = port_of(*front);
    }

    /// Asks for a certificate with these names, on its key.
    void request_certificate(std::vector<std::string> const& names) {
        std::vector<std::string> command{"req",    "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1",
                                         "-nodes", "-keyout", key,  "-out",     folder.file("request.pem")};
        command.insert(command.end(), names.begin(), names.end());
        openssl(command);
    }

    static std::string port_of(child_process& listening) {
        auto const line = listening.wait_for_line("listening on ", 60s);
        EXPECT_NE(line, "") << listening.output();
        return line.substr(line.rfind(' ') + 1);
    }

    static void openssl(std::vector<std::string> arguments) {
        arguments.insert(arguments.begin(), "openssl");
        child_process{arguments}.wait_for_line("\1", 60s);  // until it ends
    }

    std::shared_ptr<transport> connect(std::string const& host, transport_options const& o = {}) const {
        return GetParam().connect({.scheme = "https", .host = host, .port = port}, o);
    }

    http_server server{[](seen_request const& r) {
        if (r.target == "/hang-up") return reply::hang_up();
        if (r.target == "/silence") return reply::silence();
        return reply::answer(200, r.body);
    }};
    temp_folder folder;
    std::string const authority = folder.file("ca.pem");
    std::string const key = folder.file("key.pem");
    std::string const certificate = folder.file("certificate.pem");
    std::unique_ptr<child_process> front;
    std::string port;
};

INSTANTIATE_TEST_SUITE_P(, transport_tls, ::testing::ValuesIn(ways_to_send()),
                         [](auto const& instance) { return instance.param.name(); });

TEST_P(transport_tls, refuses_a_certificate_that_nobody_vouches_for) {
    auto const t = connect("localhost");
    for (auto const* method : {"GET", "PUT", "DELETE"}) {
        auto const result = call(*t, http_message(method));
        EXPECT_TRUE(failed(result, transport_errc::tls_failed, outcome::not_applied)) << method;
        EXPECT_FALSE(result.failure && result.failure->retryable());
    }
    EXPECT_EQ(server.seen().size(), 0u);
}

TEST_P(transport_tls, refuses_a_certificate_of_another_host) {
    auto const t = connect("127.0.0.1", {.ca_file = authority});
    EXPECT_TRUE(failed(call(*t, http_message("PUT")), transport_errc::tls_failed, outcome::not_applied));
    EXPECT_EQ(server.seen().size(), 0u);
}

TEST_P(transport_tls, refuses_a_certificate_that_has_expired) {
    serve("-1");
    auto const t = connect("localhost", {.ca_file = authority});
    auto const result = call(*t, http_message("PUT"));
    ASSERT_TRUE(failed(result, transport_errc::tls_failed, outcome::not_applied));
    if (GetParam().transport == "beast") {
        EXPECT_THAT(result.failure->what(), ::testing::HasSubstr("expired"));
    }
    EXPECT_EQ(server.seen().size(), 0u);
}

TEST_P(transport_tls, refuses_a_certificate_that_is_signed_by_itself) {
    openssl({"req", "-x509", "-key", key, "-days", "2", "-subj", "/CN=localhost", "-addext",
             "subjectAltName=DNS:localhost", "-out", certificate});
    start_front();
    EXPECT_TRUE(
        failed(call(*connect("localhost"), http_message("PUT")), transport_errc::tls_failed, outcome::not_applied));
    EXPECT_TRUE(failed(call(*connect("localhost", {.ca_file = authority}), http_message("PUT")),
                       transport_errc::tls_failed, outcome::not_applied));
}

TEST_P(transport_tls, goes_through_a_proxy_from_end_to_end) {
    for (bool const welcome : {true, false}) {
        child_process proxy{{"python3", TABLEMAP_TEST_SUPPORT_FOLDER "/http_proxy.py", port, "me:secret"}};
        auto const url = "http://me:" + std::string{welcome ? "secret" : "guess"} + "@127.0.0.1:" + port_of(proxy);
        auto const t = connect("localhost", {.proxy = url, .ca_file = authority});
        for (int i = 0; i < 3; ++i) {
            auto const result = call(*t, http_message("PUT", "/T", "{}"));
            if (welcome) {
                EXPECT_TRUE(answered(result, 200));
            } else {
                ASSERT_TRUE(failed(result, transport_errc::cannot_connect, outcome::not_applied));
                EXPECT_THAT(result.failure->what(), ::testing::HasSubstr("407"));
            }
        }
        EXPECT_NE(proxy.wait_for_line("asked CONNECT localhost:" + port, 10s), "");
    }
    EXPECT_EQ(server.times_seen("PUT", "/T"), 3u);
    EXPECT_EQ(server.accepted(), GetParam().transport == "cpprest" ? 3u : 1u);  // cpprest connects for each
}

TEST_P(transport_tls, trusts_the_certificates_of_its_file_and_keeps_the_connection) {
    auto const t = connect("localhost", {.ca_file = authority});
    std::string const large(1'000'000, 'x');
    for (int i = 0; i < 20; ++i) {
        EXPECT_TRUE(answered(call(*t, http_message("PUT", "/T", "{}")), 200));
        EXPECT_TRUE(answered(call(*t, http_message("GET")), 200));
        EXPECT_EQ(call(*t, http_message("POST", "/T", large)).response.body.size(), large.size());
    }
    EXPECT_EQ(server.accepted(), 1u);
}

TEST_P(transport_tls, sends_a_write_once_when_its_answer_is_lost) {
    auto const t = connect("localhost", {.ca_file = authority});
    for (std::size_t i = 1; i <= 5; ++i)
        for (auto const* method : {"PUT", "DELETE"}) {
            std::string const body = method == std::string{"PUT"} ? "{}" : "";
            EXPECT_TRUE(answered(call(*t, http_message(method, "/T", body)), 200));
            EXPECT_TRUE(failed(call(*t, http_message(method, "/hang-up", body)), transport_errc::connection_lost,
                               outcome::in_doubt));
            EXPECT_EQ(server.times_seen(method, "/hang-up"), i);
        }
}

TEST_P(transport_tls, works_after_the_server_closed_idle_connections) {
    auto const t = connect("localhost", {.ca_file = authority});
    for (std::size_t i = 1; i <= 10; ++i) {
        EXPECT_TRUE(answered(call(*t, http_message("PUT", "/T", "{}")), 200));
        server.close_connections();
        std::this_thread::sleep_for(50ms);  // for the front to pass it on; too short a time is a write in doubt
    }
    EXPECT_EQ(server.times_seen("PUT", "/T"), 10u);
}

/// Sends its response for as long as it is heard.
TEST_P(transport_tls, bounds_what_a_server_sends) {
    for (std::string const head :
         {"HTTP/1.1 200 OK\r\nx-long: ", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n40000000\r\n"}) {
        std::atomic<std::size_t> sent = 0;
        socket_server const endless{[&](served_socket s) {
            s.read_to("\r\n\r\n");
            std::string const more(1 << 20, 'x');
            for (bool heard = s.send(head); heard; ++sent) heard = s.send(more);
        }};
        child_process before{{"python3", TABLEMAP_TEST_SUPPORT_FOLDER "/tls_front.py", certificate, key,
                              std::to_string(endless.port()), "TLSv1_3"}};
        port = port_of(before);
        auto const t = connect("localhost", {.largest_response = 32 << 20, .ca_file = authority});
        EXPECT_TRUE(failed(call(*t, http_message("PUT"), {.deadline = within(30s)}), transport_errc::response_too_large,
                           outcome::in_doubt));
        EXPECT_LT(sent, 100u) << "MiB";
    }
}

TEST_P(transport_tls, ends_at_its_deadline) {
    auto const t = connect("localhost", {.ca_file = authority});
    EXPECT_TRUE(answered(call(*t, http_message("PUT", "/T")), 200));
    EXPECT_TRUE(failed(call(*t, http_message("PUT", "/silence"), {.deadline = within(500ms)}),
                       library_errc::deadline_exceeded, outcome::in_doubt));
}

TEST_P(transport_tls, is_not_in_doubt_while_the_handshake_goes_on) {
    http_server mute{[](auto const&) { return reply::silence(); }};
    port = std::to_string(mute.port());
    auto const t = connect("localhost", {.ca_file = authority});
    auto const result = ended_soon(1s, [&] { return call(*t, http_message("PUT"), {.deadline = within(1s)}); });
    EXPECT_TRUE(failed(result, library_errc::deadline_exceeded, outcome::not_applied));
}

TEST_P(transport_tls, says_so_when_the_server_speaks_no_tls) {
    socket_server const plain{[](served_socket s) { s.send("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n"); }};
    port = std::to_string(plain.port());
    auto const result = call(*connect("localhost", {.ca_file = authority}), http_message("PUT"));
    EXPECT_TRUE(failed(result, transport_errc::tls_failed, outcome::not_applied));
}

TEST_P(transport_tls, is_1_2_or_newer) {
    start_front("TLSv1_2");
    EXPECT_TRUE(answered(call(*connect("localhost", {.ca_file = authority}), http_message("PUT")), 200));
    start_front("TLSv1_1");
    EXPECT_TRUE(failed(call(*connect("localhost", {.ca_file = authority}), http_message("PUT")),
                       transport_errc::tls_failed, outcome::not_applied));
}

TEST_P(transport_tls, takes_an_address_that_the_certificate_names) {
    request_certificate({"-subj", "/CN=nobody", "-addext", "subjectAltName=IP:127.0.0.1"});
    serve("2");
    EXPECT_TRUE(answered(call(*connect("127.0.0.1", {.ca_file = authority}), http_message("PUT")), 200));
    EXPECT_TRUE(failed(call(*connect("localhost", {.ca_file = authority}), http_message("PUT")),
                       transport_errc::tls_failed, outcome::not_applied));
}

TEST_P(transport_tls, takes_no_common_name_for_a_host) {
    for (std::vector<std::string> const& names :
         {std::vector<std::string>{"-subj", "/CN=localhost"},
          {"-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:other.example"},
          {"-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1"}}) {
        request_certificate(names);
        serve("2");
        EXPECT_TRUE(failed(call(*connect("localhost", {.ca_file = authority}), http_message("PUT")),
                           transport_errc::tls_failed, outcome::not_applied))
            << names.back();
    }
    EXPECT_EQ(server.seen().size(), 0u);
}

TEST_P(transport_tls, looks_at_the_certificate_behind_a_proxy_too) {
    child_process proxy{{"python3", TABLEMAP_TEST_SUPPORT_FOLDER "/http_proxy.py", port}};
    auto const url = "http://127.0.0.1:" + port_of(proxy);
    for (auto const* host : {"127.0.0.1", "tables.invalid"})
        EXPECT_TRUE(failed(call(*connect(host, {.proxy = url, .ca_file = authority}), http_message("PUT")),
                           transport_errc::tls_failed, outcome::not_applied))
            << host;
    serve("-1");
    child_process to_expired{{"python3", TABLEMAP_TEST_SUPPORT_FOLDER "/http_proxy.py", port}};
    auto const t = connect("localhost", {.proxy = "http://127.0.0.1:" + port_of(to_expired), .ca_file = authority});
    EXPECT_TRUE(failed(call(*t, http_message("PUT")), transport_errc::tls_failed, outcome::not_applied));
    EXPECT_EQ(server.seen().size(), 0u);
}

/// The result of a request through a proxy that answers this to CONNECT, before something that is no TLS.
http_result behind_proxy_that_says(way_to_send const& way, std::string const& answer) {
    socket_server const proxy{[&](served_socket s) {
        s.read_to("\r\n\r\n");
        s.send(answer);
        s.read_to({});  // a first byte
        s.send("HTTP/1.1 400 Bad Request\r\n\r\n");
    }};
    auto const url = "http://127.0.0.1:" + std::to_string(proxy.port());
    auto const t = way.connect({"https", "tables.invalid", "443"}, {.connect_timeout = 10s, .proxy = url});
    return call(*t, http_message("PUT"));
}

TEST_P(transport_tls, begins_behind_the_last_answer_of_a_proxy) {
    if (GetParam().transport == "cpprest") GTEST_SKIP() << "cpprestsdk takes interim answers for refusals";
    auto const result =
        behind_proxy_that_says(GetParam(), "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 Connected\r\n\r\n");
    EXPECT_TRUE(failed(result, transport_errc::tls_failed, outcome::not_applied));
}

TEST_P(transport_tls, does_not_begin_when_a_proxy_has_said_too_much) {
    if (GetParam().transport == "cpprest") GTEST_SKIP() << "cpprestsdk drops what is too much";
    auto const result = behind_proxy_that_says(GetParam(), "HTTP/1.1 200 Connected\r\n\r\nmore");
    ASSERT_TRUE(failed(result, transport_errc::cannot_connect, outcome::not_applied));
    EXPECT_THAT(result.failure->what(), ::testing::HasSubstr("more than its response"));
}

/// Destroyed after OpenSSL has cleaned up, which comes into use later than this.
std::shared_ptr<transport> left_to_the_end;

TEST_P(transport_tls, may_be_left_to_the_last_static_destructor) {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    EXPECT_EXIT(
        {
            left_to_the_end = connect("localhost", {.ca_file = authority});
            http_answer never;
            auto const silence = http_message("PUT", "/silence");
            call_options const o;
            bool const works = answered(call(*left_to_the_end, http_message("PUT")), 200);
            if (!GetParam().blocking) left_to_the_end->send(silence, o, never);
            std::filesystem::remove_all(folder.path());
            std::exit(works ? 0 : 1);
        },
        ::testing::ExitedWithCode(0), "");
}

}  // namespace

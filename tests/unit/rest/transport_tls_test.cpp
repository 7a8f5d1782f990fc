// SPDX-License-Identifier: Apache-2.0
#include "tablemap/rest/transport.hpp"

#include "support/child_process.hpp"
#include "support/http_call.hpp"
#include "support/http_server.hpp"
#include "support/temp_folder.hpp"
#include "support/ways_to_send.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <utility>

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
        openssl({"req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-subj", "/CN=localhost",
                 "-addext", "subjectAltName=DNS:localhost", "-keyout", key, "-out", folder.file("request.pem")});
        serve("2");
    }

    /// With a certificate that is valid for so many days.
    void serve(std::string const& days) {
        openssl({"x509", "-req", "-in", folder.file("request.pem"), "-copy_extensions", "copy", "-CA", authority,
                 "-CAkey", folder.file("ca-key.pem"), "-CAcreateserial", "-days", days, "-out", certificate});
        front = std::make_unique<child_process>(std::vector<std::string>{
            "python3", TABLEMAP_TEST_SUPPORT_FOLDER "/tls_front.py", certificate, key, std::to_string(server.port())});
        port = port_of(*front);
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
    front = std::make_unique<child_process>(std::vector<std::string>{
        "python3", TABLEMAP_TEST_SUPPORT_FOLDER "/tls_front.py", certificate, key, std::to_string(server.port())});
    port = port_of(*front);
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
    EXPECT_TRUE(failed(call(*t, http_message("PUT"), {.deadline = within(300ms)}), library_errc::deadline_exceeded,
                       outcome::not_applied));
}

TEST_P(transport_tls, says_so_when_the_server_speaks_no_tls) {
    http_server plain{[](auto const&) { return reply::answer(200); }};
    port = std::to_string(plain.port());
    auto const t = connect("localhost", {.ca_file = authority});
    server.close_connections();
    auto const result = call(*t, http_message("PUT"), {.deadline = within(1s)});
    ASSERT_TRUE(result.failure);
    EXPECT_EQ(result.failure->outcome(), outcome::not_applied);
}

}  // namespace

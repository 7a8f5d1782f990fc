// SPDX-License-Identifier: Apache-2.0
#include "tablemap/open.hpp"
#include "tablemap/rest/transport.hpp"

#include "support/child_process.hpp"
#include "support/dead_ports.hpp"
#include "support/http_call.hpp"
#include "support/http_server.hpp"
#include "support/ways_to_send.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace {

using namespace tablemap;
using namespace tablemap::test;
using namespace std::chrono_literals;
using ::testing::HasSubstr;
using ::testing::Not;

class transport_options_of : public ::testing::TestWithParam<way_to_send> {
protected:
    std::shared_ptr<transport> connect(transport_options const& o) const {
        return GetParam().connect(origin_of(server.port()), o);
    }

    http_server server{[](seen_request const& r) { return reply::answer(200, r.body); }};
};

INSTANTIATE_TEST_SUITE_P(, transport_options_of, ::testing::ValuesIn(ways_to_send()),
                         [](auto const& instance) { return instance.param.name(); });

// ---- time and connections -------------------------------------------------------------------------------------------

TEST_P(transport_options_of, connect_timeout_ends_what_never_gets_a_connection) {
    deaf_listener const nobody;
    auto const t = GetParam().connect(origin_of(nobody.number), {.connect_timeout = 200ms});
    for (auto const* method : {"GET", "PUT"}) {
        auto const result =
            ended_soon(200ms, [&] { return call(*t, http_message(method, "/T", "{}"), {.deadline = within(60s)}); });
        ASSERT_TRUE(failed(result, transport_errc::cannot_connect, outcome::not_applied));
        EXPECT_THAT(result.failure->what(), HasSubstr("connect_timeout"));
    }
}

TEST_P(transport_options_of, connect_timeout_does_not_bound_the_answer) {
    http_server slow{[](auto const&) {
        std::this_thread::sleep_for(500ms);
        return reply::answer(200);
    }};
    auto const t = GetParam().connect(origin_of(slow.port()), {.connect_timeout = 100ms});
    EXPECT_TRUE(answered(call(*t, http_message("PUT", "/T", "{}")), 200));
}

TEST_P(transport_options_of, idle_limit_ends_the_use_of_a_connection) {
    auto const t = connect({.idle_limit = 100ms});
    for (int i = 0; i < 3; ++i) EXPECT_TRUE(answered(call(*t, http_message("GET")), 200));
    std::this_thread::sleep_for(300ms);
    EXPECT_TRUE(answered(call(*t, http_message("GET")), 200));
    EXPECT_GE(server.accepted(), 2u);
}

TEST_P(transport_options_of, without_bounds_do_not_overflow) {
    constexpr auto ever = std::chrono::milliseconds::max();
    auto const t = connect({.longest_request = ever, .connect_timeout = ever, .idle_limit = ever});
    for (int i = 0; i < 3; ++i) EXPECT_TRUE(answered(call(*t, http_message("GET")), 200));
    EXPECT_EQ(server.accepted(), 1u);
    EXPECT_TRUE(answered(call(*t, http_message("GET"), {.deadline = time_point::max()}), 200));
}

// ---- a proxy --------------------------------------------------------------------------------------------------------

class transport_proxy : public transport_options_of {
protected:
    /// Starts the proxy, and returns its address without the scheme.
    std::string start(std::string const& credentials = {}) {
        std::vector<std::string> command{"python3", TABLEMAP_TEST_SUPPORT_FOLDER "/http_proxy.py",
                                         std::to_string(server.port())};
        if (!credentials.empty()) command.push_back(credentials);
        proxy = std::make_unique<child_process>(command);
        auto const line = proxy->wait_for_line("listening on ", 60s);
        return "127.0.0.1:" + line.substr(line.rfind(' ') + 1);
    }

    /// To a host whose name only the proxy has to know.
    std::shared_ptr<transport> connect_by(std::string const& url) const {
        return GetParam().connect({"http", "tables.invalid", "8080"}, {.proxy = url});
    }

    std::unique_ptr<child_process> proxy;
};

INSTANTIATE_TEST_SUITE_P(, transport_proxy, ::testing::ValuesIn(ways_to_send()),
                         [](auto const& instance) { return instance.param.name(); });

TEST_P(transport_proxy, passes_requests_on) {
    auto const t = connect_by("http://" + start());
    for (int i = 0; i < 3; ++i) {
        auto const result = call(*t, http_message("PUT", "/T(a='%2F')?x=y", "{}"));
        ASSERT_TRUE(answered(result, 200));
        EXPECT_EQ(result.response.body, "{}");
    }
    EXPECT_EQ(server.times_seen("PUT", "/T(a='%2F')?x=y"), 3u);
    EXPECT_EQ(server.seen().back().header("host"), "tables.invalid:8080");
    EXPECT_NE(proxy->wait_for_line("asked PUT http://tables.invalid:8080/T", 10s), "");
}

TEST_P(transport_proxy, is_told_the_credentials) {
    auto const t = connect_by("http://me:my%20p%40ss@" + start("me:my p@ss"));
    EXPECT_TRUE(answered(call(*t, http_message("GET")), 200));
    EXPECT_TRUE(answered(call(*t, http_message("PUT", "/T", "{}")), 200));
}

TEST_P(transport_proxy, that_refuses_the_credentials_is_named_and_they_are_not) {
    auto const t = connect_by("http://me:my-secret@" + start("me:another"));
    for (auto const* method : {"GET", "PUT"}) {
        auto const result = call(*t, http_message(method, "/T", "{}"));
        ASSERT_TRUE(failed(result, transport_errc::cannot_connect, outcome::not_applied));
        EXPECT_THAT(result.failure->what(), HasSubstr("407"));
        EXPECT_THAT(result.failure->what(), Not(HasSubstr("my-secret")));
    }
    EXPECT_EQ(server.seen().size(), 0u);
}

TEST_P(transport_proxy, that_is_not_there_leaves_nothing_in_doubt) {
    for (auto const* scheme : {"http", "https"}) {
        auto const t = GetParam().connect({scheme, "tables.invalid", "8080"}, {.proxy = "http://127.0.0.1:1"});
        auto const result = call(*t, http_message("PUT", "/T", "{}"));
        ASSERT_TRUE(failed(result, transport_errc::cannot_connect, outcome::not_applied)) << scheme;
        EXPECT_THAT(result.failure->what(), HasSubstr("the proxy: "));
    }
}

TEST_P(transport_proxy, whose_name_nobody_knows_is_blamed_for_it) {
    for (auto const* scheme : {"http", "https"}) {
        auto const t = GetParam().connect({scheme, "tables.invalid", "8080"}, {.proxy = "http://proxy.invalid:3128"});
        auto const result = call(*t, http_message("PUT", "/T", "{}"));
        ASSERT_TRUE(failed(result, transport_errc::name_not_found, outcome::not_applied)) << scheme;
        EXPECT_THAT(result.failure->what(), HasSubstr("transport_options::proxy"));
    }
}

TEST_P(transport_proxy, that_has_an_ipv6_address_is_used_or_refused_at_once) {
    try {
        auto const t = connect_by("http://[::1]:1");
        EXPECT_TRUE(failed(call(*t, http_message("GET")), transport_errc::cannot_connect, outcome::not_applied));
    } catch (error const& e) {
        EXPECT_EQ(e.code(), library_errc::unsupported);
        EXPECT_THAT(e.what(), HasSubstr("proxy"));
    }
}

TEST_P(transport_proxy, whose_url_is_none_is_refused_without_repeating_it) {
    for (std::string const url :
         {"my-secret", "https://my-secret:1", "http://my-secret", "http://h:0", "http://h:99999",
          "http://:my-secret@h:1", "http://my-secret@h:1", "http://my-secret:%zz@h:1", "http://my-secret:%4@h:1",
          "http://my-secret@:80", "http://h:80/my-secret", "http://a b:80", "http://h:8x"}) {
        try {
            connect_by(url);
            ADD_FAILURE() << url << " was taken";
        } catch (error const& e) {
            EXPECT_EQ(e.code(), library_errc::invalid_connection_string) << url;
            EXPECT_THAT(e.what(), Not(HasSubstr("my-secret")));
        }
    }
}

// ---- values ---------------------------------------------------------------------------------------------------------

TEST_P(transport_options_of, that_nobody_can_keep_are_refused_by_name) {
    std::vector<std::pair<std::string, transport_options>> const wrong{
        {"connections", {.connections = 0}},           {"largest_response", {.largest_response = 0}},
        {"longest_request", {.longest_request = 0ms}}, {"longest_request", {.longest_request = -1ms}},
        {"connect_timeout", {.connect_timeout = 0ms}}, {"idle_limit", {.idle_limit = -1ms}}};
    for (auto const& [member, options] : wrong) {
        try {
            connect(options);
            ADD_FAILURE() << member << " was taken";
        } catch (error const& e) {
            EXPECT_EQ(e.code(), library_errc::value_out_of_range);
            EXPECT_EQ(e.member(), member);
        }
    }
    EXPECT_TRUE(answered(call(*connect({.connections = 1, .idle_limit = 0ms}), http_message("GET")), 200));
}

// ---- names ----------------------------------------------------------------------------------------------------------

TEST(transport_names, lead_to_transports_and_an_unknown_one_to_their_list) {
    ASSERT_FALSE(transport_names().empty());
    for (auto const name : transport_names())
        EXPECT_TRUE(make_transport(origin_of(1), {.name = std::string{name}})) << name;
    EXPECT_TRUE(make_transport(origin_of(1)));
    std::string capitals{transport_names().front()};
    for (char& c : capitals) c = static_cast<char>(c - 'a' + 'A');
    EXPECT_TRUE(try_open("UseDevelopmentStorage=true;transport=" + capitals));
    try {
        make_transport(origin_of(1), {.name = "carrier-pigeon"});
        ADD_FAILURE() << "taken";
    } catch (error const& e) {
        EXPECT_EQ(e.code(), library_errc::invalid_connection_string);
        for (auto const name : transport_names()) EXPECT_THAT(e.what(), HasSubstr(std::string{name}));
    }
}

TEST(transport_names, may_stand_in_a_connection_string_where_an_option_goes_before_them) {
    for (auto const name : transport_names())
        EXPECT_TRUE(try_open("UseDevelopmentStorage=true;transport=" + std::string{name}));
    for (auto const* name : {"pigeon", "my-secret key=="}) {
        auto const unknown = try_open(std::string{"UseDevelopmentStorage=true;transport="} + name);
        ASSERT_FALSE(unknown);
        EXPECT_EQ(unknown.error().code(), library_errc::invalid_connection_string);
        EXPECT_THAT(unknown.error().what(), Not(HasSubstr("my-secret")));
    }
    std::string const known{transport_names().front()};
    EXPECT_TRUE(try_open("UseDevelopmentStorage=true;transport=pigeon", {.transport = {.name = known}}));
    EXPECT_FALSE(try_open("UseDevelopmentStorage=true;transport=" + known, {.transport = {.name = "pigeon"}}));
}

}  // namespace

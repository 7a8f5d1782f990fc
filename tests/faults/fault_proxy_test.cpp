// SPDX-License-Identifier: Apache-2.0
#include "support/fault_proxy.hpp"
#include "support/http_call.hpp"
#include "support/http_server.hpp"

#include "tablemap/rest/transport.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>
#include <utility>

namespace tablemap::test {
namespace {

using testing::fault;

/// A transport whose requests reach a server through the proxy.
class proxy : public ::testing::Test {
protected:
    /// A request that changes something and meets this fault.
    http_result post(fault f, call_options const& o = {}, std::string body = "{\"a\":1}") {
        proxy_.fail_next(f);
        return call(*transport_, http_message("POST", "/T", std::move(body)), o);
    }

    std::size_t passed_on() const { return server_.seen().size(); }

    /// A deadline may end a call before the proxy has passed its request on.
    bool is_passed_on_soon() const {
        auto const end = std::chrono::steady_clock::now() + std::chrono::seconds{10};
        while (passed_on() == 0 && std::chrono::steady_clock::now() < end)
            std::this_thread::sleep_for(std::chrono::milliseconds{5});
        return passed_on() == 1;
    }
    fault_proxy& the_proxy() { return proxy_; }
    tablemap::transport& transport() { return *transport_; }

private:
    http_server server_{[](seen_request const& r) -> reply {
        if (r.method == "HEAD") return {.bytes = "HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n"};
        return reply::answer(200, "{\"seen\":" + r.body + "}");
    }};
    fault_proxy proxy_{server_.port()};
    std::shared_ptr<tablemap::transport> transport_ = make_transport(origin_of(proxy_.port()));
};

TEST_F(proxy, passes_requests_and_answers_on_as_they_are) {
    auto const r = call(transport(), http_message("POST", "/T", "17"));
    ASSERT_TRUE(answered(r, 200));
    EXPECT_EQ(r.response.body, "{\"seen\":17}");
    EXPECT_TRUE(answered(call(transport(), http_message("GET")), 200));
    EXPECT_EQ(the_proxy().methods(), (std::vector<std::string>{"POST", "GET"}));
}

TEST_F(proxy, waits_for_no_body_behind_the_response_to_head) {
    EXPECT_TRUE(answered(call(transport(), http_message("HEAD"), {.deadline = within(std::chrono::seconds{10})}), 200));
}

TEST_F(proxy, lets_the_requests_before_the_fault_pass) {
    the_proxy().fail_next(fault::busy, 1);
    EXPECT_TRUE(answered(call(transport(), http_message("GET")), 200));
    EXPECT_TRUE(answered(call(transport(), http_message("GET")), 503));
    EXPECT_TRUE(answered(call(transport(), http_message("GET")), 200));
    EXPECT_EQ(the_proxy().faults(), 1u);
}

TEST_F(proxy, answers_for_a_busy_server) {
    auto const r = post(fault::busy);
    ASSERT_TRUE(answered(r, 503));
    EXPECT_EQ(*r.response.header("Retry-After"), "1");
    EXPECT_EQ(passed_on(), 0u);
}

TEST_F(proxy, loses_requests_before_the_server_and_answers_behind_it) {
    EXPECT_TRUE(failed(post(fault::lost_before), transport_errc::connection_lost, outcome::in_doubt));
    EXPECT_EQ(passed_on(), 0u);
    EXPECT_TRUE(failed(post(fault::lost_after), transport_errc::connection_lost, outcome::in_doubt));
    EXPECT_EQ(passed_on(), 1u);
}

TEST_F(proxy, is_silent_past_the_deadline) {
    auto const late = [&](fault f) { return post(f, {.deadline = within(std::chrono::milliseconds{200})}); };
    EXPECT_TRUE(failed(late(fault::late_before), library_errc::deadline_exceeded, outcome::in_doubt));
    EXPECT_EQ(passed_on(), 0u);
    EXPECT_TRUE(failed(late(fault::late_after), library_errc::deadline_exceeded, outcome::in_doubt));
    EXPECT_TRUE(is_passed_on_soon());
}

TEST_F(proxy, cuts_answers_off_in_their_body) {
    EXPECT_TRUE(failed(post(fault::truncated), transport_errc::response_cut_short, outcome::in_doubt));
    EXPECT_EQ(passed_on(), 1u);
}

TEST_F(proxy, resets_connections_within_a_body) {
    auto const r = post(fault::reset, {}, std::string(4'000'000, 'x'));
    EXPECT_TRUE(failed(r, transport_errc::connection_lost, outcome::in_doubt));
    EXPECT_EQ(passed_on(), 0u);
}

}  // namespace
}  // namespace tablemap::test

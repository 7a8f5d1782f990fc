// SPDX-License-Identifier: Apache-2.0
#include "support/http_call.hpp"

#include <cstdlib>
#include <utility>

namespace tablemap::test {

void http_answer::complete(http_result&& r) noexcept {
    std::lock_guard const lock{mutex_};
    EXPECT_FALSE(result_) << "completed twice";
    result_ = std::move(r);
    there_.notify_all();
}

bool http_answer::is_there() {
    std::lock_guard const lock{mutex_};
    return result_.has_value();
}

http_result const& http_answer::wait() {
    std::unique_lock lock{mutex_};
    if (!there_.wait_for(lock, std::chrono::minutes{1}, [&] { return result_.has_value(); })) {
        ADD_FAILURE() << "no result within a minute";
        std::abort();  // the transport would write to what is gone
    }
    return *result_;
}

http_origin origin_of(std::uint16_t port) {
    return {.scheme = "http", .host = "127.0.0.1", .port = std::to_string(port)};
}

http_request http_message(std::string method, std::string target, std::string body) {
    http_request r{.method = std::move(method), .target = std::move(target), .body = std::move(body)};
    r.headers.emplace_back("x-ms-date", "Fri, 20 Nov 2026 00:00:00 GMT");
    if (!r.body.empty()) r.headers.emplace_back("Content-Type", "application/json");
    return r;
}

http_result call(transport& t, http_request const& r, call_options const& o) {
    http_answer a;
    t.send(r, o, a);
    return a.wait();
}

http_result ended_soon(std::chrono::milliseconds after, std::function<http_result()> const& attempt) {
    constexpr std::chrono::milliseconds grace{250};  // that of cpprest_exchange.cpp
    http_result r;
    bool given_up = true;
    for (int i = 0; i < 5 && given_up; ++i) {
        auto const begin = std::chrono::steady_clock::now();
        r = attempt();
        given_up = r.failure && r.failure->outcome() == outcome::in_doubt &&
                   std::chrono::steady_clock::now() - begin >= after + grace;
    }
    return r;
}

::testing::AssertionResult answered(http_result const& r, int status) {
    if (r.failure) return ::testing::AssertionFailure() << "failed: " << r.failure->what();
    if (r.response.status != status) return ::testing::AssertionFailure() << "status " << r.response.status;
    return ::testing::AssertionSuccess();
}

::testing::AssertionResult failed(http_result const& r, std::error_code code, outcome o) {
    if (!r.failure) return ::testing::AssertionFailure() << "answered with status " << r.response.status;
    if (r.failure->code() != code || r.failure->outcome() != o)
        return ::testing::AssertionFailure() << "failed otherwise: " << r.failure->what();
    return ::testing::AssertionSuccess();
}

}  // namespace tablemap::test

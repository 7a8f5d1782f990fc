// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "store/ask.hpp"
#include "tablemap/detail/store/task_run.hpp"
#include "tablemap/testing/fixed_clock.hpp"
#include "tablemap/testing/scripted_store.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tablemap::test {

/// A script, the store that plays it, and a clock that records waits.
class script_test : public ::testing::Test {
protected:
    /// Runs a call against a script under a policy, and checks that the script was followed to its end.
    template <class Call>
    auto play(Call&& call, std::vector<tablemap::testing::exchange> script, retry_policy policy = {}) {
        options.clock = &clock;
        options.retry = policy;
        tablemap::testing::scripted_store s{std::move(script)};
        auto r = detail::run(s, call, options);
        EXPECT_THAT(s.complaints(), ::testing::IsEmpty());
        return r;
    }

    tablemap::testing::fixed_clock clock;
    call_options options;
};

/// Retry without jitter, so that waits are exact.
inline retry_policy exact_retry(int attempts) {
    return {.attempts = attempts,
            .first_wait = std::chrono::milliseconds{100},
            .longest_wait = std::chrono::milliseconds{300},
            .jitter = 0};
}

/// A call of one request whose value is the whole response.
class one_request : public detail::plain_call<response> {
public:
    explicit one_request(request r) : plain_call(respond(std::move(r))) {}

private:
    static detail::task<result<response>> respond(request r) {
        auto answer = co_await detail::ask(r);
        if (answer.failure) co_return failure{*answer.failure};
        co_return answer;
    }
};

/// A call that sends several requests together.
class many_requests : public detail::plain_call<std::vector<response>> {
public:
    explicit many_requests(std::vector<request> rs) : plain_call(respond(std::move(rs))) {}

private:
    static detail::task<result<std::vector<response>>> respond(std::vector<request> rs) {
        auto answers = co_await detail::ask_all(rs);
        co_return answers;
    }
};

}  // namespace tablemap::test

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/store/run.hpp"
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
    /// Runs an operation against a script under a policy, and checks that the script was followed to its end.
    template <class Op> auto play(Op&& op, std::vector<tablemap::testing::exchange> script, retry_policy policy = {}) {
        options.clock = &clock;
        options.retry = policy;
        tablemap::testing::scripted_store s{std::move(script)};
        auto r = detail::run(s, op, options);
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

/// An operation of one request whose value is the whole response.
class one_request {
public:
    using value_type = response;

    explicit one_request(request r) : request_(r) {}
    detail::step start(detail::environment const&) { return detail::step::send(request_); }
    detail::step resume(detail::environment const&, std::span<response> answers) {
        answer_ = std::move(answers.front());
        return detail::step::done();
    }
    result<response> take() {
        if (answer_.failure) return failure{*answer_.failure};
        return std::move(answer_);
    }

private:
    request request_;
    response answer_{};
};

/// An operation of one step with several requests.
class many_requests {
public:
    using value_type = std::vector<response>;

    explicit many_requests(std::vector<request> rs) : requests_(std::move(rs)) {}
    detail::step start(detail::environment const&) { return detail::step::send(std::span<request const>{requests_}); }
    detail::step resume(detail::environment const&, std::span<response> answers) {
        for (auto& a : answers) answers_.push_back(std::move(a));
        return detail::step::done();
    }
    result<std::vector<response>> take() { return std::move(answers_); }

private:
    std::vector<request> requests_;
    std::vector<response> answers_{};
};

}  // namespace tablemap::test

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/store/operation.hpp"
#include "tablemap/store/retry.hpp"
#include "tablemap/store/store.hpp"

#include <type_traits>
#include <vector>

namespace tablemap::detail {

/// The answer to a request that was not sent because the call has to end; `not_applied`.
response not_sent(request const& r, std::error_code why);

/// Carries out one request, or answers `not_sent`.
inline response ask(store& s, request const& r, environment const& env) {
    if (auto const why = env.why_stop()) [[unlikely]]
        return not_sent(r, why);
    return s.execute(r, env.options());
}

/// Runs an operation to its end on this thread. Several requests of one step are sent one after the other.
template <operation Op> result<typename Op::value_type> run_steps(store& s, Op& op, environment const& env) {
    for (step next = op.start(env); next.what() != step::kind::done;) {
        if (next.what() == step::kind::wait) {
            env.clock().sleep_until(next.until(), env.options().stop);
            next = op.resume(env, {});
        } else if (next.requests().size() == 1) {
            response answer = ask(s, next.requests().front(), env);
            next = op.resume(env, {&answer, 1});
        } else {
            std::vector<response> answers;
            answers.reserve(next.requests().size());
            for (auto const& r : next.requests()) answers.push_back(ask(s, r, env));
            next = op.resume(env, answers);
        }
    }
    return op.take();
}

/// The blocking driver: runs an operation under the call's retry policy, or the store's.
template <class Op>
requires operation<std::remove_cvref_t<Op>>
auto run(store& s, Op&& op, call_options const& options) -> result<typename std::remove_cvref_t<Op>::value_type> {
    environment const env{options};
    auto const& policy = options.retry ? *options.retry : s.can().default_retry;
    if (policy.attempts <= 1) return run_steps(s, op, env);
    retrying retried{op, policy};
    return run_steps(s, retried, env);
}

}  // namespace tablemap::detail

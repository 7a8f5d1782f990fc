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

/// In place of the answer of a store that threw; `in_doubt` for a write.
response answer_of_throwing(request const& r) noexcept;

/// Carries out one request, or answers `not_sent`.
inline response ask(store& s, request const& r, environment const& env) {
    if (auto const why = env.why_stop()) [[unlikely]]
        return not_sent(r, why);
    return s.execute(r, env.options());
}

/// Carries out the requests of one step: at once where the store is remote, else one after the other. Answers come in the
/// order asked.
std::vector<response> ask_all(store& s, std::span<request const> requests, environment const& env);

/// Runs an operation to its end on this thread.
template <operation Op> result<typename Op::value_type> run_steps(store& s, Op& op, environment const& env) {
    for (step next = op.start(env); next.what() != step::kind::done;) {
        if (next.what() == step::kind::wait) {
            env.clock().sleep_until(next.until(), env.options().stop);
            next = op.resume(env, {});
        } else if (next.requests().size() == 1) {
            response answer = ask(s, next.requests().front(), env);
            next = op.resume(env, {&answer, 1});
        } else {
            auto answers = ask_all(s, next.requests(), env);
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

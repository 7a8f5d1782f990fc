// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/store/call_context.hpp"
#include "tablemap/detail/store/operation.hpp"
#include "tablemap/detail/store/retry.hpp"
#include "tablemap/store/store.hpp"

#include <type_traits>
#include <vector>

namespace tablemap::inline v0_1::detail {

/// The response to a request that was not sent because the call has to end; `not_applied`.
response not_sent(request const& r, std::error_code why);

/// The response in place of one of a store, or a wrapper of it, that threw; `in_doubt` for a write.
response response_of_throwing(request const& r, std::string_view who = "the store") noexcept;

/// Carries out one request, or answers `not_sent`.
inline response ask(store& s, request const& r, environment const& env) {
    if (auto const why = env.why_stop()) [[unlikely]]
        return not_sent(r, why);
    return s.execute(r, env.options());
}

/// Carries out the requests of one step: at once if the store is remote, else one after the other. Answers come in the
/// order of the requests.
std::vector<response> ask_all(store& s, std::span<request const> requests, environment const& env);

/// The number of times that the requests of an operation's step have been sent, this one included.
template <class Op> int attempt_of(Op const& op) noexcept {
    if constexpr (requires { op.tries(); })
        return op.tries();
    else
        return 1;
}

/// Runs an operation to its last step on this thread.
template <class Op> void run_steps(store& s, Op& op, call_context& call) {
    auto const& env = call.env();
    for (step next = op.start(env); next.what() != step::kind::done;) {
        if (next.what() == step::kind::wait) {
            env.clock().sleep_until(next.until(), env.options().stop);
            next = op.resume(env, {});
            continue;
        }
        call.rethrow();
        auto const sent = call.sending(next.requests(), attempt_of(op));
        if (next.requests().size() == 1) {
            response answer = ask(s, next.requests().front(), env);
            call.answered({&answer, 1}, sent);
            next = op.resume(env, {&answer, 1});
        } else {
            auto answers = ask_all(s, next.requests(), env);
            call.answered(answers, sent);
            next = op.resume(env, answers);
        }
    }
}

/// Runs an operation to its last step under the call's retry policy, or the store's. The caller takes the result, and
/// reports it to `call`.
template <class Op> void run_retried(store& s, Op& op, call_context& call) {
    auto const& options = call.env().options();
    auto const& policy = options.retry ? *options.retry : s.context().default_retry;
    if (policy.attempts <= 1) return run_steps(s, op, call);
    retrying retried{op, policy};
    run_steps(s, retried, call);
}

/// The blocking driver.
template <class Op>
requires operation<std::remove_cvref_t<Op>>
auto run(store& s, Op&& op, call_options const& options) -> result<typename std::remove_cvref_t<Op>::value_type> {
    call_context call{s, options};
    call.named(op);
    run_retried(s, op, call);
    auto r = op.take();
    call.ended(r);
    return r;
}

}  // namespace tablemap::detail

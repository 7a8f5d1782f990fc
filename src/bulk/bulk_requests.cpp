// SPDX-License-Identifier: Apache-2.0
#include "bulk/bulk_requests.hpp"

#include "bulk/bulk_errors.hpp"
#include "store/ask.hpp"
#include "store/retry.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace tablemap::inline v0_1::detail {

time_point until_deadline(time_point t, environment const& env) noexcept {
    return std::min(t, env.options().deadline.value_or(t));
}

bulk_requests::bulk_requests(capabilities const& can, bulk_options const& options, environment const& env, watcher& w)
    : env_(env),
      watcher_(w),
      limiter_(options.rate ? options.rate
                            : std::make_shared<rate_limiter>(rate_limits{can.partition_rate, can.account_rate})),
      takes_several_(can.remote || can.shared_commits),
      limit_(options.parallel) {}

task<response> bulk_requests::ask(request const& what, rate_share const* share) {
    auto const call = co_await this_call();
    retry_round round{call.policy};
    std::span<request const> next{&what, 1};
    round.begin(next);
    exchange tried;  // one for all tries: they have one id
    exchange* const with[] = {&tried};
    auto const* counted_by = share && share->counted ? nullptr : share;
    bool const in_turn = share || !takes_several_;
    if (share) ++open_;
    for (bool again = false;; again = true) {
        if (in_turn) co_await take_turn(counted_by);
        counted_by = share;
        auto const mark = begin_try(share, again);
        int const attempt = round.tries();
        co_await ask_once(next, with, attempt);
        end_try(share, mark, tried.answer);
        auto const then = round.take({&tried.answer, 1});
        if (then == retry_round::next_step::end) break;
        std::optional<time_point> until;
        if (then == retry_round::next_step::wait) {
            until = round.next_try(env_);
            if (!until) break;
        }
        watcher_.changed();
        if (until) {
            co_await pause_until(*until);
            watcher_.look_for_end();
        }
        next = round.pending();
    }
    if (share) --open_;
    co_return std::move(round.answers().front());
}

/// Waits for a turn. `share`: null if the rate limiter need not count the try.
task<> bulk_requests::take_turn(rate_share const* share) {
    for (;;) {
        if (busy())
            co_await turns_.wait();
        else
            ++turns_taken_;
        if (!share || env_.why_stop()) co_return;
        auto const verdict = limiter_->try_take(share->partition, share->entities, env_.now());
        if (!verdict.not_before) co_return;
        give_turn_back();
        auto const until = until_deadline(*verdict.not_before, env_);
        co_await pause_until(until);
        watcher_.look_for_end();
    }
}

std::uint64_t bulk_requests::begin_try(rate_share const* share, bool again) noexcept {
    ++sent_;
    ++under_way_;
    if (again) ++retries_;
    return share ? limit_.begin() : 0;
}

void bulk_requests::end_try(rate_share const* share, std::uint64_t mark, response const& answer) noexcept {
    --under_way_;
    if (share) note(mark, answer);
    if (share || !takes_several_) give_turn_back();
}

/// Passes a turn on to the task that has waited longest, and more if the store takes more now.
void bulk_requests::give_turn_back() noexcept {
    --turns_taken_;
    while (!busy() && turns_.notify_one()) ++turns_taken_;
}

/// Notes from a response how much the store takes.
void bulk_requests::note(std::uint64_t mark, response const& answer) noexcept {
    out_of_reach_ = !answer.ok() && is_out_of_reach(*answer.failure);
    if (!answer.ok() && is_busy(*answer.failure)) {
        ++throttled_;
        limit_.on_throttled(mark);
    } else if (answer.ok() || (!answer.failure->retryable() && answer.failure->outcome() != outcome::in_doubt)) {
        limit_.succeeded();
    }
}

void bulk_requests::report(bulk_progress& to) const noexcept {
    to.requests = sent_;
    to.retries = retries_;
    to.throttled = throttled_;
    to.under_way = under_way_;
    to.concurrency = limit_.size();
}

}  // namespace tablemap::detail

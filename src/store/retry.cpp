// SPDX-License-Identifier: Apache-2.0
#include "tablemap/store/retry.hpp"

#include "tablemap/edm/names.hpp"
#include "tablemap/wire/reader.hpp"

#include <cmath>
#include <utility>

namespace tablemap::detail {
namespace {

bool worth_another_try(response const& answer) {
    return answer.failure->retryable() || answer.outcome() == outcome::in_doubt;
}

/// A write that lost its answer may have caused these itself.
bool may_be_own_effect(error const& e) {
    auto const kind = e.kind();
    return kind == error_kind::already_exists || kind == error_kind::precondition_failed ||
           kind == error_kind::not_found;
}

write_operation const* write_in(request const& r) {
    auto const* w = std::get_if<write_entity>(&r);
    return w ? &w->operation : nullptr;
}

bool can_be_verified(request const& r) {
    auto const* w = write_in(r);
    return w && w->token && w->kind != write_kind::erase;
}

request read_back(request const& r) {
    auto const& w = std::get<write_entity>(r);
    return get_entity{w.table, w.operation.partition_key, w.operation.row_key, {}, true};
}

}  // namespace

std::optional<guid> token_in(std::string& json) {
    auto const row = read_dynamic(json);
    if (!row) return std::nullopt;
    auto const* token = row->try_get<guid>(token_property);
    return token ? std::optional{*token} : std::nullopt;
}

error doubt(error const& later) {
    error_details d = later.details();
    d.reason = "an earlier answer was lost, and the last try met: " + later.code().message() +
               "; read the entity to see, or give the table operation tokens";
    d.outcome = outcome::in_doubt;
    return error{library_errc::answer_lost, std::move(d)};
}

step retry_round::begin(step wanted) {
    requests_ = wanted.requests();
    tries_ = 0;
    waiting_ = false;
    answers_.clear();
    answers_.resize(requests_.size());
    attempts_.assign(requests_.size(), {});
    pending_.resize(requests_.size());
    for (std::size_t i = 0; i < pending_.size(); ++i) pending_[i] = i;
    tries_ = 1;
    return wanted;
}

step retry_round::send_pending() {
    resend_.clear();
    for (auto const i : pending_) resend_.push_back(attempts_[i].verifying ? read_back(requests_[i]) : requests_[i]);
    return step::send(std::span<request const>{resend_});
}

std::optional<step> retry_round::resume(environment const& env, std::span<response> answers) {
    if (std::exchange(waiting_, false)) {
        ++tries_;
        return send_pending();
    }
    bool const may_retry = tries_ < policy_.attempts;
    std::chrono::milliseconds asked{0};
    std::vector<std::size_t> open;
    bool only_reads_back = true;
    for (std::size_t k = 0; k < pending_.size(); ++k) {
        auto const i = pending_[k];
        if (answers[k].retry_after) asked = std::max(asked, *answers[k].retry_after);
        bool const was_verifying = attempts_[i].verifying;
        if (settle(i, std::move(answers[k]), may_retry)) continue;
        open.push_back(i);
        only_reads_back = only_reads_back && attempts_[i].verifying && !was_verifying;
    }
    pending_ = std::move(open);
    if (pending_.empty()) return std::nullopt;
    if (only_reads_back) return send_pending();  // a look at the row is no further try of the write

    if (auto const why = env.why_stop()) return give_up(why);
    auto const doublings = std::min(tries_ - 1, 30);
    // Bounded before it is doubled and counted in nanoseconds: a policy may name waits that do not fit.
    constexpr std::chrono::milliseconds longest_sensible = std::chrono::hours{24};
    std::chrono::nanoseconds wait =
        std::min({std::min(policy_.first_wait, longest_sensible) * (std::int64_t{1} << doublings), policy_.longest_wait,
                  longest_sensible});
    wait = std::max<std::chrono::nanoseconds>(env.jittered(wait, policy_.jitter), asked);
    auto const until = env.wait_for(wait);
    if (!until) return give_up(library_errc::deadline_exceeded);
    waiting_ = true;
    return step::wait_until(*until);
}

/// There will be no next try: the last answers stand, under the reason for that.
std::optional<step> retry_round::give_up(std::error_code why) {
    for (auto const i : pending_) {
        auto& last = answers_[i];
        error e{why,
                {.reason = "there was no time for another try; the last one met: " + last.failure->code().message(),
                 .server_text = last.failure->server_text(),
                 .outcome = attempts_[i].lost_before ? outcome::in_doubt : last.outcome()}};
        last = response::failed(std::move(e));
    }
    pending_.clear();
    return std::nullopt;
}

/// Takes the answer to request `i`. True if it is final, then in `answers_`.
bool retry_round::settle(std::size_t i, response&& answer, bool may_retry) {
    auto& a = attempts_[i];
    if (a.verifying && answer.ok()) return settle_verified(i, std::move(answer));
    if (answer.ok()) {
        answers_[i] = std::move(answer);
        return true;
    }
    bool const write = is_write(requests_[i]);
    bool const again = worth_another_try(answer) && may_retry;
    if (!a.verifying && write && answer.outcome() == outcome::in_doubt) a.lost_before = true;
    if (!again && !a.verifying && a.lost_before && may_be_own_effect(*answer.failure) &&
        can_be_verified(requests_[i])) {
        a.verifying = true;
        answers_[i] = std::move(answer);
        return false;
    }
    if (!again && write && a.lost_before && answer.outcome() != outcome::in_doubt)
        answer = response::failed(doubt(*answer.failure));
    answers_[i] = std::move(answer);
    return !again;
}

/// The row was read to learn whose it is. `answers_[i]` still holds what the write met.
bool retry_round::settle_verified(std::size_t i, response&& row) {
    auto const token = token_in(row.body);
    if (token && token == write_in(requests_[i])->token) {
        // Applied, but the row may have been changed since by a writer without tokens: its etag is not known to be ours.
        answers_[i] = {};
    } else {
        answers_[i] = response::failed(doubt(*answers_[i].failure));
    }
    return true;
}

}  // namespace tablemap::detail

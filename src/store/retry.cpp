// SPDX-License-Identifier: Apache-2.0
#include "store/retry.hpp"

#include "store/ask.hpp"
#include "tablemap/detail/wire/reader.hpp"
#include "tablemap/edm/names.hpp"

#include <algorithm>
#include <utility>

namespace tablemap::inline v0_1::detail {
namespace {

constexpr int most_looks = 10;  // rows of a group that are read to see whether it was applied

bool worth_another_try(response const& answer) {
    return answer.failure->retryable() || answer.outcome() == outcome::in_doubt;
}

bool asks_for_too_long(response const& answer, retry_policy const& p) {
    return answer.retry_after && *answer.retry_after > p.longest_asked_wait;
}

std::string in_seconds(std::chrono::milliseconds wait) {
    return std::to_string(std::chrono::ceil<std::chrono::seconds>(wait).count()) + " s";
}

/// The wait that a failed response asks for, as text; empty if none.
std::string wish_of(response const& answer) {
    return answer.retry_after ? "; the store asks to be left alone for " + in_seconds(*answer.retry_after) : "";
}

/// The error of a store that asks for a longer wait than the policy allows.
error asked_for_too_long(response const& answer, retry_policy const& p) {
    auto d = answer.failure->details();
    d.reason += wish_of(answer) + ", and retry_policy::longest_asked_wait is " + in_seconds(p.longest_asked_wait) +
                ": call again later";
    if (d.reason.starts_with("; ")) d.reason.erase(0, 2);
    return error{answer.failure->code(), std::move(d)};
}

/// Conflicts that a write which lost its response may have caused itself.
bool may_be_own_effect(error const& e) {
    auto const kind = e.kind();
    return kind == error_kind::already_exists || kind == error_kind::precondition_failed ||
           kind == error_kind::not_found;
}

/// True for requests whose goal is reached by whoever carries them out.
bool is_about_existence(request const& r) {
    if (auto const* const q = std::get_if<queue_request>(&r))
        return std::holds_alternative<create_queue>(*q) || std::holds_alternative<delete_queue>(*q);
    if (auto const* const b = std::get_if<blob_request>(&r))
        return std::holds_alternative<create_container>(*b) || std::holds_alternative<delete_container>(*b);
    return std::holds_alternative<create_table>(r) || std::holds_alternative<delete_table>(r);
}

std::span<write_operation const> operations_in(request const& r) {
    if (auto const* w = std::get_if<write_entity>(&r)) return {&w->operation, 1};
    if (auto const* t = std::get_if<transact>(&r)) return t->operations;
    return {};
}

/// An erase leaves no row that could hold its operation id.
bool leaves_id(write_operation const& w) { return w.operation_id && w.kind != write_kind::erase; }

bool is_erase_of_any(write_operation const& w) { return w.kind == write_kind::erase && w.if_match == any_etag; }

bool is_of_any(std::string_view if_match) { return if_match.empty() || if_match == any_etag; }

/// A message that is put twice is there twice, and so are bytes that are appended wherever the blob ends. A second
/// clearing would remove what was put after the first, and a second deletion a blob that was stored anew.
struct would_be_repeated {
    bool operator()(put_message const&) const { return true; }
    bool operator()(clear_messages const&) const { return true; }
    bool operator()(put_blob const& p) const { return p.when.if_absent; }
    bool operator()(create_append_blob const& c) const { return c.when.if_absent; }
    bool operator()(commit_blocks const& c) const { return c.when.if_absent; }
    bool operator()(delete_blob const& d) const { return is_of_any(d.when.if_match); }
    bool operator()(append_block const& a) const { return !a.position && is_of_any(a.if_match); }
    template <class Request> bool operator()(Request const&) const { return false; }
};

/// True if the write could be carried out twice if another writer undoes or redoes it between the tries: a write under
/// an etag cannot, and prevents it for the others of its group.
bool may_be_applied_twice(request const& r) {
    if (auto const* const q = std::get_if<queue_request>(&r)) return std::visit(would_be_repeated{}, *q);
    if (auto const* const b = std::get_if<blob_request>(&r)) return std::visit(would_be_repeated{}, *b);
    auto const operations = operations_in(r);
    auto const is_under_a_version = [](auto& w) { return is_conditional(w.kind) && w.if_match != any_etag; };
    auto const is_once_only = [](auto& w) { return w.kind == write_kind::insert || is_erase_of_any(w); };
    return std::none_of(operations.begin(), operations.end(), is_under_a_version) &&
           std::any_of(operations.begin(), operations.end(), is_once_only);
}

request read_back(request const& r, std::size_t operation) {
    auto const& w = operations_in(r)[operation];
    return get_entity{table_of(r), w.partition_key, w.row_key, {}, true};
}

/// The advice after a lost response of a queue.
struct advice_for_queue {
    char const* operator()(put_message const&) const {
        return "the message may be in the queue, even more than once: put it again only if its receiver can take that";
    }
    char const* operator()(update_message const&) const {
        return "the message may have a new receipt, which did not come: get it again once it is visible";
    }
    char const* operator()(delete_message const&) const {
        return "the message is gone, or is given to the next receiver once it is visible again";
    }
    char const* operator()(clear_messages const&) const {
        return "clear the queue again if messages put since may be deleted, too";
    }
    template <class Request> char const* operator()(Request const&) const {
        return "call again: to do it twice does no harm";
    }
};

/// The same of a container.
struct advice_for_blob {
    char const* operator()(create_container const&) const { return "list its blobs to see"; }
    char const* operator()(delete_container const&) const { return "list its blobs to see"; }
    char const* operator()(stage_block const&) const { return "stage the block again"; }
    template <class Request> char const* operator()(Request const&) const {
        return "read the blob's properties to see";
    }
};

/// The advice after a lost response that was no write of entities.
char const* advice_for(request const& r) {
    if (auto const* const q = std::get_if<queue_request>(&r)) return std::visit(advice_for_queue{}, *q);
    if (auto const* const b = std::get_if<blob_request>(&r)) return std::visit(advice_for_blob{}, *b);
    return "list the tables to see";
}

/// The error of a write in doubt, with advice for its caller.
response in_doubt(request const& r, error const& later) {
    auto const operations = operations_in(r);
    if (may_be_own_effect(later) && is_about_existence(r)) return response::failed(later.with(outcome::in_doubt));
    if (operations.empty()) return response::failed(doubt(later, advice_for(r)));
    auto const tells = [](auto& w) { return w.operation_id || w.kind == write_kind::erase; };
    if (std::any_of(operations.begin(), operations.end(), tells))
        return response::failed(doubt(later, "read the entity to see"));
    return response::failed(doubt(later));
}

/// The error of a write that is not sent again after its response was lost.
response in_doubt_once(request const& r, error const& loss) {
    auto const operations = operations_in(r);
    bool const ids_would_tell = std::any_of(operations.begin(), operations.end(),
                                            [](auto& w) { return !w.operation_id && w.kind != write_kind::erase; });
    auto d = loss.details();
    d.reason = "the response was lost, and it was not sent again, since it could be carried out twice; ";
    d.reason.append(operations.empty() ? advice_for(r) : "read the entity to see").append(", ");
    if (ids_would_tell) d.reason += "give the table operation ids, ";
    d.reason += "or allow it in retry_policy::repeat_in_doubt";
    return response::failed(error{loss.code(), std::move(d)});
}

/// The error of an erase whose row is gone, whoever erased it.
response gone(error const& absent) {
    auto d = absent.details();
    d.reason = "the response was lost, and the entity is not there now; whether this call erased it nobody can tell";
    d.outcome = outcome::in_doubt;
    return response::failed(error{absent.code(), std::move(d)});
}

/// The response to a write that was applied. Its rows may have been changed since by a writer without operation ids:
/// their etags may not be ours.
response applied(request const& r) {
    response answer;
    if (std::holds_alternative<transact>(r)) answer.etags.resize(operations_in(r).size());
    return answer;
}

/// The wait after so many tries, without jitter.
std::chrono::nanoseconds wait_after(int tries, retry_policy const& p) {
    auto const doublings = std::min(tries - 1, 30);
    // Bounded before it is doubled and counted in nanoseconds: a policy may name waits that do not fit.
    constexpr std::chrono::milliseconds longest_sensible = std::chrono::hours{24};
    return std::min(
        {std::min(p.first_wait, longest_sensible) * (std::int64_t{1} << doublings), p.longest_wait, longest_sensible});
}

}  // namespace

task<> retry(std::span<request const> wanted, std::span<exchange> tried, bool* lost_a_write) {
    auto const call = co_await this_call();
    std::vector<response> answers;
    for (auto& e : tried) answers.push_back(std::move(e.answer));
    retry_round round{call.policy};
    round.begin(wanted);
    for (;;) {
        auto const next = round.take(answers);
        if (next == retry_round::next_step::end) break;
        if (next == retry_round::next_step::wait) {
            auto const until = round.next_try(call.env);
            if (!until) break;
            co_await pause_until(*until);
        }
        std::vector<exchange*> with;
        for (auto const i : round.open()) with.push_back(&tried[i]);
        auto const again = round.pending();
        co_await ask_once(again, with, round.tries());
        answers.clear();
        for (auto* const e : with) answers.push_back(std::move(e->answer));
    }
    for (std::size_t i = 0; i < tried.size(); ++i) tried[i].answer = std::move(round.answers()[i]);
    if (lost_a_write) *lost_a_write = round.lost_a_write();
}

std::optional<guid> operation_id_in(std::string& json) {
    auto const row = read_dynamic(json);
    if (!row) return std::nullopt;
    auto const* token = row->try_get<guid>(operation_id_property);
    return token ? std::optional{*token} : std::nullopt;
}

error doubt(error const& later, std::string_view advice) {
    error_details d = later.details();
    d.reason = "an earlier response was lost, and the last try met: " + later.code().message() + "; ";
    d.reason += advice;
    d.outcome = outcome::in_doubt;
    d.failed_index.reset();  // the conflict may be the first try's own effect
    bool const had_to_end = later.kind() == error_kind::timed_out || later.kind() == error_kind::cancelled;
    return error{had_to_end ? later.code() : library_errc::response_lost, std::move(d)};
}

void retry_round::begin(std::span<request const> wanted) {
    requests_ = wanted;
    answers_.clear();
    answers_.resize(requests_.size());
    attempts_.assign(requests_.size(), {});
    pending_.resize(requests_.size());
    for (std::size_t i = 0; i < pending_.size(); ++i) pending_[i] = i;
    tries_ = 1;
}

bool retry_round::lost_a_write() const noexcept {
    return std::any_of(attempts_.begin(), attempts_.end(), [](auto& a) { return a.lost_before; });
}

retry_round::next_step retry_round::take(std::span<response> answers) {
    bool const may_retry = tries_ < policy_.attempts;
    asked_ = {};
    std::vector<std::size_t> open;
    bool only_looks = true;
    for (std::size_t k = 0; k < pending_.size(); ++k) {
        auto const i = pending_[k];
        auto const wished = answers[k].retry_after.value_or(std::chrono::milliseconds{0});
        auto const next = settle(i, std::move(answers[k]), may_retry);
        if (next == verdict::settled) continue;
        if (next == verdict::again) asked_ = std::max(asked_, wished);
        open.push_back(i);
        only_looks = only_looks && next == verdict::look;
    }
    pending_ = std::move(open);
    if (pending_.empty()) return next_step::end;
    return only_looks ? next_step::look : next_step::wait;
}

std::optional<time_point> retry_round::next_try(environment const& env) {
    if (auto const why = env.why_stop()) {
        give_up(why);
        return std::nullopt;
    }
    auto const wait =
        std::max<std::chrono::nanoseconds>(env.jittered(wait_after(tries_, policy_), policy_.jitter), asked_);
    auto const until = env.wait_for(wait);
    if (until)
        ++tries_;
    else
        give_up(library_errc::deadline_exceeded);
    return until;
}

std::optional<time_point> next_repetition(retry_policy const& policy, int rounds, environment const& env) {
    if (rounds >= policy.attempts || env.why_stop()) return std::nullopt;
    return env.wait_for(env.jittered(wait_after(rounds, policy), policy.jitter));
}

std::span<request const> retry_round::pending() {
    resend_.clear();
    for (auto const i : pending_) {
        auto const& looked_at = attempts_[i].looks_at;
        resend_.push_back(looked_at ? read_back(requests_[i], *looked_at) : requests_[i]);
    }
    return resend_;
}

/// Ends the tries: the last responses are final, with this reason.
void retry_round::give_up(std::error_code why) {
    for (auto const i : pending_) {
        auto& last = answers_[i];
        error const e{why,
                      {.reason = "there was no time for another try; the last one met: " +
                                 last.failure->code().message() + wish_of(last),
                       .server_text = last.failure->server_text(),
                       .request_id = last.failure->details().request_id,
                       .client_request_id = last.failure->details().client_request_id,
                       .outcome = attempts_[i].lost_before ? outcome::in_doubt : last.outcome()}};
        last = response::failed(e);
    }
    pending_.clear();
}

/// Takes the response to request `i`; into `answers_` if it is final.
retry_round::verdict retry_round::settle(std::size_t i, response&& answer, bool may_retry) {
    auto& a = attempts_[i];
    if (a.looks_at) return settle_looked(i, std::move(answer), may_retry);
    if (answer.ok()) {
        answers_[i] = std::move(answer);
        return verdict::settled;
    }
    bool const lost = is_write(requests_[i]) && answer.outcome() == outcome::in_doubt;
    a.lost_before = a.lost_before || lost;
    if (lost && !policy_.repeat_in_doubt && policy_.attempts > 1 && may_be_applied_twice(requests_[i]))
        return look_after_loss(i, *answer.failure);
    bool const too_long = worth_another_try(answer) && asks_for_too_long(answer, policy_);
    if (too_long) answer.failure = asked_for_too_long(answer, policy_);
    bool const again = worth_another_try(answer) && may_retry && !too_long;
    bool const own_effect = a.lost_before && may_be_own_effect(*answer.failure);
    if (!again && a.lost_before && answer.outcome() == outcome::not_applied)
        answer = in_doubt(requests_[i], *answer.failure);
    answers_[i] = std::move(answer);
    if (again) return verdict::again;
    return own_effect ? look_on(i, 0) : verdict::settled;
}

/// Reads the row that may have the operation id, after a wait: the write may still be under way.
retry_round::verdict retry_round::look_after_loss(std::size_t i, error const& loss) {
    answers_[i] = in_doubt_once(requests_[i], loss);
    auto const operations = operations_in(requests_[i]);
    if (operations.size() != 1 || !is_erase_of_any(operations.front())) {
        if (look_on(i, 0) == verdict::settled) return verdict::settled;
    } else {
        attempts_[i].looks_at = 0;
    }
    return verdict::again;
}

/// Goes on with the first row from that operation on that may have the operation id. `answers_[i]` holds the final
/// answer if none can.
retry_round::verdict retry_round::look_on(std::size_t i, std::size_t from) {
    auto const operations = operations_in(requests_[i]);
    auto const first = operations.begin() + static_cast<std::ptrdiff_t>(from);
    auto const next = std::find_if(first, operations.end(), leaves_id);
    if (next == operations.end() || attempts_[i].looks == most_looks) return verdict::settled;
    ++attempts_[i].looks;
    attempts_[i].looks_at = static_cast<std::size_t>(next - operations.begin());
    return verdict::look;
}

/// Takes a row that was read for its operation id; or it is gone, which shows nothing.
retry_round::verdict retry_round::settle_looked(std::size_t i, response&& row, bool may_retry) {
    if (!row.ok() && row.failure->kind() != error_kind::not_found) {
        if (worth_another_try(row) && may_retry && !asks_for_too_long(row, policy_)) return verdict::again;
        answers_[i] = in_doubt(requests_[i], *row.failure);
        return verdict::settled;
    }
    auto const at = *attempts_[i].looks_at;
    if (!row.ok() && is_erase_of_any(operations_in(requests_[i])[at])) {
        answers_[i] = gone(*row.failure);
        return verdict::settled;
    }
    auto const token = row.ok() ? operation_id_in(row.body) : std::nullopt;
    if (!token || token != operations_in(requests_[i])[at].operation_id) return look_on(i, at + 1);
    answers_[i] = applied(requests_[i]);
    return verdict::settled;
}

}  // namespace tablemap::detail

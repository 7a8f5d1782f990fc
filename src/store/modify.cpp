// SPDX-License-Identifier: Apache-2.0
#include "tablemap/store/modify.hpp"

#include <algorithm>
#include <utility>

namespace tablemap::inline v0_1::detail {

bool is_conflict(error const& e) noexcept {
    return e.code() == service_errc::update_condition_not_satisfied && e.outcome() == outcome::not_applied;
}

result<time_point> next_try(modify_options const& options, int tries, std::chrono::nanoseconds took,
                            error const& conflict, environment const& env, std::string_view remedy) {
    auto details = conflict.details();
    if (tries >= options.attempts) {
        details.reason = "it gave up after " + std::to_string(tries) + " tries; ";
        details.reason += remedy;
        return fail(library_errc::too_many_conflicts, std::move(details));
    }
    // Other writers need about as long for a try as this one did. Bounded before it is doubled and counted in
    // nanoseconds: options may name waits that do not fit.
    constexpr std::chrono::milliseconds longest_sensible = std::chrono::hours{1};
    auto const first = std::max<std::chrono::nanoseconds>(std::min(options.first_wait, longest_sensible),
                                                          std::min<std::chrono::nanoseconds>(took, longest_sensible));
    auto const doublings = std::clamp(tries - 1, 0, 20);
    auto const longest = std::min<std::chrono::nanoseconds>(first * (std::int64_t{1} << doublings),
                                                            std::min(options.longest_wait, longest_sensible));
    if (auto const until = env.wait_for(env.jittered(longest, 1.0))) return *until;
    details.reason = "the last try met: " + conflict.code().message();
    return fail(library_errc::deadline_exceeded, std::move(details));
}

std::optional<time_point> next_look(modify_options const& options, environment const& env) {
    constexpr std::chrono::milliseconds longest_sensible = std::chrono::hours{1};
    auto const& policy = env.options().retry;
    auto const wait = std::min(policy ? policy->first_wait : options.first_wait, longest_sensible);
    return env.wait_for(env.jittered(wait, policy ? policy->jitter : 1.0));
}

error doubt_later(error const& later) {
    if (later.code() != library_errc::unique_value_taken) return doubt(later);
    // The entity was as it had been read, so another entity's row is in the way. A late try may still be applied.
    auto d = later.details();
    d.reason = "an earlier response was lost; " + d.reason;
    d.outcome = outcome::in_doubt;
    return error{later.code(), std::move(d)};
}

namespace {

/// Null if another row is at fault.
companion const* index_row_at_fault(edited_entity const& e, error const& refusal) noexcept {
    auto const at = refusal.failed_index().value_or(0);
    return at == 0 || at > e.companions.size() ? nullptr : &e.companions[at - 1];
}

}  // namespace

std::vector<write_operation> group_of(edited_entity const& e, std::string_view partition_key, std::string_view row_key,
                                      std::string_view if_match) {
    std::vector<write_operation> group;
    group.reserve(1 + e.companions.size());
    group.push_back({.kind = e.kind,
                     .partition_key = partition_key,
                     .row_key = row_key,
                     .body = e.body,
                     .if_match = if_match,
                     .operation_id = e.operation_id});
    for (auto const& b : e.companions)
        group.push_back({.kind = b.kind,
                         .partition_key = partition_key,
                         .row_key = b.row_key,
                         .body = b.body,
                         .if_match = b.if_match});
    return group;
}

bool repair_group(edited_entity& e, error const& refusal) {
    auto const* const found = index_row_at_fault(e, refusal);
    if (!found) return false;
    auto const row = e.companions.begin() + (found - e.companions.data());
    auto const repaired = repair(*row, refusal);
    if (repaired == repairing::left_out) e.companions.erase(row);
    return repaired != repairing::none;
}

bool look_again_in_group(edited_entity& e, error const& refusal) {
    auto const* const found = index_row_at_fault(e, refusal);
    if (!found || !was_changed(*found, refusal)) return false;
    forget_look(e.companions[static_cast<std::size_t>(found - e.companions.data())]);
    return true;
}

error attribute_failure(edited_entity const& e, error const& refusal) {
    if (!refusal.failed_index()) return refusal;
    auto d = refusal.details();
    d.failed_index.reset();
    auto const* const row = index_row_at_fault(e, refusal);
    error const of_one{refusal.code(), std::move(d)};
    return row ? of_index_row(of_one, row->index) : of_one;
}

modify_steps::modify_steps(std::string_view table, std::string partition_key, std::string row_key,
                           modify_options const& options, edit_rules const& rules)
    : table_(table),
      partition_key_(std::move(partition_key)),
      row_key_(std::move(row_key)),
      options_(options),
      rules_(rules) {}

step modify_steps::read(environment const& env) {
    began_ = env.now();
    return send_read(state::reading);
}

std::optional<step> modify_steps::resume(environment const& env, std::span<response> answers) {
    switch (at_) {
    case state::waiting: return read(env);
    case state::reading: return after_read(answers.front());
    case state::waiting_to_look: began_ = env.now(); return look_and_write();
    case state::looking: return after_looks(answers);
    case state::writing: return after_write(env, answers.front());
    case state::waiting_to_check: return send_read(state::checking);
    case state::checking: return after_check(answers.front());
    }
    return step::done();
}

step modify_steps::write(result<void> const& edited) { return edited ? look_and_write() : fail_with(edited.error()); }

step modify_steps::begin_write(environment const& env, result<void> const& edited) {
    began_ = env.now();
    return write(edited);
}

/// Once a response was lost, no later failure shows that nothing was applied.
step modify_steps::fail_with(error const& e) {
    fault_ = lost_ && e.outcome() == outcome::not_applied ? doubt_later(e) : e;
    return step::done();
}

step modify_steps::send_read(state s) {
    at_ = s;
    request_ = get_entity{table_, partition_key_, row_key_, {}, true};
    return step::send(request_);
}

step modify_steps::look_and_write() {
    looks_.clear();
    add_looks(edited_.companions, table_, partition_key_, looks_);
    if (looks_.empty()) return send_write();
    at_ = state::looking;
    return step::send(std::span<request const>{looks_});
}

step modify_steps::after_looks(std::span<response> answers) {
    for (auto& a : answers)
        if (!tells_presence(a)) return fail_with(*a.failure);
    if (auto r = take_looks(edited_.companions, row_key_, answers); !r) return fail_with(std::move(r).error());
    return send_write();
}

step modify_steps::send_write() {
    at_ = state::writing;
    group_ = group_of(edited_, partition_key_, row_key_, inserting() ? std::string_view{} : read_etag_.text());
    if (group_.size() == 1)
        request_ = write_entity{table_, group_.front()};
    else
        request_ = transact{table_, group_};
    return step::send(request_);
}

std::optional<step> modify_steps::after_read(response& answer) {
    absent_ = rules_.when_absent == absence::an_insert && !answer.ok() &&
              answer.failure->code() == service_errc::resource_not_found;
    if (!answer.ok() && !absent_) return fail_with(*answer.failure);
    if (lost_ && holds_our_id(answer)) return step::done();
    read_etag_ = answer.etag;
    return std::nullopt;
}

step modify_steps::after_write(environment const& env, response& answer) {
    if (answer.ok()) {
        stored_ = std::move(answer.etags.empty() ? answer.etag : answer.etags.front());
        return step::done();
    }
    auto& met = *answer.failure;
    if (answer.outcome() == outcome::in_doubt) return after_loss(env, std::move(met));
    // A companion is at fault only if the entity met its condition, so no earlier try was applied.
    if (repair_group(edited_, met)) return send_write();
    if (look_again_in_group(edited_, met)) return wait_before_next(env, met, state::waiting_to_look);
    bool const outdated = is_outdated(met);
    if (outdated && may_repeat()) return wait_before_next(env, met, state::waiting);
    // The write whose response was lost may have changed it. Only an operation id can show that.
    if (outdated && lost_ && leaves_id()) return send_read(state::checking);
    return fail_with(attribute_failure(edited_, met));
}

/// The driver has sent the write as often as the call's policy allows. It is sent once more after the row was read,
/// which shows whether it was applied, or if its edit may be repeated.
step modify_steps::after_loss(environment const& env, error&& loss) {
    may_resend_ = !lost_ && options_.attempts > 1;
    lost_ = std::move(loss);
    bool const repeats_inserts = env.options().retry && env.options().retry->repeat_in_doubt;
    bool const repeats = !inserting() || repeats_inserts || rules_.repeated == repetition::after_losses;
    if (!repeats) may_resend_ = false;
    if (!may_resend_) return leaves_id() ? send_read(state::checking) : fail_with(*lost_);
    auto const until = next_look(options_, env);
    if (!until) return fail_with(*lost_);
    at_ = rules_.repeated == repetition::after_losses ? state::waiting : state::waiting_to_check;
    return step::wait_until(*until);
}

step modify_steps::after_check(response& answer) {
    bool const absent = !answer.ok() && answer.failure->code() == service_errc::resource_not_found;
    if (!answer.ok() && !(inserting() && absent)) return fail_with(*answer.failure);
    if (inserting() ? absent : answer.etag == read_etag_) {
        // Not applied so far. Unless another write takes effect it still may be.
        return std::exchange(may_resend_, false) ? send_write() : fail_with(*lost_);
    }
    return holds_our_id(answer) ? step::done() : fail_with(*lost_);
}

/// True if the write was applied. But a writer without operation ids may have changed the row since: its etag may not
/// be ours.
bool modify_steps::holds_our_id(response& read) const {
    return read.ok() && leaves_id() && operation_id_in(read.body) == edited_.operation_id;
}

/// True if the row is not the one that was read, and nothing was applied.
bool modify_steps::is_outdated(error const& e) const noexcept {
    if (is_conflict(e)) return true;
    return rules_.when_absent != absence::an_error && e.outcome() == outcome::not_applied &&
           !index_row_at_fault(edited_, e) &&
           (e.code() == service_errc::entity_already_exists || e.code() == service_errc::resource_not_found);
}

bool modify_steps::may_repeat() const noexcept {
    return rules_.repeated == repetition::after_losses || (rules_.repeated == repetition::after_conflicts && !lost_);
}

step modify_steps::wait_before_next(environment const& env, error const& conflict, state then) {
    auto until =
        next_try(options_, ++tries_, env.now() - began_, attribute_failure(edited_, conflict), env, rules_.remedy);
    if (!until) return fail_with(std::move(until).error());
    at_ = then;
    return step::wait_until(*until);
}

}  // namespace tablemap::detail

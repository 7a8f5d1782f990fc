// SPDX-License-Identifier: Apache-2.0
#include "tablemap/detail/write/modify_row.hpp"

#include "store/ask.hpp"
#include "store/refusals.hpp"
#include "store/retry.hpp"
#include "tablemap/detail/write/write_group.hpp"

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

write_operation operation_of(edited_entity const& e, entity_key const& key, std::string_view if_match) noexcept {
    return {.kind = e.kind,
            .partition_key = key.partition_key,
            .row_key = key.row_key,
            .body = e.body,
            .if_match = if_match,
            .operation_id = e.operation_id};
}

error without_place(error const& e) {
    if (!e.failed_index()) return e;
    auto d = e.details();
    d.failed_index.reset();
    return error{e.code(), std::move(d)};
}

namespace {

/// One run of `modify_row`.
class row_modification {
public:
    row_modification(std::string_view table, entity_key const& key, row_editor& editor, modify_options const& options,
                     edit_rules const& rules, environment const& env)
        : table_(table), key_(key), editor_(editor), options_(options), rules_(rules), env_(env) {}

    task<result<std::optional<etag>>> run() {
        for (bool reads = rules_.when_absent != absence::expected;; reads = true) {
            began_ = env_.now();
            response found;
            if (reads) {
                auto const what = read_request();
                found = co_await ask(what);
                bool const may_insert = rules_.when_absent == absence::an_insert && is_absent(found);
                if (!found.ok() && !may_insert) co_return failed(*found.failure);
                if (lost_ && holds_our_id(found)) co_return etag{};
                read_etag_ = found.etag;
            }
            edit_ = {};
            auto const edited = editor_.edit(reads ? &found : nullptr, env_, edit_);
            if (!edited) co_return failed(edited.error());
            if (!*edited) co_return std::nullopt;
            auto stored = co_await write();
            if (!stored) co_return failed(stored.error());
            if (*stored) co_return stored;
        }
    }

private:
    request read_request() const { return get_entity{table_, key_.partition_key, key_.row_key, {}, true}; }

    /// Writes the edit. Nothing is returned if the entity has to be read and edited again.
    task<result<std::optional<etag>>> write() {
        bool may_resend = false;  // after the lost response
        bool is_group_made = false;
        for (;;) {
            if (!std::exchange(is_group_made, true)) {
                if (std::any_of(edit_.companions.begin(), edit_.companions.end(), needs_look)) {
                    auto looked = co_await look();
                    if (!looked) co_return failure{std::move(looked).error()};
                }
                if (auto made = make_group(); !made) co_return failure{std::move(made).error()};
            }
            auto const what = group_.to_send(table_);
            auto answer = co_await ask(what);
            if (answer.ok()) co_return std::move(answer.etags.empty() ? answer.etag : answer.etags.front());
            auto& met = *answer.failure;
            if (answer.outcome() == outcome::in_doubt) {
                may_resend = !lost_ && may_send_again();
                lost_ = std::move(met);
                if (!may_resend && !leaves_id()) co_return failure{*lost_};
                if (may_resend) {
                    auto const until = next_look(options_, env_);
                    if (!until) co_return failure{*lost_};
                    co_await pause_until(*until);
                    if (rules_.repeated == repetition::after_losses) co_return std::nullopt;
                }
            } else {
                // A companion is at fault only if the entity met its condition, so no earlier try was applied.
                if (group_.repair(met)) continue;
                bool const outdated = is_outdated(met);
                auto const changed_row = group_.changed_row(met);
                if (changed_row || (outdated && may_repeat())) {
                    auto const cause = without_place(group_.explain(met));
                    auto const until = next_try(options_, ++tries_, env_.now() - began_, cause, env_, rules_.remedy);
                    if (!until) co_return failure{until.error()};
                    co_await pause_until(*until);
                    if (!changed_row) co_return std::nullopt;
                    look_again_at(std::string{changed_row->row_key});
                    began_ = env_.now();
                    is_group_made = false;
                    continue;
                }
                // The write whose response was lost may have changed the entity. Only an operation id can show that.
                if (!outdated || !lost_ || !leaves_id()) co_return failure{without_place(group_.explain(met))};
            }
            auto const row = read_request();
            auto found = co_await ask(row);
            if (!found.ok() && !(is_insert() && is_absent(found))) co_return failure{*std::move(found.failure)};
            bool const unchanged = is_insert() ? !found.ok() : found.etag == read_etag_;
            if (!unchanged && holds_our_id(found)) co_return etag{};
            // Not applied so far. Unless another write takes effect it still may be.
            if (!unchanged || !std::exchange(may_resend, false)) co_return failure{*lost_};
        }
    }

    /// Reads the companions that might be rows of other entities.
    task<result<void>> look() {
        std::vector<request> looks;
        add_looks(edit_.companions, table_, key_.partition_key, looks);
        auto answers = co_await ask_all(looks);
        for (auto& a : answers)
            if (!tells_presence(a)) co_return failure{*std::move(a.failure)};
        std::span<response> left{answers};
        co_return take_looks(edit_.companions, key_.row_key, left);
    }

    result<void> make_group() {
        group_ = {};
        return group_.add(operation_of(edit_, key_, is_insert() ? std::string_view{} : read_etag_.text()),
                          std::move(edit_.companions));
    }

    /// The key may not be one of the group's: the group gives its rows away.
    void look_again_at(std::string const& row_key) {
        edit_.companions = group_.take_rows();
        forget_look(edit_.companions, row_key);
    }

    /// Once a response was lost, no later failure shows that nothing was applied.
    failure failed(error const& e) const {
        return failure{lost_ && e.outcome() == outcome::not_applied ? doubt_later(e) : e};
    }

    bool is_insert() const noexcept { return edit_.kind == write_kind::insert; }
    bool leaves_id() const noexcept { return edit_.operation_id && edit_.kind != write_kind::erase; }

    /// True if the write was applied. But a writer without operation ids may have changed the row since: its etag may
    /// not be ours.
    bool holds_our_id(response& found) const {
        return found.ok() && leaves_id() && operation_id_in(found.body) == edit_.operation_id;
    }

    /// True if the row is not the one that was read, and nothing was applied.
    bool is_outdated(error const& e) const noexcept {
        if (is_conflict(e)) return true;
        return rules_.when_absent != absence::an_error && e.outcome() == outcome::not_applied &&
               !group_.is_about_row(e) &&
               (e.code() == service_errc::entity_already_exists || e.code() == service_errc::resource_not_found);
    }

    bool may_repeat() const noexcept {
        return rules_.repeated == repetition::after_losses ||
               (rules_.repeated == repetition::after_conflicts && !lost_);
    }

    /// The driver has sent the write as often as the call's policy allows. It is sent once more after the row was read,
    /// which shows whether it was applied, or if its edit may be repeated.
    bool may_send_again() const noexcept {
        bool const repeats_inserts = env_.options().retry && env_.options().retry->repeat_in_doubt;
        return options_.attempts > 1 &&
               (!is_insert() || repeats_inserts || rules_.repeated == repetition::after_losses);
    }

    std::string_view table_;
    entity_key const& key_;
    row_editor& editor_;
    modify_options const& options_;
    edit_rules const& rules_;
    environment const& env_;
    edited_entity edit_{};
    write_group group_{};
    tablemap::etag read_etag_{};
    std::optional<error> lost_{};  ///< the response to an earlier write was lost
    time_point began_{};
    int tries_ = 0;
};

}  // namespace

task<result<std::optional<etag>>> modify_row(std::string_view table, entity_key const& key, row_editor& editor,
                                             modify_options options, edit_rules rules) {
    auto const call = co_await this_call();
    row_modification modification{table, key, editor, options, rules, call.env};
    auto stored = co_await modification.run();
    co_return stored;
}

}  // namespace tablemap::detail

// SPDX-License-Identifier: Apache-2.0
#include "patterns/effect_failure.hpp"
#include "patterns/entity_move.hpp"
#include "patterns/handler_run.hpp"
#include "patterns/relay_pass.hpp"
#include "patterns/sweeps.hpp"

#include "tablemap/detail/wire/reader.hpp"

#include <algorithm>
#include <unordered_set>
#include <utility>

namespace tablemap::inline v0_1::detail {
namespace {

/// So many entities whose effects wait for a later pass are remembered; one more ends the pass.
constexpr std::size_t most_waiting = 1000;
/// So many effects are one pass, so that a partition with endless commits does not keep a relay from others.
constexpr std::size_t most_effects = 10'000;

/// One run of `relay_partition`.
class relay_pass {
public:
    relay_pass(relay_core const& relay, std::string_view partition_key, message_hold& message, environment const& env)
        : relay_(relay),
          partition_key_(partition_key),
          message_(message),
          env_(env),
          lease_(relay, partition_key, env) {}

    task<pass_result> run() {
        auto const began = env_.now();
        auto const taken = co_await lease_.take(effect_state::pending);
        if (!taken) {
            if (!env_.why_stop()) notify(relay_, done_.report, taken.error(), env_.now() - began);
            co_return pass_result{done_.report, taken.error()};
        }
        if (*taken != partition_lease::taking::taken) {
            done_.report.pending = lease_.head().pending;
            if (*taken == partition_lease::taking::leased_elsewhere) done_.report.end = pass_end::leased_elsewhere;
            co_return std::move(done_);
        }
        done_.report.passes = 1;
        co_await work();
        co_await end();
        notify(relay_, done_.report, done_.fault ? done_.fault : not_put_, env_.now() - began);
        co_return std::move(done_);
    }

private:
    enum class next_step : std::uint8_t { go_on, stop };

    // ---- pages ------------------------------------------------------------------------------------------------------

    task<> work() {
        std::string after = effect_key(effect_state::pending, 0);
        std::optional<continuation> from;
        for (;;) {
            auto const next = lease_.head().next;
            auto const page = page_after(after, from);
            request const reading = page;
            auto answer = co_await ask(reading);
            if (!answer.ok()) {
                done_.fault = answer.failure;
                co_return;
            }
            auto const rows = read_dynamic_page(answer.body);
            if (!rows) {
                done_.fault = rows.error();
                co_return;
            }
            for (auto const& row : *rows) {
                if (++seen_ > most_effects) co_return;
                auto const step = co_await take(row);
                if (step == next_step::stop) co_return;
            }
            from = std::move(answer.next);
            if (!from && rows->empty()) {
                seen_below_ = next;
                co_return;
            }
            if (!from && !may_be_more(rows->size())) co_return;
            if (!from) after = rows->back().row_key;
        }
    }

    query_page page_after(std::string const& after, std::optional<continuation> const& from) const {
        return {.table = relay_.place.table->name,
                .partition = key_bounds::exactly(partition_key_),
                .row = effects_after(effect_state::pending, after),
                .top = relay_.options.page_size,
                .from = from ? &*from : nullptr,
                .current = true};
    }

    /// False if no commit came since the head was written last, and all rows were seen.
    bool may_be_more(std::size_t rows) const noexcept {
        return rows == relay_.options.page_size || lease_.head().pending > static_cast<std::int64_t>(left_);
    }

    // ---- one effect -------------------------------------------------------------------------------------------------

    task<next_step> take(stored_entity const& row) {
        auto const effect = read_effect(row, effect_state::pending);
        if (!effect) {
            auto const step = co_await bad_row(row, effect.error());
            co_return step;
        }
        note_age(*effect);
        if (waiting_.contains(effect->entity)) {
            ++left_;
            co_return next_step::go_on;
        }
        if (is_too_early(*effect, relay_.options)) co_return waits(effect->entity);
        auto const blocked = co_await is_blocked(effect->entity);
        if (!blocked) co_return stopped_by(blocked.error());
        if (*blocked) {
            auto const step = co_await park(*effect, "an earlier effect of this entity is parked");
            co_return step;
        }
        co_await message_.renew_if_needed();
        auto const renewed = co_await lease_.renew_if_needed();
        if (auto const step = step_after(renewed); step == next_step::stop) co_return step;
        auto const step = co_await apply(*effect);
        co_return step;
    }

    task<next_step> apply(effect_row const& effect) {
        auto const* const handler = handler_of(effect.type);
        if (!handler) {
            error const unknown{
                library_errc::another_type,
                {.reason = "the relay has no handler for this effect, which another program stored", .member = "Type"}};
            auto const step = co_await bad_effect(effect, unknown);
            co_return step;
        }
        effect_context const context{.partition_key = partition_key_,
                                     .entity = effect.entity,
                                     .sequence = effect.sequence,
                                     .attempt = effect.attempts + 1,
                                     .committed = effect.committed};
        if (handler->move) {
            auto const step = co_await move(effect, *handler);
            co_return step;
        }
        handled outcome;
        if (handler->begin) {
            handler_run run{*handler, effect.json, context};
            co_await wait_for(run);
            outcome = run.outcome();
        } else {
            outcome = handler->apply(effect.json, context);
        }
        auto const step = co_await settle(effect, *handler, outcome);
        co_return step;
    }

    task<next_step> move(effect_row const& effect, effect_handler const& handler) {
        auto const outcome = co_await move_entity(relay_, lease_, partition_key_, effect, handler);
        if (!outcome) co_return stopped_by(outcome.error());
        if (outcome->lease_lost) {
            auto const step = step_after(partition_lease::writing::lost);
            co_return step;
        }
        auto const step = co_await settle(effect, handler, outcome->end, outcome->trace);
        co_return step;
    }

    /// Marks an effect as done, or notes its failure. `trace`: a row that is erased with the effect.
    task<next_step> settle(effect_row const& effect, effect_handler const& handler, handled outcome,
                           std::optional<encoded_write> trace = {}) {
        if (outcome.unreadable) {
            auto const why = outcome.failure->at(handler.type);
            auto const step = co_await bad_effect(effect, why);
            co_return step;
        }
        if (outcome.failure) {
            auto const step = co_await failed(effect, *outcome.failure);
            co_return step;
        }
        // The last mark gives the lease back, unless effects wait for a later pass: they are counted as pending.
        head_change const change{.pending = -1, .release_if_drained = true};
        std::vector<encoded_write> rows{erase_of(effect_state::pending, effect.sequence, partition_key_)};
        if (trace) rows.push_back(*std::move(trace));
        auto const written = co_await lease_.write(change, rows);
        if (written && *written == partition_lease::writing::written) ++done_.report.applied;
        auto const step = step_after(written);
        co_return lease_.is_held() ? step : next_step::stop;
    }

    effect_handler const* handler_of(std::string_view type) const noexcept {
        auto const& all = relay_.handlers;
        auto const found = std::find_if(all.begin(), all.end(), [&](auto const& h) { return h.type == type; });
        return found == all.end() ? nullptr : &*found;
    }

    /// True if an earlier effect of the entity is parked.
    task<result<bool>> is_blocked(std::string_view entity) {
        if (lease_.head().parked == 0) co_return false;
        filter::expression const of_entity =
            filter::comparison{"Entity", filter::comparison_operator::eq, std::string{entity}};
        auto const after = effect_key(effect_state::parked, 0);
        std::optional<continuation> from;
        do {
            query_page const page{.table = relay_.place.table->name,
                                  .partition = key_bounds::exactly(partition_key_),
                                  .row = effects_after(effect_state::parked, after),
                                  .where = &of_entity,
                                  .top = 1,
                                  .from = from ? &*from : nullptr,
                                  .current = true};
            request const reading = page;
            auto answer = co_await ask(reading);
            if (!answer.ok()) co_return failure{*answer.failure};
            auto const rows = read_dynamic_page(answer.body);
            if (!rows) co_return failure{rows.error()};
            if (!rows->empty()) co_return true;
            from = std::move(answer.next);
        } while (from);
        co_return false;
    }

    // ---- failures ---------------------------------------------------------------------------------------------------

    task<next_step> failed(effect_row effect, error const& why) {
        ++done_.report.failed;
        done_.report.last_failure = why;
        ++effect.attempts;
        effect.reason = reason_of(why);
        if (effect.attempts >= relay_.options.attempts) {
            auto const told = co_await tell_of(effect);
            if (!told) co_return next_step::stop;
            if (*told) {
                auto const step = co_await park(effect, effect.reason);
                co_return step;
            }
        }
        effect.next_try = relay_.options.now() + wait_after(effect.attempts, relay_.options);
        head_change const change{};
        std::vector<encoded_write> const rows{
            write_of(write_kind::replace, effect, effect_state::pending, partition_key_)};
        auto const written = co_await lease_.write(change, rows);
        co_return step_after(written) == next_step::go_on ? waits(effect.entity) : next_step::stop;
    }

    /// Puts a message into the poison queue, if there is one. False if that failed, nothing if the pass is to end. A
    /// relay that has lost its lease must put none: the other relay may succeed.
    task<std::optional<bool>> tell_of(effect_row const& effect) {
        if (relay_.place.queue.empty()) co_return std::optional{true};
        auto const renewed = co_await lease_.renew_if_needed();
        if (step_after(renewed) == next_step::stop) co_return std::optional<bool>{};
        auto const text = parked_text(relay_.place.table->name, partition_key_, effect);
        auto const put = co_await put_poison(relay_, text);
        if (put) co_return std::optional{true};
        not_put_ = put.error();
        done_.report.last_failure = put.error();
        co_return std::optional{false};
    }

    task<next_step> park(effect_row effect, std::string reason) {
        effect.reason = std::move(reason);
        std::vector<encoded_write> rows{erase_of(effect_state::pending, effect.sequence, partition_key_),
                                        write_of(write_kind::insert, effect, effect_state::parked, partition_key_)};
        auto const step = co_await park_rows(std::move(rows));
        co_return step;
    }

    task<next_step> park_rows(std::vector<encoded_write> rows) {
        head_change const change{.pending = -1, .parked = 1, .release_if_drained = true};
        auto const written = co_await lease_.write(change, rows);
        if (written && *written == partition_lease::writing::written) ++done_.report.parked;
        auto const step = step_after(written);
        co_return lease_.is_held() ? step : next_step::stop;
    }

    /// A row that cannot be read is parked as it is, so that it does not hold up the rows behind it in every pass.
    task<next_step> bad_row(stored_entity row, error const& why) {
        effect_row const known{.sequence = number_of_bad_row(row), .reason = reason_of(why)};
        auto const entity = entity_of_bad_row(row);
        auto const parked = parked_as_it_is(row, known.reason);
        std::vector<encoded_write> rows{erase_of(row), parked};
        auto const step = co_await set_aside(known, entity, why, std::move(rows));
        co_return step;
    }

    /// The same for a row with an effect that the relay cannot apply.
    task<next_step> bad_effect(effect_row effect, error const& why) {
        effect.reason = reason_of(why);
        auto const parked = write_of(write_kind::insert, effect, effect_state::parked, partition_key_);
        std::vector<encoded_write> rows{erase_of(effect_state::pending, effect.sequence, partition_key_), parked};
        auto const step = co_await set_aside(effect, effect.entity, why, std::move(rows));
        co_return step;
    }

    task<next_step> set_aside(effect_row const& known, std::string const& entity, error const& why,
                              std::vector<encoded_write> rows) {
        ++done_.report.bad_rows;
        if (!relay_.options.skip_bad_rows) co_return stopped_by(why);
        done_.report.last_failure = why;
        auto const told = co_await tell_of(known);
        if (!told) co_return next_step::stop;
        if (!*told) co_return waits(entity);
        auto const step = co_await park_rows(std::move(rows));
        co_return step;
    }

    /// Later effects of the entity must not overtake this one.
    next_step waits(std::string const& entity) {
        ++left_;
        if (!entity.empty()) waiting_.insert(entity);
        return waiting_.size() > most_waiting ? next_step::stop : next_step::go_on;
    }

    next_step stopped_by(error const& why) {
        done_.fault = why;
        return next_step::stop;
    }

    next_step step_after(result<partition_lease::writing> const& written) {
        if (!written) return stopped_by(written.error());
        if (*written == partition_lease::writing::written) return next_step::go_on;
        done_.report.end = pass_end::lease_lost;
        return next_step::stop;
    }

    // ---- the end ----------------------------------------------------------------------------------------------------

    /// Gives the lease back. After a fault it is tried as well, so that others need not wait.
    task<> end() {
        if (lease_.is_held()) {
            head_change const change{.release = true, .none_pending_below = left_ == 0 ? seen_below_ : 0};
            std::vector<encoded_write> const no_rows;
            auto const written = co_await lease_.write(change, no_rows);
            if (!written && !done_.fault) done_.fault = written.error();
        }
        done_.report.pending = lease_.head().pending;
        if (done_.report.end == pass_end::drained && done_.report.pending > 0) done_.report.end = pass_end::left;
    }

    void note_age(effect_row const& effect) {
        if (std::exchange(has_age_, true)) return;
        done_.report.lag = age_of(effect.committed, relay_.options.now());
    }

    relay_core const& relay_;
    std::string_view partition_key_;
    message_hold& message_;
    environment const& env_;
    partition_lease lease_;
    pass_result done_{};
    std::optional<error> not_put_{};             ///< the last fault of the poison queue
    std::unordered_set<std::string> waiting_{};  ///< entities whose effects wait for a later pass
    std::size_t left_ = 0;                       ///< effects that were read and stay pending
    bool has_age_ = false;
    std::int64_t seen_below_ = 0;  ///< every effect with a lower number was seen; 0: not known
    std::size_t seen_ = 0;
};

}  // namespace

task<pass_result> relay_partition(relay_core const& relay, std::string_view partition_key, message_hold& message) {
    auto const call = co_await this_call();
    relay_pass pass{relay, partition_key, message, call.env};
    auto done = co_await pass.run();
    co_return done;
}

}  // namespace tablemap::detail

// SPDX-License-Identifier: Apache-2.0
#include "patterns/effect_failure.hpp"
#include "patterns/entity_move.hpp"
#include "patterns/handler_run.hpp"
#include "patterns/relay_pass_run.hpp"

#include "tablemap/detail/wire/reader.hpp"

#include <algorithm>
#include <utility>

namespace tablemap::inline v0_1::detail {

task<relay_pass::next_step> relay_pass::take(stored_entity const& row) {
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

task<relay_pass::next_step> relay_pass::apply(effect_row const& effect) {
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

task<relay_pass::next_step> relay_pass::move(effect_row const& effect, effect_handler const& handler) {
    auto const outcome = co_await move_entity(relay_, lease_, partition_key_, effect, handler);
    if (!outcome) co_return stopped_by(outcome.error());
    if (outcome->lease_lost) {
        auto const step = step_after(partition_lease::writing::lost);
        co_return step;
    }
    if (outcome->refused) co_return waits_for_rights(effect, *outcome->refused);
    auto const step = co_await settle(effect, handler, outcome->end, outcome->trace);
    co_return step;
}

task<relay_pass::next_step> relay_pass::settle(effect_row const& effect, effect_handler const& handler, handled outcome,
                                               std::optional<encoded_write> trace) {
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

effect_handler const* relay_pass::handler_of(std::string_view type) const noexcept {
    auto const& all = relay_.handlers;
    auto const found = std::find_if(all.begin(), all.end(), [&](auto const& h) { return h.type == type; });
    return found == all.end() ? nullptr : &*found;
}

task<result<bool>> relay_pass::is_blocked(std::string_view entity) {
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

}  // namespace tablemap::detail

// SPDX-License-Identifier: Apache-2.0
#include "patterns/effect_failure.hpp"
#include "patterns/relay_pass_run.hpp"

#include <utility>

namespace tablemap::inline v0_1::detail {
namespace {

/// So many entities whose effects wait for a later pass are remembered; one more ends the pass.
constexpr std::size_t most_waiting = 1000;

}  // namespace

task<relay_pass::next_step> relay_pass::failed(effect_row effect, error const& why) {
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
    std::vector<encoded_write> const rows{write_of(write_kind::replace, effect, effect_state::pending, partition_key_)};
    auto const written = co_await lease_.write(change, rows);
    co_return step_after(written) == next_step::go_on ? waits(effect.entity) : next_step::stop;
}

task<std::optional<bool>> relay_pass::tell_of(effect_row const& effect) {
    if (relay_.place.queue.empty()) co_return std::optional{true};
    auto const renewed = co_await lease_.renew_if_needed();
    if (step_after(renewed) == next_step::stop) co_return std::optional<bool>{};
    auto const text = parked_text(relay_.place.table->name, partition_key_, effect);
    auto const queue = queue_of(relay_);
    auto const put = co_await put_poison(queue, text);
    if (put) co_return std::optional{true};
    refused_ = put.error();
    done_.report.last_failure = put.error();
    co_return std::optional{false};
}

task<relay_pass::next_step> relay_pass::park(effect_row effect, std::string reason) {
    effect.reason = std::move(reason);
    std::vector<encoded_write> rows{erase_of(effect_state::pending, effect.sequence, partition_key_),
                                    write_of(write_kind::insert, effect, effect_state::parked, partition_key_)};
    auto const step = co_await park_rows(std::move(rows));
    co_return step;
}

task<relay_pass::next_step> relay_pass::park_rows(std::vector<encoded_write> rows) {
    head_change const change{.pending = -1, .parked = 1, .release_if_drained = true};
    auto const written = co_await lease_.write(change, rows);
    if (written && *written == partition_lease::writing::written) ++done_.report.parked;
    auto const step = step_after(written);
    co_return lease_.is_held() ? step : next_step::stop;
}

task<relay_pass::next_step> relay_pass::bad_row(stored_entity row, error const& why) {
    effect_row const known{.sequence = number_of_bad_row(row), .reason = reason_of(why)};
    auto const entity = entity_of_bad_row(row);
    auto const parked = parked_as_it_is(row, known.reason);
    std::vector<encoded_write> rows{erase_of(row), parked};
    auto const step = co_await set_aside(known, entity, why, std::move(rows));
    co_return step;
}

task<relay_pass::next_step> relay_pass::bad_effect(effect_row effect, error const& why) {
    effect.reason = reason_of(why);
    auto const parked = write_of(write_kind::insert, effect, effect_state::parked, partition_key_);
    std::vector<encoded_write> rows{erase_of(effect_state::pending, effect.sequence, partition_key_), parked};
    auto const step = co_await set_aside(effect, effect.entity, why, std::move(rows));
    co_return step;
}

task<relay_pass::next_step> relay_pass::set_aside(effect_row const& known, std::string const& entity, error const& why,
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

relay_pass::next_step relay_pass::waits(std::string const& entity) {
    ++left_;
    if (!entity.empty()) waiting_.insert(entity);
    return waiting_.size() > most_waiting ? next_step::stop : next_step::go_on;
}

relay_pass::next_step relay_pass::waits_for_rights(effect_row const& effect, error const& why) {
    ++done_.report.failed;
    done_.report.last_failure = refused_ = why;
    return waits(effect.entity);
}

relay_pass::next_step relay_pass::stopped_by(error const& why) {
    done_.fault = why;
    return next_step::stop;
}

relay_pass::next_step relay_pass::step_after(result<partition_lease::writing> const& written) {
    if (!written) return stopped_by(written.error());
    if (*written == partition_lease::writing::written) return next_step::go_on;
    done_.report.end = pass_end::lease_lost;
    return next_step::stop;
}

}  // namespace tablemap::detail

// SPDX-License-Identifier: Apache-2.0
#include "patterns/relay_pass_run.hpp"
#include "patterns/sweeps.hpp"

#include "tablemap/detail/wire/reader.hpp"

#include <utility>

namespace tablemap::inline v0_1::detail {
namespace {

/// So many effects are one pass, so that a partition with endless commits does not keep a relay from others.
constexpr std::size_t most_effects = 10'000;

}  // namespace

task<pass_result> relay_pass::run() {
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
    notify(relay_, done_.report, done_.fault ? done_.fault : refused_, env_.now() - began);
    co_return std::move(done_);
}

task<> relay_pass::work() {
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

query_page relay_pass::page_after(std::string const& after, std::optional<continuation> const& from) const {
    return {.table = relay_.place.table->name,
            .partition = key_bounds::exactly(partition_key_),
            .row = effects_after(effect_state::pending, after),
            .top = relay_.options.page_size,
            .from = from ? &*from : nullptr,
            .current = true};
}

bool relay_pass::may_be_more(std::size_t rows) const noexcept {
    return rows == relay_.options.page_size || lease_.head().pending > static_cast<std::int64_t>(left_);
}

task<> relay_pass::end() {
    if (lease_.is_held()) {
        head_change const change{.release = true, .none_pending_below = left_ == 0 ? seen_below_ : 0};
        std::vector<encoded_write> const no_rows;
        auto const written = co_await lease_.write(change, no_rows);
        if (!written && !done_.fault) done_.fault = written.error();
    }
    done_.report.pending = lease_.head().pending;
    if (done_.report.end == pass_end::drained && done_.report.pending > 0) done_.report.end = pass_end::left;
}

void relay_pass::note_age(effect_row const& effect) {
    if (std::exchange(has_age_, true)) return;
    done_.report.lag = age_of(effect.committed, relay_.options.now());
}

task<pass_result> relay_partition(relay_core const& relay, std::string_view partition_key, message_hold& message) {
    auto const call = co_await this_call();
    relay_pass pass{relay, partition_key, message, call.env};
    auto done = co_await pass.run();
    co_return done;
}

}  // namespace tablemap::detail

// SPDX-License-Identifier: Apache-2.0
#include "patterns/relay_loop.hpp"
#include "patterns/relay_pass.hpp"
#include "store/ask.hpp"

#include <algorithm>
#include <utility>

namespace tablemap::inline v0_1::detail {
namespace {

/// The work of the relay of an outbox.
class effect_work final : public relay_work {
public:
    effect_work(relay_core const& relay, environment const& env) : relay_(relay), env_(env) {}

    task<message_end> work_on(std::string partition, queue_message const& message, message_hold& hold) override {
        auto const pass = co_await relay_partition(relay_, partition, hold);
        add(total_, pass.report);
        if (pass.fault && !env_.why_stop()) total_.last_failure = pass.fault;  // the pass has reported it
        co_return message_end{next_turn(pass, message.dequeue_count), !pass.fault || is_of_partition(*pass.fault)};
    }

    task<> sweep() override {
        auto const pending_before = std::exchange(total_.pending, 0);
        auto const end = co_await sweep_into(relay_, total_);
        // Each sweep meets those of now anew; one that was cut off, only some of them.
        if (!end.is_whole) total_.pending = std::max(pending_before, total_.pending);
        if (end.fault && !env_.why_stop()) total_.last_failure = end.fault;  // the sweep has reported it
    }

    void note(error const& fault) override {
        total_.last_failure = fault;
        notify(relay_, {}, fault, {});
    }

    relay_report const& done() const noexcept { return total_; }

private:
    /// The time after which a message is worked on again; nothing if it has done its work.
    std::optional<std::chrono::milliseconds> next_turn(pass_result const& pass, std::uint32_t dequeue_count) const {
        if (pass.fault) return repetition_wait(dequeue_count);
        switch (pass.report.end) {
        case pass_end::drained: return std::nullopt;
        case pass_end::left: return repetition_wait(dequeue_count);
        // Should the other relay end without a trace, the partition is free by then.
        default: return relay_.options.lease + relay_.options.clock_margin;
        }
    }

    relay_core const& relay_;
    environment const& env_;
    relay_report total_{};
};

}  // namespace

task<result<relay_report>> relay_effects_until_stopped(relay_ptr relay) {
    auto const call = co_await this_call();
    effect_work work{*relay, call.env};
    auto const queue = queue_of(*relay);
    auto const& o = relay->options;
    relay_waits const waits{o.idle_wait, o.longest_idle_wait, o.sweep_every};
    co_await relay_until_stopped(queue, waits, work);
    co_return work.done();
}

}  // namespace tablemap::detail

// SPDX-License-Identifier: Apache-2.0
#include "patterns/relay_pass.hpp"
#include "patterns/sweeps.hpp"

#include "tablemap/store/queue_request.hpp"
#include "tablemap/store/service_response.hpp"

#include <algorithm>
#include <utility>

namespace tablemap::inline v0_1::detail {
namespace {

constexpr std::chrono::milliseconds first_repetition = std::chrono::seconds{1};
constexpr std::chrono::milliseconds longest_repetition = std::chrono::minutes{5};

/// The wait before a message is worked on again.
std::chrono::milliseconds repetition_wait(std::uint32_t dequeue_count) noexcept {
    auto const doublings = std::min<std::uint32_t>(std::max<std::uint32_t>(dequeue_count, 1) - 1, 10);
    return std::min(first_repetition * (std::int64_t{1} << doublings), longest_repetition);
}

/// One run of `relay_until_stopped`.
class relay_loop {
public:
    relay_loop(relay_core const& relay, environment const& env)
        : relay_(relay), env_(env), next_sweep_(env.now()), wait_(relay.options.idle_wait) {}

    task<relay_report> run() {
        while (!env_.why_stop()) {
            bool worked = false;
            if (!relay_.place.queue.empty()) worked = co_await take_message();
            if (env_.now() >= next_sweep_) co_await sweep();
            if (worked) {
                wait_ = relay_.options.idle_wait;
                continue;
            }
            co_await pause_until(end_of_wait());
        }
        co_return total_;
    }

private:
    /// True if there was a message and nothing failed.
    task<bool> take_message() {
        request const taking = get_messages{relay_.place.queue, 1, hidden_time(relay_.options)};
        auto answer = co_await ask(taking);
        if (!answer.ok()) {
            note(*answer.failure);
            co_return false;
        }
        if (!answer.service || answer.service->messages.empty()) co_return false;
        auto const message = answer.service->messages.front();
        auto const ours = read_message(message.text, relay_.place.table->name);
        message_hold hold{relay_, env_, message.id, message.receipt};
        bool good = false;
        if (ours)
            good = co_await work_on(ours->partition, message.dequeue_count, hold);
        else
            good = co_await put_away(message, hold);
        co_return good;
    }

    task<bool> work_on(std::string partition, std::uint32_t dequeue_count, message_hold& hold) {
        auto const pass = co_await relay_partition(relay_, partition, hold);
        add(total_, pass.report);
        if (pass.fault && !env_.why_stop()) total_.last_failure = pass.fault;  // the pass has reported it
        auto const ended = co_await hold.finish(next_turn(pass, dequeue_count));
        if (!ended) note(ended.error());
        co_return ended && !pass.fault;
    }

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

    /// A message that is not of this outbox is left to others, and ends in the poison queue if nobody wants it.
    task<bool> put_away(queue_message const& message, message_hold& hold) {
        std::optional<std::chrono::milliseconds> again = repetition_wait(message.dequeue_count);
        if (message.dequeue_count >= relay_.options.foreign_dequeues) {
            auto const text = foreign_text(message.text, message.dequeue_count);
            auto const put = co_await put_poison(relay_, text);
            if (put)
                again.reset();
            else
                note(put.error());
        }
        auto const ended = co_await hold.finish(again);
        if (!ended) note(ended.error());
        co_return ended.has_value();
    }

    task<> sweep() {
        auto const fault = co_await sweep_into(relay_, total_);
        if (fault && !env_.why_stop()) total_.last_failure = fault;  // the sweep has reported it
        next_sweep_ = after_about(relay_.options.sweep_every, env_);
    }

    /// The end of the call is no fault.
    void note(error const& fault) {
        if (env_.why_stop()) return;
        total_.last_failure = fault;
        notify(relay_, {}, fault, {});
    }

    time_point end_of_wait() {
        auto until = next_sweep_;
        if (!relay_.place.queue.empty()) {
            until = std::min(until, after_about(wait_, env_));
            wait_ = std::min(2 * wait_, relay_.options.longest_idle_wait);
        }
        return within_call(until, env_);
    }

    relay_core const& relay_;
    environment const& env_;
    relay_report total_{};
    time_point next_sweep_;
    std::chrono::milliseconds wait_;
};

}  // namespace

task<result<relay_report>> relay_until_stopped(relay_ptr relay) {
    auto const call = co_await this_call();
    relay_loop loop{*relay, call.env};
    auto done = co_await loop.run();
    co_return done;
}

}  // namespace tablemap::detail

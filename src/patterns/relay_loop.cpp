// SPDX-License-Identifier: Apache-2.0
#include "patterns/relay_loop.hpp"

#include "patterns/effect_failure.hpp"
#include "patterns/met_faults.hpp"
#include "patterns/sweeps.hpp"
#include "store/ask.hpp"
#include "tablemap/store/queue_request.hpp"
#include "tablemap/store/service_response.hpp"

#include <algorithm>
#include <utility>

namespace tablemap::inline v0_1::detail {
namespace {

constexpr std::chrono::milliseconds first_repetition = std::chrono::seconds{1};
constexpr std::chrono::milliseconds longest_repetition = std::chrono::minutes{5};

/// Puts a message with another text into the poison queue. All is borrowed but the text.
task<message_end> poison_instead(relay_queue const& queue, queue_message const& message, std::string text,
                                 relay_work& work, environment const& env) {
    auto const put = co_await put_poison(queue, std::move(text));
    if (put) co_return message_end{};
    if (!env.why_stop()) work.note(put.error());
    co_return message_end{.again_after = repetition_wait(message.dequeue_count), .is_good = false};
}

/// True for a fault that stays until somebody removes its cause.
bool is_lasting(error const& e) noexcept { return is_of_partition(e) && e.code() != library_errc::too_many_conflicts; }

/// One run of `relay_until_stopped`.
class relay_loop {
public:
    relay_loop(relay_queue const& queue, relay_waits const& waits, relay_work& work, environment const& env)
        : queue_(queue), waits_(waits), work_(work), env_(env), next_sweep_(env.now()), wait_(waits.idle) {}

    task<> run() {
        while (!env_.why_stop()) {
            bool worked = false;
            if (has_queue()) worked = co_await take_message();
            if (env_.now() >= next_sweep_) co_await sweep();
            if (worked) {
                wait_ = waits_.idle;
                continue;
            }
            co_await pause_until(end_of_wait());
        }
    }

private:
    bool has_queue() const noexcept { return !queue_.name.empty(); }

    /// True if there was a message, and the next one need not wait.
    task<bool> take_message() {
        request const taking = get_messages{queue_.name, 1, queue_.hidden};
        auto answer = co_await ask(taking);
        if (!answer.ok()) {
            note(*answer.failure);
            co_return false;
        }
        if (!answer.service || answer.service->messages.empty()) co_return false;
        auto const message = answer.service->messages.front();
        auto const partition = partition_in(queue_, message.text);
        message_hold hold{queue_, env_, message.id, message.receipt};
        message_end end;
        if (partition)
            end = co_await work_.work_on(*partition, message, hold);
        else
            end = co_await put_away(message);
        auto const ended = co_await hold.finish(end.again_after);
        if (!ended) note(ended.error());
        bool const may_go_on = ended && end.is_good;
        co_return may_go_on;
    }

    /// A message that is not for this relay is left to others, and ends in the poison queue if nobody wants it.
    task<message_end> put_away(queue_message const& message) {
        if (message.dequeue_count < queue_.deliveries)
            co_return message_end{.again_after = repetition_wait(message.dequeue_count)};
        auto text = foreign_text(queue_, message.text, message.dequeue_count);
        auto const end = co_await poison_instead(queue_, message, std::move(text), work_, env_);
        co_return end;
    }

    task<> sweep() {
        co_await work_.sweep();
        next_sweep_ = after_about(waits_.sweep_every, env_);
    }

    /// The end of the call is no fault.
    void note(error const& fault) {
        if (!env_.why_stop()) work_.note(fault);
    }

    time_point end_of_wait() {
        auto until = next_sweep_;
        if (has_queue()) {
            until = std::min(until, after_about(wait_, env_));
            wait_ = std::min(2 * wait_, waits_.longest_idle);
        }
        return within_call(until, env_);
    }

    relay_queue const& queue_;
    relay_waits const& waits_;
    relay_work& work_;
    environment const& env_;
    time_point next_sweep_;
    std::chrono::milliseconds wait_;
};

}  // namespace

std::chrono::milliseconds repetition_wait(std::uint32_t dequeue_count) noexcept {
    auto const doublings = std::min<std::uint32_t>(std::max<std::uint32_t>(dequeue_count, 1) - 1, 10);
    return std::min(first_repetition * (std::int64_t{1} << doublings), longest_repetition);
}

task<message_end> failed_end(relay_queue const& queue, std::string partition, queue_message const& message,
                             error const& fault, relay_work& work) {
    auto const call = co_await this_call();
    message_end end{.again_after = repetition_wait(message.dequeue_count)};
    if (is_lasting(fault) && message.dequeue_count >= queue.deliveries) {
        auto text = failed_text(queue, partition, message.dequeue_count, reason_of(fault));
        end = co_await poison_instead(queue, message, std::move(text), work, call.env);
    }
    if (!is_of_partition(fault)) end.is_good = false;
    co_return end;
}

message_end left_end(queue_message const& message) noexcept {
    auto const wait = repetition_wait(message.dequeue_count);
    if (wait == longest_repetition) return {};
    return {.again_after = wait};
}

bool is_of_partition(error const& e) noexcept {
    return e.kind() != error_kind::unavailable && e.kind() != error_kind::cancelled &&
           e.kind() != error_kind::timed_out && e.source() != error_source::transport &&
           e.code() != service_errc::table_not_found && !is_refusal_of_rights(e);
}

task<> relay_until_stopped(relay_queue const& queue, relay_waits waits, relay_work& work) {
    auto const call = co_await this_call();
    relay_loop loop{queue, waits, work, call.env};
    co_await loop.run();
}

}  // namespace tablemap::detail

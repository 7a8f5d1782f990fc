// SPDX-License-Identifier: Apache-2.0
#include "patterns/index_relay_pass.hpp"
#include "patterns/option_check.hpp"
#include "patterns/poison_reading.hpp"
#include "patterns/relay_loop.hpp"
#include "store/ask.hpp"
#include "tablemap/edm/limits.hpp"

#include <algorithm>
#include <utility>

namespace tablemap::inline v0_1::detail {
namespace {

relay_queue queue_of(index_relay_core const& relay) noexcept {
    return {.name = relay.options.queue,
            .table = relay.table->name,
            .what = "index",
            .deliveries = relay.options.deliveries};
}

/// The work of a relay of indexes.
class index_work final : public relay_work {
public:
    index_work(index_relay_core const& relay, relay_queue const& queue, environment const& env)
        : relay_(relay), queue_(queue), env_(env) {}

    task<message_end> work_on(std::string partition, queue_message const& message, message_hold& hold) override {
        index_relay_report done;
        std::vector<std::string> one{partition};
        auto const fault = co_await relay_intents(relay_, std::move(one), 1, hold, done);
        add_to_total(done);
        if (!fault && done.left > 0) co_return left_end(message);
        if (!fault) co_return message_end{};
        auto const end = co_await failed_end(queue_, partition, message, *fault, *this);
        co_return end;
    }

    task<> sweep() override {
        auto const left_before = std::exchange(total_.left, 0);
        index_relay_report done;
        auto const end = co_await sweep_intents(relay_, done);
        add_to_total(done);
        // Each sweep meets those of now anew; one that was cut off, only some of them.
        if (!end.is_whole) total_.left = std::max(left_before, total_.left);
    }

    void note(error const& fault) override {
        total_.last_failure = fault;
        notify(relay_, {}, fault, {});
    }

    index_relay_report const& done() const noexcept { return total_; }

private:
    /// The end of the call is no fault.
    void add_to_total(index_relay_report done) {
        if (env_.why_stop()) done.last_failure.reset();
        add(total_, done);
    }

    index_relay_core const& relay_;
    relay_queue const& queue_;
    environment const& env_;
    index_relay_report total_{};
};

}  // namespace

result<void> check_options(index_relay_options const& o) {
    constexpr std::chrono::milliseconds none{0};
    if (o.page_size < 1 || o.page_size > limits::page_entities)
        return failure{out_of_range("page_size", "a page has 1 to 1,000 rows")};
    if (o.attempts < 1) return failure{out_of_range("attempts", "an entity is tried at least once")};
    if (o.deliveries < 1) return failure{out_of_range("deliveries", "a message is delivered at least once")};
    if (o.sweep_every <= none)
        return failure{out_of_range("sweep_every", "the wait between sweeps is longer than nothing")};
    if (o.idle_wait <= none || o.longest_idle_wait < o.idle_wait)
        return failure{
            out_of_range("idle_wait", "waits are longer than nothing, and the longest is not below the first")};
    if (auto r = check_relay_queue(o.queue); !r) return r;
    if (!o.now) return failure{out_of_range("now", "the age of intents is counted to a time; leave the default")};
    return {};
}

task<result<void>> announce_partitions(index_relay_ptr relay, result<std::vector<std::string>> partitions) {
    if (!partitions) co_return failure{partitions.error()};
    auto const queue = queue_of(*relay);
    if (queue.name.empty()) co_return failure{no_queue()};
    for (auto const& p : *partitions) {
        auto const announced = co_await announce(queue, p);
        if (!announced) co_return failure{announced.error()};
    }
    co_return result<void>{};
}

task<result<put_back_report>> put_back_partitions(index_relay_ptr relay) {
    auto const queue = queue_of(*relay);
    auto done = co_await put_back_failed(queue);
    co_return done;
}

task<result<index_relay_report>> relay_indexes_until_stopped(index_relay_ptr relay) {
    auto const call = co_await this_call();
    auto const queue = queue_of(*relay);
    index_work work{*relay, queue, call.env};
    auto const& o = relay->options;
    relay_waits const waits{o.idle_wait, o.longest_idle_wait, o.sweep_every};
    co_await relay_until_stopped(queue, waits, work);
    co_return work.done();
}

}  // namespace tablemap::detail

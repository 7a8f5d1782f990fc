// SPDX-License-Identifier: Apache-2.0
#include "patterns/outbox_rows.hpp"
#include "patterns/poison_reading.hpp"
#include "patterns/relay_pass.hpp"
#include "store/ask.hpp"

#include <utility>

namespace tablemap::inline v0_1::detail {
namespace {

/// The effects of an outbox that were parked.
class parked_effects final : public poison_work {
public:
    explicit parked_effects(relay_core const& relay) : relay_(relay) {}

    std::optional<std::string> partition_in(std::string_view text) const override {
        return read_parked_partition(text, relay_.place.table->name);
    }
    task<result<std::size_t>> put_back(std::string partition_key) override {
        auto moved = co_await put_back_in(relay_, std::move(partition_key));
        co_return moved;
    }

private:
    relay_core const& relay_;
};

/// Without a queue.
task<result<put_back_report>> put_back_swept(relay_core const& relay) {
    partition_count count;
    filter::expression const is_parked = filter::comparison{"Parked", filter::comparison_operator::gt, std::int64_t{0}};
    std::optional<continuation> from;
    do {
        query_page const page{.table = relay.place.table->name,
                              .row = key_bounds::exactly(outbox_head_key),
                              .where = &is_parked,
                              .from = from ? &*from : nullptr,
                              .current = true};
        request const reading = page;
        auto answer = co_await ask(reading);
        auto const partitions = partitions_in(answer);
        if (!partitions) co_return failure{partitions.error()};
        for (auto const& p : *partitions) {
            auto const moved = co_await put_back_in(relay, p);
            if (!count.add(moved)) co_return failure{moved.error()};
        }
        from = std::move(answer.next);
    } while (from);
    co_return std::move(count.report);
}

}  // namespace

task<result<put_back_report>> put_back_all(relay_ptr relay) {
    if (relay->place.queue.empty()) {
        auto swept = co_await put_back_swept(*relay);
        co_return swept;
    }
    auto const queue = queue_of(*relay);
    parked_effects work{*relay};
    auto done = co_await put_back_poison(queue, work);
    co_return done;
}

}  // namespace tablemap::detail

// SPDX-License-Identifier: Apache-2.0
#include "patterns/outbox_rows.hpp"
#include "patterns/sweeps.hpp"

#include "store/ask.hpp"
#include "store/page_reading.hpp"

#include <algorithm>
#include <utility>

namespace tablemap::inline v0_1::detail {
namespace {

filter::expression has_effects() {
    auto const some = [](char const* count) {
        return filter::comparison{count, filter::comparison_operator::gt, std::int64_t{0}};
    };
    return filter::disjunction{some("Pending"), some("Parked")};
}

/// One run of `read_outbox_status`.
class outbox_reading {
public:
    explicit outbox_reading(outbox_place place) : place_(std::move(place)) {}

    /// Adds the heads of these partitions.
    task<result<void>> read(key_bounds partitions) {
        auto const call = co_await this_call();
        auto const where = has_effects();
        query_page const what{.table = place_.table->name,
                              .partition = partitions,
                              .row = key_bounds::exactly(outbox_head_key),
                              .where = &where,
                              .current = true};
        page_reading pages{what, call.env};
        while (!pages.ended()) {
            auto const heads = co_await pages.next_rows();
            if (!heads) co_return failure{heads.error()};
            for (auto const& row : *heads) {
                auto const added = co_await add(row);
                if (!added) co_return failure{added.error()};
            }
        }
        co_return result<void>{};
    }

    outbox_status const& total() const noexcept { return total_; }

private:
    task<result<void>> add(stored_entity const& row) {
        auto const head = read_head(row);
        if (!head) {
            ++total_.unreadable;
            co_return result<void>{};
        }
        ++total_.partitions;
        total_.pending += head->pending;
        total_.parked += head->parked;
        if (head->pending == 0) co_return result<void>{};
        auto const oldest = co_await read_oldest(row.partition_key);
        if (!oldest) co_return failure{oldest.error()};
        if (*oldest) total_.lag = std::max<std::chrono::nanoseconds>(total_.lag, age_of(**oldest));
        co_return result<void>{};
    }

    /// Nothing if the effects were applied meanwhile, or the row cannot be read.
    task<result<std::optional<ticks>>> read_oldest(std::string partition_key) {
        auto const call = co_await this_call();
        auto const after = effect_key(effect_state::pending, 0);
        query_page const what{.table = place_.table->name,
                              .partition = key_bounds::exactly(partition_key),
                              .row = effects_after(effect_state::pending, after),
                              .top = 1,
                              .current = true};
        page_reading pages{what, call.env};
        while (!pages.ended()) {
            auto const rows = co_await pages.next_rows();
            if (!rows) co_return failure{rows.error()};
            if (rows->empty()) continue;
            auto const effect = read_effect(rows->front(), effect_state::pending);
            if (effect) co_return std::optional{effect->committed};
            ++total_.unreadable;
            co_return std::optional<ticks>{};
        }
        co_return std::optional<ticks>{};
    }

    outbox_place place_;
    outbox_status total_{};
};

}  // namespace

task<result<outbox_status>> read_outbox_status(outbox_place place, result<std::vector<std::string>> partitions) {
    if (!partitions) co_return failure{partitions.error()};
    outbox_reading reading{std::move(place)};
    if (partitions->empty()) {
        key_bounds const all;
        auto const read = co_await reading.read(all);
        if (!read) co_return failure{read.error()};
    }
    for (auto const& p : *partitions) {
        auto const one = key_bounds::exactly(p);
        auto const read = co_await reading.read(one);
        if (!read) co_return failure{read.error()};
    }
    co_return reading.total();
}

}  // namespace tablemap::detail

// SPDX-License-Identifier: Apache-2.0
#include "patterns/relay_pass.hpp"

#include "store/page_reading.hpp"

#include <algorithm>
#include <utility>

namespace tablemap::inline v0_1::detail {
namespace {

/// An effect is erased and inserted, and the head is written with them.
constexpr std::size_t effects_in_group = 49;
constexpr std::size_t bytes_in_group = 1024 * 1024;

error worked_on() {
    return error{library_errc::too_many_conflicts,
                 {.reason = "a relay works on the partition; call it again when that is done"}};
}

/// One run of `put_back_parked` on one partition. The lease keeps relays away: one that has passed the place of an
/// effect would apply a later one of the entity before it.
class putting_back {
public:
    putting_back(relay_core const& relay, std::string_view partition_key, environment const& env)
        : relay_(relay), partition_key_(partition_key), env_(env), lease_(relay, partition_key, env) {}

    task<result<std::size_t>> run() {
        auto const taken = co_await lease_.take(effect_state::parked);
        if (!taken) co_return failure{taken.error()};
        if (*taken == partition_lease::taking::leased_elsewhere) co_return failure{worked_on()};
        if (*taken == partition_lease::taking::nothing_to_do) co_return std::size_t{0};
        auto const moved = co_await move_all();
        if (!lease_.is_held()) {
            if (!moved) co_return failure{moved.error()};
            co_return failure{worked_on()};
        }
        head_change const change{.release = true, .none_parked = moved.has_value()};
        std::vector<encoded_write> const no_rows;
        auto const released = co_await lease_.write(change, no_rows);
        if (!moved) co_return failure{moved.error()};
        if (!released) co_return failure{released.error()};
        co_return moved_;
    }

private:
    task<result<void>> move_all() {
        for (;;) {
            auto const rows = co_await first_parked();
            if (!rows) co_return failure{rows.error()};
            if (rows->empty()) co_return result<void>{};
            auto const moved = co_await move_group(*rows);
            if (!moved) co_return failure{moved.error()};
        }
    }

    /// Those from the beginning, since what was moved is gone from there; none if there are none.
    task<result<std::vector<stored_entity>>> first_parked() {
        auto const after = effect_key(effect_state::parked, 0);
        query_page const what{.table = relay_.place.table->name,
                              .partition = key_bounds::exactly(partition_key_),
                              .row = effects_after(effect_state::parked, after),
                              .top = effects_in_group,
                              .current = true};
        page_reading pages{what, env_};
        while (!pages.ended()) {
            auto rows = co_await pages.next_rows();
            if (!rows || !rows->empty()) co_return rows;
        }
        co_return std::vector<stored_entity>{};
    }

    /// Moves the first effects of a page. What does not fit comes with the next page.
    task<result<void>> move_group(std::vector<stored_entity> const& page) {
        std::vector<encoded_write> rows;
        std::size_t bytes = 0;
        std::int64_t count = 0;
        for (auto const& row : page) {
            auto effect = read_effect(row, effect_state::parked);
            if (!effect) co_return failure{effect.error()};
            bytes += 2 * (effect->json.size() + effect->entity.size());
            if (count > 0 && bytes > bytes_in_group) break;
            effect->attempts = 0;
            effect->reason.clear();
            rows.push_back(erase_of(effect_state::parked, effect->sequence, partition_key_));
            rows.push_back(write_of(write_kind::insert, *effect, effect_state::pending, partition_key_));
            ++count;
        }
        head_change const change{.pending = count, .parked = -count};
        auto const written = co_await lease_.write(change, std::move(rows));
        if (!written) co_return failure{written.error()};
        if (*written == partition_lease::writing::lost) co_return failure{worked_on()};
        moved_ += static_cast<std::size_t>(count);
        co_return result<void>{};
    }

    relay_core const& relay_;
    std::string_view partition_key_;
    environment const& env_;
    partition_lease lease_;
    std::size_t moved_ = 0;
};

}  // namespace

task<result<std::size_t>> put_back_in(relay_core const& relay, std::string partition_key) {
    auto const call = co_await this_call();
    putting_back work{relay, partition_key, call.env};
    auto moved = co_await work.run();
    co_return moved;
}

task<result<std::size_t>> put_back_parked(relay_ptr relay, result<std::vector<std::string>> partitions) {
    if (!partitions) co_return failure{partitions.error()};
    auto const queue = queue_of(*relay);
    std::size_t total = 0;
    for (auto const& p : *partitions) {
        auto const moved = co_await put_back_in(*relay, p);
        if (!moved) co_return failure{moved.error()};
        total += *moved;
        if (*moved == 0 || queue.name.empty()) continue;
        auto const announced = co_await announce(queue, p);
        if (!announced) co_return failure{announced.error()};
    }
    co_return total;
}

}  // namespace tablemap::detail

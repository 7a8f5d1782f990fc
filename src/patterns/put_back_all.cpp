// SPDX-License-Identifier: Apache-2.0
#include "patterns/relay_pass.hpp"

#include "patterns/outbox_rows.hpp"
#include "patterns/relay_loop.hpp"
#include "store/ask.hpp"
#include "tablemap/store/queue_request.hpp"
#include "tablemap/store/service_response.hpp"

#include <map>
#include <set>
#include <utility>

namespace tablemap::inline v0_1::detail {
namespace {

constexpr std::size_t messages_at_once = 32;
/// So many messages are one call: they are kept in memory, and those of others may be without end.
constexpr std::size_t most_messages = 10'000;
/// Longer than most calls take. A message that appears before its call has ended is handled twice, which does no harm.
constexpr std::chrono::minutes hidden_for{5};

/// Counts what is done with partitions.
class partition_count {
public:
    /// False if the next partition would meet the same fault.
    bool add(result<std::size_t> const& moved) {
        if (moved) return add_moved(*moved);
        if (moved.error().code() == library_errc::too_many_conflicts) {
            ++report.busy_partitions;
            return true;
        }
        if (!is_of_partition(moved.error())) return false;
        report.last_failure = moved.error();
        return true;
    }

    put_back_report report{};

private:
    bool add_moved(std::size_t effects) {
        report.effects += effects;
        if (effects > 0) ++report.partitions;
        return true;
    }
};

/// One run of `put_back_all` with a queue. All messages are taken before anything is put back: a message that comes
/// later may be of an effect that was parked once more, and must stay.
class poison_reading {
public:
    explicit poison_reading(relay_core const& relay)
        : relay_(relay), work_queue_(queue_of(relay)), queue_(poison_queue(relay.place.queue)) {}

    task<result<put_back_report>> run() {
        auto done = co_await take_all();
        if (done) done = co_await put_back_each();
        auto const shown = co_await show_left();
        if (!done) co_return failure{done.error()};
        if (!shown) co_return failure{shown.error()};
        co_return std::move(count_.report);
    }

private:
    struct taken_message {
        std::string id{};
        std::string receipt{};
    };

    // ---- taking -----------------------------------------------------------------------------------------------------

    task<result<void>> take_all() {
        request const taking = get_messages{queue_, messages_at_once, hidden_for};
        while (seen_.size() < most_messages) {
            auto const answer = co_await ask(taking);
            if (!answer.ok()) co_return failure_of(*answer.failure);
            if (!answer.service || !keep(answer.service->messages)) break;
        }
        co_return result<void>{};
    }

    /// Nothing was ever parked while there is no poison queue.
    static result<void> failure_of(error const& e) {
        if (e.code() == service_errc::queue_not_found) return {};
        return failure{e};
    }

    /// False if there are no more messages but those that were taken before.
    bool keep(std::vector<queue_message> const& page) {
        bool some = false;
        for (auto const& m : page) {
            if (!seen_.insert(m.id).second) continue;
            some = true;
            keep(m);
        }
        return some;
    }

    void keep(queue_message const& m) {
        auto partition = read_parked_partition(m.text, relay_.place.table->name);
        auto& all = partition ? named_[*std::move(partition)] : left_;
        all.push_back({m.id, m.receipt});
    }

    // ---- partitions -------------------------------------------------------------------------------------------------

    task<result<void>> put_back_each() {
        while (!named_.empty()) {
            auto const next = named_.extract(named_.begin());
            auto const ended = co_await put_back(next.key(), next.mapped());
            if (!ended) co_return failure{ended.error()};
        }
        co_return result<void>{};
    }

    task<result<void>> put_back(std::string partition_key, std::vector<taken_message> messages) {
        auto const moved = co_await put_back_in(relay_, partition_key);
        bool const may_go_on = count_.add(moved);
        if (!moved) {
            left_.insert(left_.end(), messages.begin(), messages.end());
            if (!may_go_on) co_return failure{moved.error()};
            co_return result<void>{};
        }
        // Without effects, too: an earlier call may have ended after it had put them back.
        auto const announced = co_await announce(work_queue_, partition_key);
        if (!announced) {
            left_.insert(left_.end(), messages.begin(), messages.end());
            co_return failure{announced.error()};
        }
        for (auto const& m : messages) {
            auto const deleted = co_await end_message(queue_, m.id, m.receipt, std::nullopt);
            if (!deleted) co_return failure{deleted.error()};
        }
        co_return result<void>{};
    }

    // ---- the end ----------------------------------------------------------------------------------------------------

    /// Those of partitions that were not reached are left, too.
    task<result<void>> show_left() {
        for (auto& [partition, messages] : named_) left_.insert(left_.end(), messages.begin(), messages.end());
        count_.report.messages_left = left_.size();
        std::optional<std::chrono::milliseconds> const at_once{0};
        for (auto const& m : left_) {
            auto const shown = co_await end_message(queue_, m.id, m.receipt, at_once);
            if (!shown) co_return failure{shown.error()};
        }
        co_return result<void>{};
    }

    relay_core const& relay_;
    relay_queue work_queue_;
    std::string queue_;
    std::set<std::string> seen_{};
    std::map<std::string, std::vector<taken_message>> named_{};  ///< by partition
    std::vector<taken_message> left_{};                          ///< to be shown again
    partition_count count_{};
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
    poison_reading reading{*relay};
    auto done = co_await reading.run();
    co_return done;
}

}  // namespace tablemap::detail

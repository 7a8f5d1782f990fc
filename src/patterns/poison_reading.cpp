// SPDX-License-Identifier: Apache-2.0
#include "patterns/poison_reading.hpp"

#include "patterns/option_check.hpp"
#include "patterns/relay_loop.hpp"
#include "store/ask.hpp"
#include "tablemap/store/queue_request.hpp"
#include "tablemap/store/service_response.hpp"

#include <map>
#include <set>
#include <utility>
#include <vector>

namespace tablemap::inline v0_1::detail {
namespace {

constexpr std::size_t messages_at_once = 32;
/// So many messages are one call: they are kept in memory, and those of others may be without end.
constexpr std::size_t most_messages = 10'000;
/// Longer than most calls take. A message that appears before its call has ended is handled twice, which does no harm.
constexpr std::chrono::minutes hidden_for{5};

/// One run of `put_back_poison`. All messages are taken before anything is put back: a message that comes later may be
/// of work that failed once more, and must stay.
class poison_reading {
public:
    poison_reading(relay_queue const& queue, poison_work& work)
        : work_queue_(queue), work_(work), queue_(poison_queue(queue.name)) {}

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

    /// Nothing has ever failed while there is no poison queue.
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
        auto partition = work_.partition_in(m.text);
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
        auto const moved = co_await work_.put_back(partition_key);
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

    relay_queue const& work_queue_;
    poison_work& work_;
    std::string queue_;
    std::set<std::string> seen_{};
    std::map<std::string, std::vector<taken_message>> named_{};  ///< by partition
    std::vector<taken_message> left_{};                          ///< to be shown again
    partition_count count_{};
};

/// Partitions whose work failed. It stays where it is: a message is all that it needs.
class failed_partitions final : public poison_work {
public:
    explicit failed_partitions(relay_queue const& queue) : queue_(queue) {}

    std::optional<std::string> partition_in(std::string_view text) const override {
        return failed_partition_in(queue_, text);
    }
    task<result<std::size_t>> put_back(std::string) override { co_return std::size_t{1}; }

private:
    relay_queue const& queue_;
};

}  // namespace

bool partition_count::add(result<std::size_t> const& moved) {
    if (moved) return add_moved(*moved);
    if (moved.error().code() == library_errc::too_many_conflicts) {
        ++report.busy_partitions;
        return true;
    }
    if (!is_of_partition(moved.error())) return false;
    report.last_failure = moved.error();
    return true;
}

task<result<put_back_report>> put_back_poison(relay_queue const& queue, poison_work& work) {
    poison_reading reading{queue, work};
    auto done = co_await reading.run();
    co_return done;
}

task<result<put_back_report>> put_back_failed(relay_queue const& queue) {
    if (queue.name.empty()) co_return failure{no_queue()};
    failed_partitions work{queue};
    auto done = co_await put_back_poison(queue, work);
    if (done) done->effects = 0;  // what was counted are partitions
    co_return done;
}

}  // namespace tablemap::detail

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/store/store.hpp"

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace tablemap::test {

/// A write operation with what it borrowed.
struct written {
    write_kind kind{};
    std::string partition_key{}, row_key{}, body{}, if_match{};
    std::optional<guid> operation_id{};

    explicit written(write_operation const& o)
        : kind(o.kind),
          partition_key(o.partition_key),
          row_key(o.row_key),
          body(o.body),
          if_match(o.if_match),
          operation_id(o.operation_id) {}

    write_operation operation() const noexcept { return {kind, partition_key, row_key, body, if_match, operation_id}; }
};

/// One store for several threads that take turns by a seeded choice: each request waits until all threads wait for
/// theirs, or have left. So a seed tells the order of all requests, as long as each thread does what its own seed
/// tells.
///
/// Some requests meet faults: they are refused as by a busy server, their responses are lost, or they are lost
/// themselves and carried out after others that were sent later.
class turns {
public:
    using check = std::function<void(std::vector<written> const&)>;

    /// `after_write` is told of each write that was carried out, before the next request is.
    turns(store_ptr inner, std::size_t threads, std::uint64_t seed, check after_write)
        : inner_(std::move(inner)), active_(threads), engine_(seed), after_write_(std::move(after_write)) {}
    ~turns() {
        while (!late_.empty()) carry_out_late();
    }
    turns(turns const&) = delete;
    turns& operator=(turns const&) = delete;

    store_ptr seat(std::size_t number) { return std::make_shared<place>(*this, number); }

    void leave(std::size_t) {
        std::scoped_lock lock{mutex_};
        --active_;
        choose();
    }

private:
    class place final : public store {
    public:
        place(turns& all, std::size_t number) : all_(all), number_(number) {}
        tablemap::capabilities const& capabilities() const noexcept override { return all_.inner_->capabilities(); }
        store_context const& context() const noexcept override { return all_.inner_->context(); }
        response execute(request const& r, call_options const& o) override { return all_.take_turn(number_, r, o); }

    private:
        turns& all_;
        std::size_t number_;
    };

    struct late_write {
        std::string table;
        std::vector<written> operations;
    };

    response take_turn(std::size_t number, request const& r, call_options const& o) {
        std::unique_lock lock{mutex_};
        waiting_.insert(number);
        choose();
        changed_.wait(lock, [&] { return turn_ == number; });
        turn_.reset();
        waiting_.erase(number);
        if (!late_.empty() && below(8) == 0) carry_out_late();
        return answer(r, o);
    }

    void choose() {
        if (turn_ || waiting_.size() < active_ || waiting_.empty()) return;
        turn_ = *std::next(waiting_.begin(), static_cast<std::ptrdiff_t>(below(waiting_.size())));
        changed_.notify_all();
    }

    response answer(request const& r, call_options const& o) {
        auto const operations = operations_of(r);
        auto const what = below(40);
        if (what == 0) return response::failed(error{service_errc::server_busy});
        if (operations.empty()) return what == 1 ? lost(outcome::not_applied) : inner_->execute(r, o);
        if (what == 1) return lost(outcome::in_doubt);
        if (what == 2) {
            late_.push_back({std::string{table_of(r)}, operations});
            return lost(outcome::in_doubt);
        }
        auto answer = carry_out(r, o, operations);
        return what <= 4 ? lost(outcome::in_doubt) : std::move(answer);
    }

    response carry_out(request const& r, call_options const& o, std::vector<written> const& operations) {
        auto answer = inner_->execute(r, o);
        after_write_(answer.ok() ? operations : std::vector<written>{});
        return answer;
    }

    void carry_out_late() {
        auto const at = late_.begin() + static_cast<std::ptrdiff_t>(below(late_.size()));
        auto const w = std::move(*at);
        late_.erase(at);
        std::vector<write_operation> all;
        for (auto const& one : w.operations) all.push_back(one.operation());
        carry_out(transact{w.table, all}, {}, w.operations);
    }

    static response lost(outcome became) {
        return response::failed(error{library_errc::response_lost, {.outcome = became}});
    }

    static std::vector<written> operations_of(request const& r) {
        std::vector<written> all;
        if (auto const* const one = std::get_if<write_entity>(&r)) all.emplace_back(one->operation);
        if (auto const* const group = std::get_if<transact>(&r))
            for (auto const& o : group->operations) all.emplace_back(o);
        return all;
    }

    std::size_t below(std::size_t end) { return static_cast<std::size_t>(engine_() % end); }

    store_ptr inner_;
    std::size_t active_;
    std::mt19937_64 engine_;
    check after_write_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::set<std::size_t> waiting_;
    std::optional<std::size_t> turn_{};
    std::vector<late_write> late_;
};

}  // namespace tablemap::test

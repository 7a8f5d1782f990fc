// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "embedded/call_limits.hpp"
#include "embedded/connection_pool.hpp"
#include "embedded/operations.hpp"

#include "tablemap/edm/limits.hpp"

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <list>
#include <mutex>
#include <optional>
#include <span>
#include <stop_token>
#include <utility>
#include <vector>

namespace tablemap::inline v0_1::detail::embedded {

/// A thread that waits for writes of its own.
struct write_caller;

/// A write of rows that waits for its commit, and then its outcome.
class queued_write {
public:
    queued_write(prepared_writes writes, call_limits const& limits) : writes_(std::move(writes)), limits_(limits) {}
    queued_write(queued_write const&) = delete;
    queued_write& operator=(queued_write const&) = delete;

    /// The size of what it stores.
    std::size_t bytes() const noexcept { return writes_.bytes(); }

    /// False if `write_queue::carry_out` returned before its turn came.
    bool has_outcome() const noexcept { return has_outcome_; }

    /// The response, once, if it has an outcome. Throws why the write was not carried out.
    response take();

    /// The thread that waits for it.
    write_caller const* caller() const noexcept { return caller_; }

private:
    friend class write_queue;

    struct wake_up {
        write_caller* whom;
        void operator()() const noexcept;
    };

    prepared_writes writes_;
    call_limits limits_;
    response answer_{};
    std::exception_ptr failure_{};
    bool has_outcome_ = false;
    write_caller* caller_ = nullptr;
    std::uint64_t number_ = 0;  ///< in the order of joining
    std::optional<std::stop_callback<wake_up>> stop_{};
};

/// Lets the writes of several threads share a commit, so that they wait for the disk once.
///
/// Writes wait in a queue while others are carried out. The thread of the first one then leads: it begins a
/// transaction, carries out all that wait, in their order, commits, and gives each its outcome. A write that is refused
/// leaves the others alone. No outcome is given before the commit, since a refusal may be due to a row of the same
/// transaction.
///
/// A waiting write is withdrawn when its call is to end, until a transaction takes it. A thread that leads withdraws
/// its own ones after the transaction. If the file is busy, the writes end that waited when the thread began to lead,
/// as many as a transaction takes: they have waited as long as its own. If a transaction failed and surely was not
/// applied, its writes are carried out one by one. If the outcome of its commit is in doubt, it is in doubt for each
/// write that was not refused.
class write_queue {
public:
    /// The most bytes of several writes in one transaction, as of one group: the log takes one transaction beyond its
    /// bound.
    static constexpr std::size_t most_bytes = limits::transaction_bytes;

    /// `pool` and `now` are borrowed. With `waits_for_disk`, the leader waits a moment for the threads that were here
    /// just before, which takes less time than another commit.
    write_queue(connection_pool& pool, std::function<ticks()> const& now, bool waits_for_disk);

    /// Carries out writes of the calling thread, in their order. Returns as soon as any have their outcome, so that a
    /// caller of several need not wait for all; the others are not carried out.
    void carry_out(std::span<queued_write* const> writes) noexcept;

private:
    void join(std::span<queued_write* const> writes);
    void leave(write_caller& c) noexcept;
    static void end(queued_write& w, std::exception_ptr failure) noexcept;
    void withdraw_ended(write_caller& c) noexcept;
    void wait(std::unique_lock<std::mutex>& lock, write_caller& c);
    void lead(std::unique_lock<std::mutex>& lock, write_caller& c) noexcept;
    void wait_for_others(std::unique_lock<std::mutex>& lock, write_caller& c);
    bool others_are_here() const noexcept;
    void take_batch(std::size_t most);
    void carry_out_batch(queued_write& first);
    bool apply_batch(connection& c);
    bool apply(connection& c, queued_write& w, ticks stamp) const;
    void commit(write_transaction& t);
    void settle(std::exception_ptr const& thrown) noexcept;
    void end_first(std::exception_ptr const& thrown) noexcept;
    std::size_t waiting_as_long() noexcept;
    void carry_out_alone(queued_write& w) noexcept;
    void end_batch(std::unique_lock<std::mutex>& lock) noexcept;
    void wake_first() noexcept;

    connection_pool& pool_;
    std::function<ticks()> const& now_;
    bool const waits_for_disk_;

    std::mutex mutex_{};
    std::list<std::condition_variable> free_signals_{};  ///< outlive the callers: one may have left before it is woken
    std::vector<queued_write*> waiting_{};               ///< those of one thread stand together
    std::uint64_t joined_ = 0;                           ///< writes so far
    write_caller* leader_ = nullptr;
    std::size_t expected_ = 0;  ///< the threads that were here at the end of the last commit

    // Of the leader.
    std::uint64_t led_at_ = 0;  ///< `joined_` when it began to wait for the file
    std::vector<queued_write*> batch_{};
    std::chrono::steady_clock::duration last_commit_{};
};

}  // namespace tablemap::detail::embedded

// SPDX-License-Identifier: Apache-2.0
#include "embedded/worker_pool.hpp"

#include "store/answering_thread.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <condition_variable>
#include <iterator>
#include <mutex>
#include <system_error>
#include <utility>

namespace tablemap::inline v0_1::detail::embedded {
namespace {

using job_list = worker_pool::job_list;
using steady = std::chrono::steady_clock;

constexpr std::size_t thread_count = 2;

/// The time for which writes of rows wait while a thread calls the receivers of those before. Functions that are called
/// there often send the next writes, which so come together.
constexpr std::chrono::milliseconds wait_for_receivers{1};

/// One receiver after the other. Each may destroy the store, whose pool then calls the rest.
void answer(job_list& answered) noexcept {
    answering_thread const here;
    while (!answered.empty()) {
        job_list first;
        first.splice(first.begin(), answered, answered.begin());
        first.front().to->complete(*std::move(first.front().answer));
    }
}

}  // namespace

struct worker_pool::queue {
    std::mutex mutex;
    std::condition_variable wake;
    job_list row_writes, others;
    std::uint64_t submitted = 0;
    bool stopping = false;
    execute_function execute;
    std::array<job_list, thread_count> answered;  ///< of each thread: those whose receivers it is to call

    // The thread that writes rows, or calls their receivers then, and the time until which no other one may write rows.
    job_list const* rows_by = nullptr;
    steady::time_point rows_until{};

    // Copies of it need no memory.
    response const closed =
        response::failed(error{library_errc::cancelled, {.reason = "the store was closed before the request began"}});

    bool may_write_rows() const noexcept { return !row_writes.empty() && (!rows_by || steady::now() >= rows_until); }

    void wait_for_jobs(std::unique_lock<std::mutex>& lock) {
        while (!stopping && others.empty() && !may_write_rows()) {
            if (!row_writes.empty() && rows_until != steady::time_point::max())
                wake.wait_until(lock, rows_until);
            else
                wake.wait(lock);
        }
    }

    /// The jobs to begin now: those that have waited longest, all writes of rows together.
    job_list take(job_list const* by) noexcept {
        bool const rows = may_write_rows() && (others.empty() || row_writes.front().number < others.front().number);
        auto& from = rows ? row_writes : others;
        auto const count = std::min(from.size(), rows ? most_jobs : std::size_t{1});
        job_list taken;
        taken.splice(taken.end(), from, from.begin(), std::next(from.begin(), static_cast<std::ptrdiff_t>(count)));
        if (rows) rows_by = by;
        if (rows) rows_until = steady::time_point::max();
        return taken;
    }

    /// Lets those without an answer wait again.
    void end_writes(job_list& jobs) noexcept {
        rows_until = steady::now() + wait_for_receivers;
        auto const before = row_writes.begin();
        for (auto at = jobs.begin(); at != jobs.end();) {
            auto const j = at++;
            if (j->answer) continue;
            if (stopping)
                j->answer = closed;
            else
                row_writes.splice(before, jobs, j);
        }
        if (!row_writes.empty()) wake.notify_one();
    }

    void work(job_list& mine) {
        std::unique_lock lock{mutex};
        for (;;) {
            wait_for_jobs(lock);
            if (stopping) return;
            auto jobs = take(&mine);
            bool const rows = rows_by == &mine;
            lock.unlock();
            execute(jobs);
            lock.lock();
            if (rows) end_writes(jobs);
            mine.splice(mine.end(), jobs);
            lock.unlock();
            answer(mine);
            lock.lock();
            if (rows_by == &mine) rows_by = nullptr;
            if (!row_writes.empty() && !others.empty()) wake.notify_one();
        }
    }
};

worker_pool::worker_pool(execute_function execute) : queue_(std::make_shared<queue>()) {
    queue_->execute = std::move(execute);
}

worker_pool::~worker_pool() {
    job_list abandoned;
    {
        std::scoped_lock lock{queue_->mutex};
        queue_->stopping = true;
        abandoned.splice(abandoned.end(), queue_->row_writes);
        abandoned.splice(abandoned.end(), queue_->others);
    }
    queue_->wake.notify_all();
    for (auto& j : abandoned) j.answer = queue_->closed;
    answer(abandoned);
    for (std::size_t i = 0; i < threads_.size(); ++i) end_thread(i);
}

void worker_pool::end_thread(std::size_t i) {
    if (threads_[i].get_id() != std::this_thread::get_id()) return threads_[i].join();
    answer(queue_->answered[i]);
    threads_[i].detach();
}

/// One thread is enough if the system has no more.
void worker_pool::start_threads() {
    threads_.reserve(thread_count);
    try {
        for (auto& mine : queue_->answered) threads_.emplace_back([q = queue_, &mine] { q->work(mine); });
    } catch (std::system_error const&) {
        if (threads_.empty()) throw;
    }
}

void worker_pool::submit(request const& r, call_options const& o, receiver& to) {
    job_list one;
    one.push_back({.what = &r, .options = &o, .to = &to});
    {
        std::scoped_lock lock{queue_->mutex};
        if (threads_.empty()) start_threads();  // first: the requests in the queue will be answered
        one.front().number = queue_->submitted++;
        auto& q = writes_rows(r) ? queue_->row_writes : queue_->others;
        q.splice(q.end(), one);
    }
    queue_->wake.notify_one();
}

}  // namespace tablemap::detail::embedded

// SPDX-License-Identifier: Apache-2.0
#include "embedded/worker_pool.hpp"

#include <algorithm>
#include <array>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <mutex>
#include <system_error>
#include <utility>

namespace tablemap::inline v0_1::detail::embedded {
namespace {

constexpr std::size_t thread_count = 2;

struct waiting_job {
    std::uint64_t number;  // in the order of their coming
    request const* what;
    call_options const* options;
    receiver* to;
};

}  // namespace

struct worker_pool::queue {
    std::mutex mutex;
    std::condition_variable wake;
    std::deque<waiting_job> row_writes, others;
    std::uint64_t submitted = 0;
    bool writing_rows = false;
    bool stopping = false;
    execute_function execute;

    bool may_write_rows() const noexcept { return !writing_rows && !row_writes.empty(); }

    /// The jobs to begin now: those that have waited longest, all writes of rows together. None while there are none.
    std::size_t take(std::array<job, most_jobs>& to) {
        bool const rows = may_write_rows() && (others.empty() || row_writes.front().number < others.front().number);
        auto& from = rows ? row_writes : others;
        auto const count = std::min(from.size(), rows ? most_jobs : std::size_t{1});
        for (std::size_t i = 0; i < count; ++i) {
            to[i] = {.what = from.front().what, .options = from.front().options, .to = from.front().to};
            from.pop_front();
        }
        writing_rows = writing_rows || rows;
        return count;
    }

    void carry_out(std::span<job> jobs) {
        execute(jobs);
        // The first one may destroy the store.
        for (auto& j : jobs) j.to->complete(std::move(j.answer));
    }

    void work() {
        std::array<job, most_jobs> jobs;
        std::unique_lock lock{mutex};
        for (;;) {
            wake.wait(lock, [&] { return stopping || may_write_rows() || !others.empty(); });
            if (stopping) return;
            auto const count = take(jobs);
            bool const rows = writes_rows(*jobs[0].what);  // the request may be gone once it is answered
            lock.unlock();
            carry_out({jobs.data(), count});
            lock.lock();
            if (!rows) continue;
            writing_rows = false;
            if (!row_writes.empty() && !others.empty()) wake.notify_one();
        }
    }
};

worker_pool::worker_pool(execute_function execute) : queue_(std::make_shared<queue>()) {
    queue_->execute = std::move(execute);
}

worker_pool::~worker_pool() {
    std::deque<waiting_job> writes, others;
    {
        std::scoped_lock lock{queue_->mutex};
        queue_->stopping = true;
        writes.swap(queue_->row_writes);
        others.swap(queue_->others);
    }
    queue_->wake.notify_all();
    for (auto const* const abandoned : {&writes, &others})
        for (auto const& j : *abandoned)
            j.to->complete(response::failed(
                error{library_errc::cancelled, {.reason = "the store was closed before the request began"}}));
    for (auto& t : threads_) {
        if (t.get_id() == std::this_thread::get_id())
            t.detach();
        else
            t.join();
    }
}

/// One thread is enough if the system has no more.
void worker_pool::start_threads() {
    threads_.reserve(thread_count);
    try {
        while (threads_.size() < thread_count) threads_.emplace_back([q = queue_] { q->work(); });
    } catch (std::system_error const&) {
        if (threads_.empty()) throw;
    }
}

void worker_pool::submit(request const& r, call_options const& o, receiver& to) {
    {
        std::scoped_lock lock{queue_->mutex};
        if (threads_.empty()) start_threads();  // first: the requests in the queue will be answered
        auto& q = writes_rows(r) ? queue_->row_writes : queue_->others;
        q.push_back({queue_->submitted++, &r, &o, &to});
    }
    queue_->wake.notify_one();
}

}  // namespace tablemap::detail::embedded
